/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop records: percentages stay relative to the whole program.  The total
 * of the run passes; if a part has none, one is written at the part's end, from the part's
 * costs (total.h).
 */
#ifndef PROF_FILTER_KEEP_TOTAL_H
#define PROF_FILTER_KEEP_TOTAL_H

#include "stream/total.h"
#include "util/diag.h"

/* All but the first two members are initially 0. */
struct keep_total {
	const struct sink *stage;	/* the filter: totals go into the next one */
	struct diag *diag;
	struct total total;
	size_t nevents;
	bool in_part;
};

void keep_total_free(struct keep_total *keep);

/* All return 0, or -1 with the diag set. */
int keep_total_end(struct keep_total *keep);		/* ends the part, if any */
int keep_total_part(struct keep_total *keep);		/* begins a part; does not put it */
/* Call it for every other record, before dropping it: counts events and self costs.  Puts
 * a `total` of the run, which must not be put again. */
int keep_total_see(struct keep_total *keep, const struct record *r);

/* Is the total known?  Then keep_total_see() need not be called for costs. */
static inline bool
keep_total_known(const struct keep_total *keep)
{
	return keep->total.has_run;
}

#endif
