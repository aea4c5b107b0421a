/* SPDX-License-Identifier: ISC */
/*
 * Costs at addresses, which repeat in each part of a profile and in each profile of a
 * program: without attributes, their values plain.  They are summed as they come.
 *
 * Parts list addresses in the same order.  So each spot knows which one came after it
 * the last time: to try that one needs no search, and it can be fetched from memory
 * before it is needed.
 */
#ifndef PROF_SUM_MERGE_SPOTS_H
#define PROF_SUM_MERGE_SPOTS_H

#include "plain.h"
#include "stream/sums.h"

/* A function and a file, a line and an address, and what they cost. */
struct spot {
	uint64_t addr;		/* 0 if there is none */
	uint32_t line;		/* one more than it is; 0 if there is none */
	uint32_t block;
	uint32_t next;		/* that came after it + 1 */
	uint32_t known : 31;	/* so many columns, the first ones, are not absent */
	uint32_t at_addr : 1;
	uint64_t sum[];		/* by column: plus one, 0 if absent */
};

struct spots {
	struct sums block;	/* key: a function, a file */
	char *spot;		/* n of them, `size` bytes each */
	size_t n, cap, size;
	size_t ncol;
	struct hash_index index;	/* of spots */
	uint32_t at;		/* the last spot + 1; 0 if there is none */
	uint32_t block_at;	/* the block of those that follow */
	uint64_t nvalue;	/* values read from records */
	bool full;		/* a sum is too large for another one to be added */
};

void spots_init(struct spots *s);
void spots_free(struct spots *s);

/* The spots that follow are of this block, and have ncol columns, at most TABLE_WIDE. */
void spots_begin(struct spots *s, uint64_t func, uint64_t file, size_t ncol);

/* Adds a cost.  where: its addr, line and at_addr count.  None may be added once the
 * spots are full. */
void spots_add(struct spots *s, const struct spot *where, const struct plain *v);

static inline struct spot *
spots_at(const struct spots *s, size_t i)
{
	return (struct spot *)(void *)(s->spot + i * s->size);
}

/* The sums, ncol of them: ABSENT for those that the spot lacks. */
void spots_get(const struct spots *s, const struct spot *spot, num *val, size_t ncol);

#endif
