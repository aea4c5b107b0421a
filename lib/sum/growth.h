/* SPDX-License-Identifier: ISC */
/*
 * How a cost grows with the size of the input: the law that fits points of (size, mean cost
 * of an activation, activations).  A fit is not a sum: here, and wherever a fit is printed,
 * costs go through floating point.
 *
 * Model.  cost = a + b f(n) + c g(n), with a, b, c >= 0, where f is one of the laws
 * below and g a lower term that often comes with it: n with n log n, n^1.5 and n^2,
 * n^2 with n^2 log n and n^3, none with log n and n.  At the largest size c g is at
 * most b f, else the law would be g.  log n is log2(n + 1), the depth of a tree of n:
 * 0 for n = 0.
 *
 * Points.  Sizes are grouped by eighths of an octave, with the mean size and the mean
 * cost of all their activations.  So a size may occur more than once, a million
 * points cost little more than a hundred, and a crowd of neighbours counts no more
 * than one point.  w activations weigh w / (w + 4): the variance of a mean shrinks
 * with w, the distance between a program and a law does not, so a billion calls with
 * a tiny input do not drown the few that show how the cost grows.
 *
 * Errors are relative, as costs span orders of magnitude.  A deviation is the
 * logarithm of (cost + u) / (fitted + u), where u is a negligible cost: 1, or the
 * smallest nonzero cost if that is less.  Deviations are assumed to follow Student's
 * distribution with 4 degrees of freedom, so that an outlier penalizes all laws alike
 * instead of choosing one, and with a scale of at least 2 %: no program is closer to
 * a law than that.  The scale and a, b, c are the most likely ones, found by
 * iteratively reweighted least squares.
 *
 * Choice.  The law is the one with the lowest Akaike criterion, corrected for few points
 * (AICc), which charges for each of a, b, c.  Another law is also possible if its -2 log
 * likelihood, plus 2 if it has c, is within 5 of that, a factor of 12.  The law is "1" if
 * none is better than it by that much and the points rule out that the cost grows by a
 * quarter over the sizes.  If "log n" is better, but the cost grows by less than that, "1"
 * is also possible: constants of programs are not exact to a few thousandths.
 *
 * The best fit need not be a good one.  It is not good if costs are typically 1.5 times the
 * fitted ones, or the converse; if deviations of more than 8% come in runs of similar
 * neighbours (lag-one correlation); or if all costs in the uppermost octave, which matters
 * most, deviate from the law.
 *
 * A limit of any fit: over sizes that span one decade, it cannot distinguish a law from
 * another that is close to a + b f there, as the root of n is to n.
 */
#ifndef PROF_SUM_GROWTH_H
#define PROF_SUM_GROWTH_H

#include <stddef.h>

enum growth_law {
	GROWTH_1, GROWTH_LOG, GROWTH_N, GROWTH_N_LOG, GROWTH_N_SQRT, GROWTH_N2,
	GROWTH_N2_LOG, GROWTH_N3, GROWTH_LAWS
};

extern const char *const growth_name[GROWTH_LAWS];

enum growth_verdict {
	GROWTH_FEW,	/* no law: fewer than 5 sizes, grouped as above; or the largest is
			 * less than 4 times the smallest; or more than three adjacent laws
			 * are possible */
	GROWTH_NEAR,	/* the law is the nearest one, but does not fit */
	GROWTH_RANGE,	/* the law fits best, but all from low to high are possible */
	GROWTH_CLEAR	/* no other law is possible: low = law = high */
};

struct growth_point {
	double size;
	double cost;	/* mean of its activations */
	double weight;	/* the number of activations */
};

struct growth {
	enum growth_verdict verdict;
	size_t points;	/* the number of points that were used */
	/* The rest is 0 for GROWTH_FEW. */
	enum growth_law law, low, high;
	double a, b, c;	/* as above; for "1" b and c are 0 */
	double r2;	/* the share of the variance of the logarithms of costs that
			 * the law explains; 0 for "1" */
	double error;	/* typical relative deviation: the root mean square, with outliers;
			 * 0.05 is 5% */
};

/*
 * Points may come in any order.  Those without weight, or with a negative or infinite
 * size or cost, or NaN, are ignored.  *out is always finite.
 */
void growth_fit(const struct growth_point *p, size_t n, struct growth *out);

#endif
