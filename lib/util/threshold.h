/* SPDX-License-Identifier: ISC */
/*
 * Thresholds: a number, or a share of a total.
 */
#ifndef PROF_UTIL_THRESHOLD_H
#define PROF_UTIL_THRESHOLD_H

#include "util/buf.h"
#include "util/num.h"

/* A number in millionths, or a percentage in millionths of a percent. */
struct threshold {
	num n;
	bool percent;
};

/* "100", "0.5", "0.5%": false if it is neither, or has more than six decimals. */
bool threshold_get(struct text t, struct threshold *out);

/* "1%", "1": a percentage, with or without the sign. */
bool threshold_get_share(struct text t, struct threshold *out);

/* The same threshold for values of which `per` are one; a number that is larger than any
 * value stays that. */
struct threshold threshold_of_parts(struct threshold a, uint64_t per);

/* Compares v with the threshold; a percentage is of `of`.  Below it <0, equal 0, above
 * it >0. */
int threshold_cmp(num v, struct threshold a, num of);

#endif
