/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop or change records: the metadata `filter` that records this in each
 * part, after the part's own metadata, at the end of its header.
 */
#ifndef PROF_FILTER_FILTER_FACT_H
#define PROF_FILTER_FILTER_FACT_H

#include "stream/record.h"

struct filter_fact {
	const struct sink *stage;	/* the filter: metadata go into the next one */
	const char *text;	/* the value of `filter`; NULL: none */
	bool due;		/* initially 0: in a header */
};

/* filter_fact_see() for a kind that may begin or end a header. */
int filter_fact_due(struct filter_fact *fact, enum rec_kind kind);

/* Call it for each record, before putting anything for it.  0, or -1 if the sink
 * fails. */
static inline int
filter_fact_see(struct filter_fact *fact, const struct record *r)
{
	return fact->due || rec_kind(r) == REC_PART ? filter_fact_due(fact, rec_kind(r)) : 0;
}

#endif
