/* SPDX-License-Identifier: ISC */
#include "util/special.h"

#include <math.h>

#define LARGE 10.0		/* from here on the asymptotic series are exact enough */

/* Equation 5.5.2 up to where 5.11.2 holds. */
double
special_digamma(double x)
{
	double less = 0, s;

	for (; x < LARGE; x++)
		less += 1 / x;
	s = 1 / (x * x);
	return log(x) - 1 / (2 * x) - s * (1.0 / 12 - s * (1.0 / 120 - s * (1.0 / 252 -
	    s * (1.0 / 240 - s / 132)))) - less;
}

/* The derivatives of the equations of special_digamma(). */
double
special_trigamma(double x)
{
	double more = 0, s;

	for (; x < LARGE; x++)
		more += 1 / (x * x);
	s = 1 / (x * x);
	return more + 1 / x + s / 2 + s / x * (1.0 / 6 - s * (1.0 / 30 - s * (1.0 / 42 -
	    s * (1.0 / 30 - s * 5 / 66))));
}

/* Newton's method on 1 / trigamma, which is nearly a line: it converges from below. */
double
special_trigamma_inverse(double y)
{
	double x = 0.5 + 1 / y, tri, h, step;
	int i;

	if (y > 1e7)
		return 1 / sqrt(y);
	if (y < 1e-6)
		return 1 / y;
	for (i = 0; i < 50; i++) {
		tri = special_trigamma(x);
		h = x * 1e-5;
		step = tri * (1 - tri / y) /
		    ((special_trigamma(x + h) - special_trigamma(x - h)) / (2 * h));
		x += step;
		if (fabs(step) < 1e-9 * x)
			break;
	}
	return x;
}

/* The continued fraction of the incomplete beta function, equation 8.17.22, by Lentz's
 * method. */
static double
beta_fraction(double a, double b, double x)
{
	const double least = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f, m, term;

	d = 1 / (fabs(d) < least ? least : d);
	f = d;
	for (m = 1; m < 500; m++) {
		term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		d = 1 + term * d;
		c = 1 + term / c;
		d = 1 / (fabs(d) < least ? least : d);
		f *= d * c;
		term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		d = 1 + term * d;
		c = 1 + term / c;
		d = 1 / (fabs(d) < least ? least : d);
		f *= d * c;
		if (fabs(d * c - 1) < 1e-14)
			break;
	}
	return f;
}

/* Equations 8.17.1 and 8.17.4, to be where the fraction converges fast. */
static double
incomplete_beta(double a, double b, double x)
{
	const double front = x <= 0 || x >= 1 ? 0 : exp(lgamma(a + b) - lgamma(a) -
	    lgamma(b) + a * log(x) + b * log1p(-x));

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a :
	    1 - front * beta_fraction(b, a, 1 - x) / b;
}

double
special_t_above(double t, double freedom)
{
	double half;

	if (isinf(t))
		return t > 0 ? 0 : 1;
	if (freedom > 1e8)	/* the normal distribution, to all digits that matter */
		return erfc(t / sqrt(2)) / 2;
	half = incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
	return t > 0 ? half : 1 - half;
}
