/* SPDX-License-Identifier: ISC */
/*
 * The difference of two merged profiles.
 */
#ifndef PROF_SUM_DIFF_H
#define PROF_SUM_DIFF_H

#include "sum/extra_columns.h"
#include "sum/merge.h"

struct diff_how {
	struct dict *dict;
	struct diag *diag;
	const char *old_name, *new_name;	/* of the files */
	bool normalize;		/* new costs are scaled to the old total */
	bool named;		/* events are asked for: defaults do not matter */
	/* Set before the first record: the columns beside the events, of the runs (MERGE_RUNS)
	 * and of what is not known (merge_how.unknown); the caller's, to be freed.  NULL: the
	 * merges make none. */
	struct extra_columns *extra;
};

/*
 * Puts the whole difference of two merges into the sink: each event E as three,
 * E (new - old), E.old and E.new; counts of calls are events, too.  What a side
 * lacks is absent.  Where the sides have other scales, or are scaled, the scale of the three
 * is one in which all values are whole.
 *
 * Functions are joined by name, file and object.  Those without a partner are joined
 * by less if that identifies one function on each side: by name and the names of file
 * and object without directories and versions, then without the object, then by the
 * name alone.  0, or -1 with the diag set.  The merges cannot be used afterwards, except
 * to ask for their events, and to free them.
 */
int diff_write(struct merge *old, struct merge *new, const struct diff_how *how,
    struct sink *out);

#endif
