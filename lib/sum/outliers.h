/* SPDX-License-Identifier: ISC */
/*
 * A run that is unlike the others of its side: a busy machine, a wrong input.  Its
 * difference goes into the mean and into the noise, which hides other changes.
 */
#ifndef PROF_SUM_OUTLIERS_H
#define PROF_SUM_OUTLIERS_H

#include "sum/significance.h"

struct outlier {
	int side;		/* SIDE_OLD, SIDE_NEW */
	uint64_t run;		/* number on that side, from 1 */
	num total, median;	/* its cost, and the median of its side's runs */
};

/* Finds a run that costs more than twice the median of its side, or less than half; if
 * there are several, the one that differs most.  With two runs there is none. */
bool outlier_find(const struct rank *r, const struct significance_event *e, struct outlier *w);

/* Returns the median of a side's runs; v: the sums of a row, or of the total.  If two are
 * in the middle, takes the one by which the program looks slower than before. */
num outlier_median(const struct significance_event *e, const num *v, int side);

#endif
