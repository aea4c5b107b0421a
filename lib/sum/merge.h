/* SPDX-License-Identifier: ISC */
/*
 * Profiles summed by the keys of the table of records.  The result is in normal form: equal
 * sums are equal records, in any order of the input.
 */
#ifndef PROF_SUM_MERGE_H
#define PROF_SUM_MERGE_H

#include "stream/dict.h"
#include "stream/group_by.h"
#include "util/diag.h"

/*
 * A row that a run lacks counts as 0, except in a sum; a value `-`, which is not known,
 * does not count.  A mean of N runs is their sum, and its event's scale is N times finer;
 * if some runs do not know a value, N is the least common multiple of the numbers of runs
 * that do.
 */
enum merge_op {
	MERGE_SUM, MERGE_MIN, MERGE_MAX, MERGE_MEDIAN,
	MERGE_MEAN,
	MERGE_STATS,	/* means; also, as events: E.runs, the runs that have a value;
			 * E.min, E.max; E.sd, the standard deviation in the scale of the
			 * means, absent for one run */
	MERGE_RUNS,	/* means, and the values of each run in extra columns
			 * (extra_columns.h), for diff_write() */
};

struct merge_how {
	struct dict *dict;
	struct diag *diag;
	/* The properties that distinguish records; none: all. */
	enum group_by group_by[BY_KINDS];
	size_t ngroup_by;
	bool functions;		/* functions are distinguished anyway, since calls belong to
				 * them: inclusive costs of other rows need that */
	enum merge_op op;	/* over runs; the parts of a run are summed */
	bool unknown;		/* note values that are not, or only partly, known; not for
				 * the least, the largest and the median */
};

struct merge;

struct merge *merge_new(const struct merge_how *how);
void merge_free(struct merge *m);

/* Drops all input: frees m and returns a new merge to continue with. */
struct merge *merge_again(struct merge *m);

/* Returns the number of runs, for an operation over runs. */
uint64_t merge_runs(const struct merge *m);

/* Returns the sink, which takes records up to `end`. merge_free() frees it; the caller must
 * not. */
struct sink *merge_sink(struct merge *m);

/* Returns the name of the default event of the input; absent: no event has a cost. */
struct text merge_default(const struct merge *m);

/* Does no record have a value of this event, although there are records? */
bool merge_lacks_values(const struct merge *m, struct text event);

/* Puts `prof` early; otherwise merge_write() does it.  0 or -1. */
int merge_begin(struct merge *m, struct sink *out);

/* Puts everything, from `prof` to `end`, definitions and records sorted.  0, or -1 with the
 * diag set.  Call it once, after `end` came in. */
int merge_write(struct merge *m, struct sink *out);

#endif
