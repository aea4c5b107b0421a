/* SPDX-License-Identifier: ISC */
/*
 * Two sums of profiles against each other.
 */
#ifndef PROF_SUM_DIFF_H
#define PROF_SUM_DIFF_H

#include "sum/merge.h"

struct diff_how {
	struct dict *dict;
	struct diag *diag;
	const char *old_name, *new_name;	/* of the files */
	bool normalize;		/* new costs are scaled to the old total, and rounded */
};

/*
 * Puts the difference of two merges, whole, into the sink: each event E as three,
 * E (new - old), E.old and E.new; counts of calls are events, too.  What a side
 * lacks is absent.
 *
 * Functions are joined by name, file and object; those that have no partner by
 * less of it, as far as it is one function on each side: the names of file and
 * object without their directories and versions, then without the object, then
 * the name alone.  0, or -1 with the diag set.  Both merges are done with.
 */
int diff_write(struct merge *old, struct merge *new, const struct diff_how *how,
    struct sink *out);

#endif
