/* SPDX-License-Identifier: ISC */
/*
 * Costs at addresses, which repeat in each part of a profile and in each profile of a
 * program: without attributes, their values plain.  They are summed as they come.
 *
 * Parts list addresses in the same order.  So each addr_cost knows which one came after it
 * the last time: to try that one needs no search, and it can be fetched from memory
 * before it is needed.
 */
#ifndef PROF_SUM_MERGE_ADDR_COSTS_H
#define PROF_SUM_MERGE_ADDR_COSTS_H

#include "plain_values.h"
#include "stream/sums.h"

/* A function and a file, a line and an address, and what they cost. */
struct addr_cost {
	uint64_t addr;		/* 0 if there is none */
	uint32_t line;		/* one more than it is; 0 if there is none */
	uint32_t block;
	uint32_t next;		/* that came after it + 1 */
	uint32_t known : 31;	/* so many columns, the first ones, are not absent */
	uint32_t at_addr : 1;
	uint64_t sum[];		/* by column: plus one, 0 if absent */
};

struct addr_costs {
	struct sums block;	/* key: a function, a file */
	char *addr_cost;		/* n of them, `size` bytes each */
	size_t n, cap, size;
	size_t ncol;
	struct hash_index index;	/* of addr_costs */
	uint32_t at;		/* the last addr_cost + 1; 0 if there is none */
	uint32_t block_at;	/* the block of those that follow */
	uint64_t nvalue;	/* values read from records */
	bool full;		/* a sum is too large for another one to be added */
};

void addr_costs_init(struct addr_costs *s);
void addr_costs_free(struct addr_costs *s);

/* The addr_costs that follow are of this block, and have ncol columns, at most TABLE_WIDE. */
void addr_costs_begin(struct addr_costs *s, uint64_t func, uint64_t file, size_t ncol);

/* Adds a cost.  where: its addr, line and at_addr count.  None may be added once the
 * addr_costs are full. */
void addr_costs_add(struct addr_costs *s, const struct addr_cost *where, const struct plain *v);

static inline struct addr_cost *
addr_costs_at(const struct addr_costs *s, size_t i)
{
	return (struct addr_cost *)(void *)(s->addr_cost + i * s->size);
}

/* The sums, ncol of them: ABSENT for those that the addr_cost lacks. */
void addr_costs_get(const struct addr_costs *s, const struct addr_cost *addr_cost,
    num *val, size_t ncol);

#endif
