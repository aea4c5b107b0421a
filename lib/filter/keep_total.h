/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop records: percentages stay those of the program, not of what
 * is left of it.  The total of the run goes on; where a part has none it is written
 * at the part's end, from what the part had (total.h).
 */
#ifndef PROF_FILTER_KEEP_TOTAL_H
#define PROF_FILTER_KEEP_TOTAL_H

#include "stream/total.h"
#include "util/diag.h"

/* All but the first two is 0 at first. */
struct keep_total {
	const struct sink *stage;	/* the filter: totals go into the next one */
	struct diag *diag;
	struct total total;
	size_t nevents;
	bool in_part;
};

void keep_total_free(struct keep_total *keep);

/* 0, or -1 with the diag set, all of them. */
int keep_total_end(struct keep_total *keep);		/* of the part, if there is one */
int keep_total_part(struct keep_total *keep);		/* one begins; it is not put */
/* Whatever else comes in, before it is dropped: counts events and self costs; a
 * `total` is put if it is that of the run, and must not be put again. */
int keep_total_see(struct keep_total *keep, const struct record *r);

/* Is it known?  Then costs need not be seen. */
static inline bool
keep_total_known(const struct keep_total *keep)
{
	return keep->total.has_run;
}

#endif
