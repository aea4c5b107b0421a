/* SPDX-License-Identifier: ISC */
/*
 * Costs at lines, which are most of what there is to sum: without addresses and
 * attributes, none negative, in 63 bits.  They are added to the end as they come,
 * function by function, and sorted and summed when many may be there twice: so a cost
 * among millions is no search in a table, and takes few bytes.
 *
 * A row is its line, then its values plus one, 0 for one that is absent; each in
 * as many groups of seven bits as it needs, the low ones first.  Where there are many
 * columns, how many values follow stands before them, and how many columns it has:
 * those between are 0.
 */
#ifndef PROF_SUM_MERGE_COMPACT_H
#define PROF_SUM_MERGE_COMPACT_H

#include "stream/sums.h"
#include "util/num.h"

#define ABSENT NUM_MIN		/* among sums */
#define COMPACT_NO_LINE 0	/* lines are one more than they are */

/* Lines of one block, a function and a file, that came together. */
struct chunk {
	size_t from, n;		/* of the rows: their place in bytes, their number */
	uint32_t block;
	uint32_t last;		/* line */
	uint32_t ncol : 31;	/* columns of a row; what follows is absent */
	uint32_t sorted : 1;	/* each line is greater than the one before */
};

struct compact {
	struct sums block;	/* key: a function, a file */
	struct chunk *v;
	size_t n, cap;
	unsigned char *byte;
	size_t nbyte, capbyte, nrow;
	uint64_t nvalue;	/* that records had */
	size_t again;		/* rows whose line may be there already */
	bool seen;		/* the last chunk's block was there before */
	uint64_t *val;		/* scratch: a row whose values come in another order */
	size_t capval;
};

void compact_init(struct compact *c);
void compact_free(struct compact *c);

/* What follows is of this block, and has so many values. */
void compact_begin(struct compact *c, uint64_t func, uint64_t file, size_t ncol);

/*
 * A row of it: n values as a record has them, of which the i-th is column[i]; NULL:
 * i.  They are added to self, one for each.  False, and nothing is done, if one is
 * negative, absent or too large, or if there are many in another order.
 */
bool compact_add(struct compact *c, uint32_t line, struct text values, size_t n,
    const long *column, num *self);

/* Rows in order, block by block, while none is added. */
struct compact_row {
	uint32_t line, ncol;
	const unsigned char *val, *end;	/* with their numbers, where columns are many */
};

struct compact_reader {
	const struct compact *c;
	size_t *first, *next;	/* chunk + 1 of a block; the one behind a chunk */
	struct compact_row *row, *other;	/* of the block at hand */
	size_t n, cap, capother, at;
	size_t used;		/* sums of the last line that may not be 0 */
};

void compact_read(struct compact_reader *r, const struct compact *c);
void compact_read_end(struct compact_reader *r);

/* This block will be next soon: its rows may lie anywhere. */
void compact_ahead(const struct compact_reader *r, size_t block);

/* This block, by its row in c->block, is next. */
void compact_open(struct compact_reader *r, size_t block);

/* Its next line, and the sums of its values, ncol of them, at least as many as were
 * added: ABSENT for those that no row has, 0 from r->used on.  val is 0 before the
 * first line, and nobody else's until the last.  False behind that. */
bool compact_next(struct compact_reader *r, uint32_t *line, num *val, size_t ncol);

/* Takes a number off: it is whole, as all that was added. */
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
