/* SPDX-License-Identifier: ISC */
/*
 * The symbol of each address: stretches of addresses that do not overlap, made from
 * symbols.
 *
 * By size, each symbol has the code in its stated size; of several that claim the same
 * code, the one that begins last has it.  A symbol without a size, a label, has the code
 * that is left up to the next symbol.  The code between belongs to none.
 *
 * By gprof's rule (gprof/corefile.c, core_sym_class) some symbols are ignored, and each
 * other one reaches to the next.
 *
 * If several are at one address, both rules take the one that gprof takes.
 *
 * By order, later symbols replace earlier ones, for code that was generated where other
 * code had been.
 */
#ifndef PROF_SYMBOL_SYMBOL_RANGES_H
#define PROF_SYMBOL_SYMBOL_RANGES_H

#include <stddef.h>

#include "symbol/symbol.h"

struct stretch {
	uint64_t from, to;	/* [from, to) */
	uint32_t symbol;	/* its number */
};

struct symbol_ranges {
	struct stretch *v;	/* by address */
	size_t n, cap;
	uint32_t *page;		/* an index by address; NULL: there are few */
	size_t npage;
	unsigned shift;
};

/* Sorts symbols by address, as both rules need them; those at one address from the last to
 * the first choice. */
void symbol_ranges_sort(struct symbol *v, size_t n);

/* Fills an empty structure, and sets where each symbol ends. */
void symbol_ranges_by_size(struct symbol_ranges *c, struct symbol *v, size_t n);

/* By order: of several symbols with the same code, the last one in v has it.  One without a
 * size reaches to the next address. v is sorted by address afterwards. */
void symbol_ranges_by_order(struct symbol_ranges *c, struct symbol *v, size_t n);

/* After symbol_ranges_by_size(): the same by gprof's rule.  `sized`: none reaches beyond
 * its size, as other symbols may be missing. */
void symbol_ranges_as_gprof(struct symbol_ranges *c, const struct symbol *v, size_t n, bool sized);

void symbol_ranges_free(struct symbol_ranges *c);

/* Returns the stretch that an address is in; NULL: none. */
const struct stretch *symbol_ranges_find(const struct symbol_ranges *c, uint64_t addr);

/* Returns where the first stretch after an address begins; UINT64_MAX: there is none. */
uint64_t symbol_ranges_next(const struct symbol_ranges *c, uint64_t addr);

#endif
