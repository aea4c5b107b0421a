/* SPDX-License-Identifier: ISC */
/*
 * A run that is unlike the others of its side: a machine that was busy, a wrong input.  What
 * it costs more than they do goes into the mean and into the noise, which hides whatever
 * else has changed.
 */
#ifndef PROF_SUM_WILD_H
#define PROF_SUM_WILD_H

#include "sum/contrast.h"

struct wild {
	int side;		/* NOISE_OLD, NOISE_NEW */
	uint64_t run;		/* of that side, from 1 */
	num total, median;	/* what it costs, and its side's runs at the median */
};

/* Is there a run that costs more than twice what its side's runs do at the median, or less
 * than half?  The one that is most unlike the others.  Of two runs neither is. */
bool wild_find(const struct rank *r, const struct contrast_event *e, struct wild *w);

/* The median of a side's runs; v: the sums of a row, or of the total.  Of two in the middle
 * the one that lets the program look slower than before. */
num wild_median(const struct contrast_event *e, const num *v, int side);

#endif
