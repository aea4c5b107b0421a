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
	bool normalize;		/* scale the new costs to the old total */
	bool named;		/* the user names the events: the default does not matter */
	/* Set before the first record: the columns of the runs (MERGE_RUNS), and of the
	 * values that are not known (merge_how.unknown).  It is the caller's, who frees it.
	 * NULL: the merges make none. */
	struct extra_columns *extra;
};

/*
 * Puts the whole difference of two merges into the sink: each event E as three, E (new -
 * old), E.old and E.new; counts of calls also become events.  A value that a side lacks is
 * absent.  If the sides have different scales, or are scaled, the three have a scale in
 * which all values are whole numbers.
 *
 * Functions are joined by name, file and object.  A function without a match is joined by
 * fewer properties if these identify one function on each side: by name and the names of
 * file and object without directories and versions, then without the object, then by the
 * name alone.  0, or -1 with the diag set.  The merges cannot be used afterwards, except to
 * ask for their events, and to free them.
 */
int diff_write(struct merge *old, struct merge *new, const struct diff_how *how,
    struct sink *out);

#endif
