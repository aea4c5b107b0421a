/* SPDX-License-Identifier: ISC */
/*
 * Which code is whose: of symbols, stretches of addresses that do not overlap.
 *
 * By size, each symbol has the code that it says is its own; of several that do, the one
 * that begins last.  One that does not say, a label, has what is left up to the next
 * symbol.  What is between is nobody's.
 *
 * By gprof's rule (gprof/corefile.c, core_sym_class) some symbols are passed over, and
 * each other one reaches to the next.
 *
 * Of several at one address it is the one that gprof takes, by both.
 *
 * By order, what came later counts, for code that was made where other code had been.
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
	uint32_t *page;		/* to find one quickly; NULL: there are few */
	size_t npage;
	unsigned shift;
};

/* By address, as both rules need them; those at one address from the last to the first
 * choice. */
void symbol_ranges_sort(struct symbol *v, size_t n);

/* Fills an empty cover, and sets where each symbol ends. */
void symbol_ranges_by_size(struct symbol_ranges *c, struct symbol *v, size_t n);

/* By order, for what was told one after the other: of several that have the code, the one
 * that came last.  One without a size reaches to the next address,
 * the last one for some pages.  v is in the order of
 * coming, and is sorted by address. */
void symbol_ranges_by_order(struct symbol_ranges *c, struct symbol *v, size_t n);

/* The same as symbol_ranges_by_size(), after that, by gprof's rule.  `sized`: none reaches further
 * than it says, as others may be missing. */
void symbol_ranges_as_gprof(struct symbol_ranges *c, const struct symbol *v, size_t n, bool sized);

void symbol_ranges_free(struct symbol_ranges *c);

/* The stretch that an address is in; NULL. */
const struct stretch *symbol_ranges_find(const struct symbol_ranges *c, uint64_t addr);

/* Where the first one after an address begins; UINT64_MAX. */
uint64_t symbol_ranges_next(const struct symbol_ranges *c, uint64_t addr);

#endif
