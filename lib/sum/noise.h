/* SPDX-License-Identifier: ISC */
/*
 * What stands out of the noise between runs: for each of many rows, measured a few times
 * before and a few times after a change, whether the mean has changed by more than runs
 * differ anyway.
 *
 * The runs of one row are too few to know how much it varies, but there are many rows, and
 * rows of like cost vary alike.  So each row's variance is drawn towards that of its
 * neighbours in cost, the more so the more these agree: the moderated t statistic of Smyth
 * (2004), "Linear models and empirical Bayes methods for assessing differential expression
 * in microarray experiments", Statistical Applications in Genetics and Molecular Biology
 * 3(1), with the trend of limma (Ritchie and others 2015, Nucleic Acids Research 43, e47).
 * That several runs are slow together widens all rows alike, and is no change.
 *
 * Of a thousand rows one is by chance as unlikely as one in a thousand.  So what is
 * reported is not each row's probability but the false discovery rate, the share of false
 * ones among all rows that are as unlikely: Benjamini and Hochberg (1995), with the
 * weights of Genovese, Roeder and Wasserman (2006), by which a row that costs more may be
 * less unlikely.
 */
#ifndef PROF_SUM_NOISE_H
#define PROF_SUM_NOISE_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/side.h"

struct noise {
	size_t rows, runs[SIDES];
	/* Row by row, runs[SIDE_OLD] values and then the others. */
	const double *value;
};

struct noise_row {
	double mean[SIDES];
	double spread;		/* the standard deviation of a run, moderated */
	double p;		/* how likely so large a growth is by chance */
	double q[2];		/* NOISE_GROWN, NOISE_CHANGED: the share of false ones among
				 * the rows that have grown, or changed, by as unlikely an
				 * amount; 1: it has not grown at all */
};

enum { NOISE_GROWN, NOISE_CHANGED };

/* The fewest runs of a side. */
#define NOISE_LEAST_RUNS 2

/* Fills in a row for each row.  A few rows say nothing about each other, nor do those
 * that rarely cost anything: then it is Student's t test of each. */
void noise_judge(const struct noise *n, struct noise_row *row);

#endif
