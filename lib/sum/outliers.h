/* SPDX-License-Identifier: ISC */
/*
 * A run that is unlike the others of its side: a machine that was busy, a wrong input.  What
 * it costs more than they do goes into the mean and into the noise, which hides whatever
 * else has changed.
 */
#ifndef PROF_SUM_OUTLIERS_H
#define PROF_SUM_OUTLIERS_H

#include "sum/significance.h"

struct outlier {
	int side;		/* NOISE_OLD, NOISE_NEW */
	uint64_t run;		/* of that side, from 1 */
	num total, median;	/* what it costs, and its side's runs at the median */
};

/* Is there a run that costs more than twice what its side's runs do at the median, or less
 * than half?  The one that is most unlike the others.  Of two runs neither is. */
bool outlier_find(const struct rank *r, const struct significance_event *e, struct outlier *w);

/* The median of a side's runs; v: the sums of a row, or of the total.  Of two in the middle
 * the one that lets the program look slower than before. */
num outlier_median(const struct significance_event *e, const num *v, int side);

#endif
