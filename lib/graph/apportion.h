/* SPDX-License-Identifier: ISC */
/*
 * A number shared out by weights: shares are whole and add up.
 */
#ifndef PROF_GRAPH_APPORTION_H
#define PROF_GRAPH_APPORTION_H

#include "util/num.h"

/* Room that many calls use; all zero it is empty. */
struct apportion {
	struct apportion_rest *rest;
	size_t cap;
};

void apportion_free(struct apportion *s);

/*
 * part[i] is whole * weight[i] / all, rounded down, and one more for those with
 * the largest remainders, of equal ones for the first.  No weight is negative, and
 * `all`, their sum, is greater than 0.  Of a negative number the shares are those
 * of its absolute value, negated.  Exact for all of 128 bits.
 */
void apportion(struct apportion *s, num whole, const num *weight, num all, size_t n,
    num *part);

#endif
