/* SPDX-License-Identifier: ISC */
/*
 * The compilation unit of each address.
 */
#ifndef PROF_SYMBOL_UNIT_RANGES_H
#define PROF_SYMBOL_UNIT_RANGES_H

#include <stddef.h>
#include <stdint.h>

struct unit_range {
	uint64_t from, to;	/* addresses [from, to) */
	uint64_t unit;		/* its offset in .debug_info */
};

/* All zeros: empty. */
struct unit_ranges {
	struct unit_range *v;
	size_t n, cap;
};

void unit_ranges_add(struct unit_ranges *r, struct unit_range x);

/* Sorts ranges by address.  If several units have the same code, such as functions folded
 * by the linker, only the first unit's is kept. */
void unit_ranges_sort(struct unit_ranges *r);

/* After that: returns the range that an address is in; NULL: none. */
const struct unit_range *unit_ranges_find(const struct unit_ranges *r, uint64_t addr);

void unit_ranges_free(struct unit_ranges *r);

#endif
