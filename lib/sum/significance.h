/* SPDX-License-Identifier: ISC */
/*
 * Which changes of a ranked difference between several runs are significant (noise.h).
 */
#ifndef PROF_SUM_SIGNIFICANCE_H
#define PROF_SUM_SIGNIFICANCE_H

#include "sum/noise.h"
#include "sum/rank.h"

enum significance_of { SIGNIFICANCE_SELF, SIGNIFICANCE_INCLUSIVE, SIGNIFICANCE_COSTS };

struct significance {
	const struct rank *rank;
	double fdr;		/* the false discovery rate: the accepted share of false
				 * positives among significant changes */
	struct significance_event {
		const struct rank_delta *delta;
		size_t runs[SIDES];
		/* Each old run, then each new one: its sum, and how many parts of the unit,
		 * `scale` to one, one of its values is. */
		struct significance_run {
			uint64_t run;	/* number on its side, from 1 */
			size_t slot;
			num times;
		} *run;
		uint64_t scale;
		double finer;		/* values of the mean per such part */
		struct noise_row *row[SIGNIFICANCE_COSTS];	/* inclusive: NULL if unknown */
		struct noise_row total;
	} *event;
	size_t n;
	uint32_t *at;		/* by delta of the rank: its event + 1; 0: it has none */
};

/*
 * Judges the rows of a rank whose difference has a column for each run (MERGE_RUNS,
 * extra_columns.h); the rank must outlive it.  NULL with the diag set if an event has fewer
 * than NOISE_LEAST_RUNS runs on a side. significance_free() takes NULL.
 */
struct significance *significance_new(const struct rank *r, double fdr, struct diag *d);
void significance_free(struct significance *c);

/* Returns the result for the change of an event; NULL: it was not judged. */
const struct significance_event *significance_find(const struct significance *c,
    const struct rank_delta *delta);

/* Is the change of a row, or its growth, significant, among `checks` questions about the
 * same runs?  1 for a single one. */
bool is_significant(const struct significance *c, const struct noise_row *row,
    int which, size_t checks);

/* Returns the cost of a run, in parts of the unit that are the same for all runs; v: the
 * sums of a row, or of the total.  NUM_MAX if it does not fit. */
num significance_cost(const struct significance_event *e, const num *v, size_t run);

#endif
