/* SPDX-License-Identifier: ISC */
/*
 * Where an object was loaded, from the functions whose addresses a profile has and whose
 * place in the executable is known: the distance by whole pages at which most of them
 * are where they should be.
 */
#ifndef PROF_SYMBOL_LOAD_BIAS_H
#define PROF_SYMBOL_LOAD_BIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOAD_PAGE 4096		/* the smallest that systems load by */

struct load_span {		/* a function: */
	uint64_t least, most;	/* its addresses in the profile, */
	uint64_t addr, end;	/* and itself in the executable: [addr, end) */
};

struct load_bias {
	uint64_t bias;		/* what to take off an address of the profile, modulo 2^64 */
	size_t n;		/* of the functions, so many are in their place */
	bool one;		/* false: at other distances as many are */
};

/* No distance is preferred to others at which as many fit.  v: n of them. */
struct load_bias load_bias_find(const struct load_span *v, size_t n);

/* How many fit at this distance. */
size_t load_bias_count(const struct load_span *v, size_t n, uint64_t bias);

#endif
