/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop or change records: the metadata and the total that each part needs
 * then.
 *
 *	filter	metadata that record the filter, after the part's own
 *	total	percentages stay relative to the whole program: the total of the run
 *		passes; if a part has none, one is written at the part's end, from what the
 *		part had (total.h)
 *	calls	metadata about dropped calls (lost_calls.h)
 */
#ifndef PROF_FILTER_FILTERED_PART_H
#define PROF_FILTER_FILTERED_PART_H

#include "filter/lost_calls.h"
#include "stream/part.h"
#include "util/diag.h"

struct filtered_part {
	const struct sink *stage;	/* the filter: metadata and totals go into the next
					 * one */
	struct diag *diag;
	const char *text;	/* the value of `filter`; NULL: none */
	bool drops;		/* records may be dropped: the total is written here */
	struct part part;
	struct lost_calls lost;
};

/* Sets all but the part, which is initially 0, and `text`, which may be set later. */
void filtered_init(struct filtered_part *f, const struct sink *stage, bool drops,
    struct dict *dict, struct diag *d);
void filtered_free(struct filtered_part *f);

/* Call it at `end`, after filtered_see() and before putting it.  0 or -1. */
int filtered_end(struct filtered_part *f);

/* Can no cost change anything any more?  Then filtered_see() need not be called for the
 * costs that follow in the part. */
static inline bool
filtered_settled(const struct filtered_part *f)
{
	return f->part.place == PART_BODY && (!f->drops || total_has_whole_run(&f->part.total));
}

int filtered_see_other(struct filtered_part *f, const struct record *r);

/* Call it for each record but definitions, before putting or dropping it.  If the filter
 * drops records, it must not put a `total` itself.  0, or -1 with the diag set. */
static inline int
filtered_see(struct filtered_part *f, const struct record *r)
{
	return filtered_settled(f) && rec_is_measured(rec_kind(r)) ? 0 :
	    filtered_see_other(f, r);
}

#endif
