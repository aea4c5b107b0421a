/* SPDX-License-Identifier: ISC */
/*
 * Divides a number by weights into whole shares that add up to it.
 */
#ifndef PROF_GRAPH_APPORTION_H
#define PROF_GRAPH_APPORTION_H

#include "util/num.h"

/* Memory reused from call to call; empty if zeroed. */
struct apportion {
	struct apportion_rest *rest;
	size_t cap;
};

void apportion_free(struct apportion *s);

/*
 * Sets part[i] to whole * weight[i] / all, rounded down, and adds one to those with
 * the largest remainders; of equal remainders, to the first.  No weight may be
 * negative, and `all`, their sum, must be positive.  A negative number is divided like
 * its absolute value, and the shares negated.  Exact for all 128-bit numbers.
 */
void apportion(struct apportion *s, num whole, const num *weight, num all, size_t n,
    num *part);

#endif
