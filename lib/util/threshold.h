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

/* Parses "100", "0.5", "0.5%": false if it is neither, or has more than six decimals. */
bool threshold_get(struct text t, struct threshold *out);

/* Parses a percentage, with or without the sign: "1%", "1". */
bool threshold_get_share(struct text t, struct threshold *out);

/* Converts the threshold to values of which `per` are one unit; a number larger than any
 * value stays unchanged. */
struct threshold threshold_of_parts(struct threshold a, uint64_t per);

/* Compares v with the threshold; a percentage is relative to `of`.  Returns <0 below it, 0
 * at it, >0 above it. */
int threshold_cmp(num v, struct threshold a, num of);

#endif
