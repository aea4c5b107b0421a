/* SPDX-License-Identifier: ISC */
/*
 * Which changes of a ranked difference between several runs stand out of the noise
 * between them (noise.h).
 */
#ifndef PROF_SUM_CONTRAST_H
#define PROF_SUM_CONTRAST_H

#include "sum/noise.h"
#include "sum/rank.h"

enum contrast_of { CONTRAST_SELF, CONTRAST_INCLUSIVE, CONTRAST_COSTS };

struct contrast {
	const struct rank *rank;
	double fdr;		/* the share of false ones that is accepted among changes
				 * that stand out: the false discovery rate */
	struct contrast_event {
		const struct rank_delta *delta;
		size_t runs[NOISE_SIDES];
		size_t *slot;		/* the sums of each old run, then of each new one */
		double finer;		/* so many values of the mean are one of a run */
		struct noise_row *row[CONTRAST_COSTS];	/* inclusive: NULL if unknown */
		struct noise_row total;
	} *event;
	size_t n;
};

/*
 * Judges the rows of a rank whose difference has the events of each run, too
 * (runs_together()); the rank must outlive it.  NULL with the diag set if an event has
 * fewer than NOISE_LEAST_RUNS runs on a side.  contrast_free() takes NULL.
 */
struct contrast *contrast_new(const struct rank *r, double fdr, struct diag *d);
void contrast_free(struct contrast *c);

/* Of the change of an event; NULL: it was not judged. */
const struct contrast_event *contrast_find(const struct contrast *c,
    const struct rank_delta *delta);

/* Does the change of a row, or its growth, stand out?  Among `checks` questions that are
 * asked of the same runs; 1 for one. */
bool contrast_stands_out(const struct contrast *c, const struct noise_row *row,
    int which, size_t checks);

#endif
