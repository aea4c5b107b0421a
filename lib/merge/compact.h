/* SPDX-License-Identifier: ISC */
/*
 * Costs at lines, which are most of what there is to sum: without addresses and
 * attributes, none negative, in 63 bits.  They are added to the end as they come,
 * function by function, and sorted and summed when there are many: so a cost
 * among millions is no search in a table, and takes few bytes.
 *
 * A row is its line, then its values plus one, 0 for one that is absent; each in
 * as many groups of seven bits as it needs, the low ones first.
 */
#ifndef PROF_MERGE_COMPACT_H
#define PROF_MERGE_COMPACT_H

#include "num.h"
#include "table.h"

#define COMPACT_NO_LINE UINT32_MAX	/* the largest line is less */

/* Lines of one block, a function and a file, that came together. */
struct chunk {
	uint32_t block;
	bool sorted;		/* each line is greater than the one before */
	uint32_t last;		/* line */
	size_t ncol;		/* values of a row; what follows is absent */
	size_t from, bytes, n;	/* of the rows; their number */
};

struct chunks {
	struct chunk *v;
	size_t n, cap;
	unsigned char *byte;
	size_t nbyte, capbyte, nrow;
};

struct compact {
	struct table block;	/* key: a function, a file */
	struct chunks done;	/* a chunk for each block, by its number */
	struct chunks fresh;	/* since then */
	/* Rows whose sums do not fit: their block, line, values plus one, ncol of
	 * them. */
	void (*large)(void *arg, const uint64_t *block, uint32_t line,
	    const uint64_t *val, size_t ncol);
	void *arg;
};

void compact_init(struct compact *c);
void compact_free(struct compact *c);

/* What follows is of this block, and has so many values. */
void compact_begin(struct compact *c, uint64_t func, uint64_t file, size_t ncol);

/*
 * A row of it: n values as a record has them, of which the i-th is column[i]; NULL:
 * i.  They are added to self, one for each.  False, and nothing is done, if one is
 * negative, absent or too large.
 */
bool compact_add(struct compact *c, uint32_t line, struct text values, size_t n,
    const size_t *column, num *self);

/* Sorts and sums all: c->done. */
void compact_settle(struct compact *c);

/* Takes a number off; what is in `done` is whole. */
static inline uint64_t
compact_get(const unsigned char **p)
{
	uint64_t v = *(*p)++;
	unsigned shift = 7;

	if (__builtin_expect(v < 0x80, 1))
		return v;
	v &= 0x7f;
	for (; **p >= 0x80; shift += 7)
		v |= (uint64_t)(*(*p)++ & 0x7f) << shift;
	return v | (uint64_t)*(*p)++ << shift;
}

#endif
