/* SPDX-License-Identifier: ISC */
/*
 * The address to which an object was loaded, computed from the functions whose addresses
 * the profile has and whose place in the executable is known: the distance in whole pages
 * at which most of them are in their place.
 */
#ifndef PROF_SYMBOL_LOAD_BIAS_H
#define PROF_SYMBOL_LOAD_BIAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOAD_PAGE 4096		/* the smallest page of any system */

struct load_span {		/* a function: */
	uint64_t least, most;	/* its addresses in the profile, */
	uint64_t addr, end;	/* and its range in the executable: [addr, end) */
};

struct load_bias {
	uint64_t bias;		/* to subtract from an address of the profile, modulo
				 * 2^64 */
	size_t n;		/* number of functions in their place */
	bool one;		/* false: other distances have as many */
};

/* If several distances fit as many functions, `one` is false. v: n functions. */
struct load_bias load_bias_find(const struct load_span *v, size_t n);

/* Returns how many functions fit at this distance. */
size_t load_bias_count(const struct load_span *v, size_t n, uint64_t bias);

#endif
