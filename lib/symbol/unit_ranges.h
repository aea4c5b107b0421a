/* SPDX-License-Identifier: ISC */
/*
 * Which code is of which compilation unit.
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

/* Sorts them by address; of code that several units have, as where a linker folds equal
 * functions, all but the first unit's is left out. */
void unit_ranges_sort(struct unit_ranges *r);

/* Once they are sorted: the one that an address is in; NULL. */
const struct unit_range *unit_ranges_find(const struct unit_ranges *r, uint64_t addr);

void unit_ranges_free(struct unit_ranges *r);

#endif
