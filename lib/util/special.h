/* SPDX-License-Identifier: ISC */
/*
 * Statistical functions that libm lacks.  Numbers of equations are those of NIST's Digital
 * Library of Mathematical Functions, https://dlmf.nist.gov/.
 */
#ifndef PROF_UTIL_SPECIAL_H
#define PROF_UTIL_SPECIAL_H

/* The first and the second derivative of log gamma, for x > 0, to about 12 digits. */
double special_digamma(double x);
double special_trigamma(double x);

/* Returns the x > 0 at which the trigamma function is y > 0. */
double special_trigamma_inverse(double y);

/* Returns the probability that Student's t with `freedom` degrees of freedom, more than 0
 * and perhaps infinite, is above t. */
double special_t_above(double t, double freedom);

#endif
