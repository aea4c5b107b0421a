/* SPDX-License-Identifier: ISC */
/*
 * Costs at addresses, without attributes and with plain values.  Addresses repeat in each
 * part of a profile and in each profile of a program, so costs are summed as they come.
 *
 * Parts list addresses in the same order.  So each entry has the one that came after it the
 * last time: trying that needs no search, and it can be prefetched.
 */
#ifndef PROF_SUM_MERGE_ADDR_COSTS_H
#define PROF_SUM_MERGE_ADDR_COSTS_H

#include "plain_values.h"
#include "stream/sums.h"

/* A function and a file, a line and an address, and their cost. */
struct addr_cost {
	uint64_t addr;		/* 0 if there is none */
	uint32_t line;		/* stored plus 1; 0 if there is none */
	uint32_t block;
	uint32_t next;		/* the one that came after it + 1 */
	uint32_t known : 31;	/* so many columns, the first ones, are not absent */
	uint32_t at_addr : 1;
	uint64_t sum[];		/* by column: plus one, 0 if absent */
};

struct addr_costs {
	struct sums block;	/* keys: a function and a file */
	char *addr_cost;		/* n of them, `size` bytes each */
	size_t n, cap, size;
	size_t ncol;
	struct hash_index index;	/* of addr_costs */
	uint32_t at;		/* the last entry + 1; 0 if there is none */
	uint32_t block_at;	/* the block of the costs that follow */
	uint64_t nvalue;	/* values read from records */
	bool full;		/* a sum is too large for further additions */
};

void addr_costs_init(struct addr_costs *s);
void addr_costs_free(struct addr_costs *s);

/* Begins costs of this block, with ncol columns each, at most TABLE_WIDE. */
void addr_costs_begin(struct addr_costs *s, uint64_t func, uint64_t file, size_t ncol);

/* Adds a cost; in `where` only addr, line and at_addr are used.  None may be added once
 * `full` is set. */
void addr_costs_add(struct addr_costs *s, const struct addr_cost *where, const struct plain *v);

static inline struct addr_cost *
addr_costs_at(const struct addr_costs *s, size_t i)
{
	return (struct addr_cost *)(void *)(s->addr_cost + i * s->size);
}

/* Sets val to the sums, ncol of them: NUM_ABSENT for those that are missing. */
void addr_costs_get(const struct addr_costs *s, const struct addr_cost *addr_cost,
    num *val, size_t ncol);

#endif
