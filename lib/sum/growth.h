/* SPDX-License-Identifier: ISC */
/*
 * How a cost grows with the size of the input: the law that fits points of
 * (size, mean cost of an activation, activations).  A fit is no sum: here, and
 * where it is printed as what it is, costs go through floating point.
 *
 * Model.  cost = a + b f(n) + c g(n), none of them negative, where f is one of
 * the laws below and g a lower term that often comes with it: n with n log n,
 * n^1.5 and n^2, n^2 with n^2 log n and n^3, none with log n and n.  At the
 * largest size c g is not more than b f, else the law would be g's.  log n is
 * log2(n + 1), the depth of a tree of n: 0 where n is 0.
 *
 * Points.  Sizes are put together by eighths of an octave, with the mean size
 * and the mean cost of all their activations.  So a size may occur again, a
 * million points cost little more than a hundred, and a crowd of neighbours
 * has no more to say than one of them.  What w activations say weighs
 * w / (w + 4): the variance of a mean shrinks with w, the distance between a
 * program and a law does not, so a thousand million calls with a tiny input do
 * not drown the few that tell how it grows.
 *
 * Errors are relative, as costs span orders of magnitude.  A deviation is the
 * logarithm of (cost + u) / (fitted + u), where u is what makes no difference:
 * 1, or the least cost but 0 if that is less.  Deviations are taken to be of
 * Student's distribution with 4 degrees of freedom, so that an outlier costs
 * all laws alike instead of choosing one, and of a scale of at least 2 %: no
 * program is closer to a law than that.  The scale and a, b, c are the most
 * likely ones, by least squares that are weighted anew until they stay.
 *
 * Choice.  The law is the one with the least Akaike criterion, corrected for
 * few points (AICc), which charges for each of a, b, c.  Of the others those
 * would do whose -2 log likelihood is within 5 of it, a factor of 12, of which
 * c costs 2.  The law is "1" if none is better than it by that much and the
 * points rule out that the cost grows by a quarter over the sizes.
 *
 * What fits best need not fit.  It does not if costs typically are half as
 * much again as fitted, or the converse; if deviations of more than 8 % come in
 * runs, neighbours alike (lag-one correlation); or if costs in the uppermost
 * octave, where it matters most, leave the law all together.
 *
 * What no fit can tell: sizes that span one decade do not tell a law from one
 * that is not among these but close to a + b f there, as is the root of n to n.
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
	GROWTH_FEW,	/* no law: fewer than 5 sizes, put together as above, the
			 * largest less than 4 times the least, or it could be any
			 * of more than three laws in a row */
	GROWTH_NEAR,	/* the law is the nearest, but does not fit */
	GROWTH_RANGE,	/* the law fits best, but all from low to high would do */
	GROWTH_CLEAR	/* no other would do: low and high are the law */
};

struct growth_point {
	double size;
	double cost;	/* mean of its activations */
	double weight;	/* how many they are */
};

struct growth {
	enum growth_verdict verdict;
	size_t points;	/* how many were used */
	/* The rest is 0 with GROWTH_FEW. */
	enum growth_law law, low, high;
	double a, b, c;	/* as above; of "1" b and c are 0 */
	double r2;	/* the share of the variance of the logarithms of costs that
			 * the law explains; 0 of "1" */
	double error;	/* typical relative deviation, by the root of the mean
			 * square, outliers and all: 0.05 is 5 % */
};

/*
 * Points in any order.  Those without weight, or whose size or cost is negative
 * or not finite, are not used.  *out is finite, whatever comes in.
 */
void growth_fit(const struct growth_point *p, size_t n, struct growth *out);

#endif
