/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop records: percentages stay those of the program, not of what
 * is left of it.  The total of the run goes on; where a part has none it is written
 * at the part's end, from what the part had (total.h).
 */
#ifndef PROF_BASE_H
#define PROF_BASE_H

#include "stream/total.h"
#include "util/diag.h"

/* All but the first two is 0 at first. */
struct base {
	struct sink *next;	/* where totals go; not its to free */
	struct diag *diag;
	struct total total;
	size_t nevents;
	bool in_part;
};

void base_free(struct base *b);

/* 0, or -1 with the diag set, all of them. */
int base_end(struct base *b);		/* of the part, if there is one */
int base_part(struct base *b);		/* one begins; it is not put */
/* Whatever else comes in, before it is dropped: counts events and self costs; a
 * `total` is put if it is that of the run, and must not be put again. */
int base_see(struct base *b, struct record *r);

/* Is it known?  Then costs need not be seen. */
static inline bool
base_known(const struct base *b)
{
	return b->total.has_run;
}

#endif
