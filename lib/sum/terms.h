/* SPDX-License-Identifier: ISC */
/* A formula over the sums of a ranking: sums by their slots, times whole coefficients. */
#ifndef PROF_SUM_TERMS_H
#define PROF_SUM_TERMS_H

#include "util/num.h"

/* All zeros: none. */
struct terms {
	size_t n, cap;
	struct term {
		size_t slot;
		num coef;
	} *v;
};

/* Adds a term; one with the coefficient 0 is none. */
void terms_add(struct terms *t, size_t slot, num coef);
void terms_free(struct terms *t);

/* Sets *out to the formula of these sums, by slot: 0, or -1 if it does not fit 128 bits. */
int terms_sum(const struct terms *t, const num *sums, num *out);

#endif
