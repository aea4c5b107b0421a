/* SPDX-License-Identifier: ISC */
/*
 * Profiles summed by the keys of the table of records.  The result is in normal form:
 * equal sums are equal records, in whatever order they came in.
 */
#ifndef PROF_SUM_MERGE_H
#define PROF_SUM_MERGE_H

#include "stream/dict.h"
#include "stream/group_by.h"
#include "util/diag.h"

/*
 * What a run lacks counts as 0, except for the sum; what it does not know, `-`, does not
 * count.  A mean of N runs is their sum, and its event's scale is N times finer; if not all
 * runs know some value, the scale is that of the least common multiple of how many do.
 */
enum merge_op {
	MERGE_SUM, MERGE_MIN, MERGE_MAX, MERGE_MEDIAN,
	MERGE_MEAN,
	MERGE_STATS,	/* means; besides, as events: E.runs, the runs that have a value;
			 * E.min, E.max; E.sd, the standard deviation in the scale of the
			 * means, absent for one run */
	MERGE_RUNS,	/* means, and the values of each run in extra columns
			 * (extra_columns.h), for diff_write() */
};

struct merge_how {
	struct dict *dict;
	struct diag *diag;
	/* What distinguishes records; none: everything. */
	enum group_by group_by[BY_KINDS];
	size_t ngroup_by;
	bool functions;		/* functions are distinguished all the same, as calls are
				 * theirs: inclusive costs of other rows need that */
	enum merge_op op;	/* over runs: the parts of one are summed */
	bool unknown;		/* keep which values are not known, or not all that is summed;
				 * not for the least, the largest and the median */
};

struct merge;

struct merge *merge_new(const struct merge_how *how);
void merge_free(struct merge *m);

/* Forgets what came in: frees m and returns another one, with which to go on. */
struct merge *merge_again(struct merge *m);

/* How many runs came in, of a merge whose operation is over runs. */
uint64_t merge_runs(const struct merge *m);

/* Takes records up to `end`.  merge_free() frees it; the caller must not. */
struct sink *merge_sink(struct merge *m);

/* The event of what came in that is shown where none is asked for; absent: none has a cost. */
struct text merge_default(const struct merge *m);

/* Was the event not measured, though there are records?  None of them has a value for it. */
bool merge_lacks_values(const struct merge *m, struct text event);

/* Puts `prof` early; otherwise merge_write() does.  0 or -1. */
int merge_begin(struct merge *m, struct sink *out);

/* Puts the whole, from `prof` to `end`, definitions and records sorted.  0, or
 * -1 with the diag set.  Call it once, after `end` came in. */
int merge_write(struct merge *m, struct sink *out);

#endif
