/* SPDX-License-Identifier: ISC */
/*
 * Which changes are significant: for each of many rows, measured a few times before and a
 * few times after a change, whether the mean has changed by more than run-to-run noise.
 *
 * The runs of one row are too few to show how much it varies, but there are many rows, and
 * rows of similar cost vary similarly.  So each row's variance is drawn towards that of its
 * neighbours in cost, the more so the more these agree: the moderated t statistic of Smyth
 * (2004), "Linear models and empirical Bayes methods for assessing differential expression
 * in microarray experiments", Statistical Applications in Genetics and Molecular Biology
 * 3(1), with the trend of limma (Ritchie and others 2015, Nucleic Acids Research 43, e47).
 * If several whole runs are slow, the variance of all rows grows, and no row is reported.
 *
 * Among a thousand rows, one is expected to be as unlikely as one in a thousand.  So this
 * reports not each row's probability but the false discovery rate, the share of false
 * positives among all rows that are as unlikely: Benjamini and Hochberg (1995), with the
 * weights of Genovese, Roeder and Wasserman (2006), by which a row that costs more need not
 * be as unlikely.
 */
#ifndef PROF_SUM_NOISE_H
#define PROF_SUM_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/side.h"

struct noise {
	size_t rows, runs[SIDES];
	/* Row by row: runs[SIDE_OLD] values, then those of the new runs. */
	const double *value;
};

struct noise_row {
	double mean[SIDES];
	double spread;		/* the standard deviation of a run, moderated */
	double p;		/* probability of so large a growth by random variation */
	double q[2];		/* NOISE_GROWN, NOISE_CHANGED: the share of false positives
				 * among the rows that have grown, or changed, by as
				 * unlikely an amount; 1: it has not grown at all */
};

enum { NOISE_GROWN, NOISE_CHANGED };

/* The fewest runs on a side. */
#define NOISE_LEAST_RUNS 2

/* Computes row[i] for each input row.  If there are only a few rows, or they rarely cost
 * anything, they do not show how others vary: each then has Student's t test of its own. */
void noise_judge(const struct noise *n, struct noise_row *row);

#endif
