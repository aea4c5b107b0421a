/* SPDX-License-Identifier: ISC */
/*
 * How much something must be: a number, or a share of a total.
 */
#ifndef PROF_AMOUNT_H
#define PROF_AMOUNT_H

#include "util/buf.h"
#include "util/num.h"

/* A number, or a percentage in millionths of a percent. */
struct amount {
	num n;
	bool percent;
};

/* "100", "0.5%": false if it is neither, or a number with a fraction. */
bool amount_get(struct text t, struct amount *out);

/* "1%", "1": a percentage with the sign or without. */
bool amount_get_share(struct text t, struct amount *out);

/* Is v less than this, of `of`, as much, or more: below 0, 0, above 0. */
int amount_cmp(num v, struct amount a, num of);

#endif
