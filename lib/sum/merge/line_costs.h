/* SPDX-License-Identifier: ISC */
/*
 * Costs at lines, without addresses and attributes, and with plain values: most of the
 * input.  They are appended as they come, function by function, and sorted and summed when
 * many may be duplicates.  So a cost among millions needs no search in a table, and takes
 * few bytes.
 *
 * A row is the distance of its line from that of the row before, then a bit for each column
 * whose value is not 0, then these values; each number in as many groups of seven bits as it
 * needs, the low ones first.  If there are more than TABLE_WIDE columns, the number of values
 * that follow comes instead, then the number of columns, then the values plus one, 0 if
 * absent: the other values are 0.
 */
#ifndef PROF_SUM_MERGE_LINE_COSTS_H
#define PROF_SUM_MERGE_LINE_COSTS_H

#include "plain_values.h"
#include "stream/sums.h"
#include "util/num.h"

#define COMPACT_NO_LINE 0	/* a line is stored plus 1 */

/* Lines of one block, a function and a file, that came together. */
struct chunk {
	size_t from, n;		/* of the rows: the offset in `byte`, the number */
	uint32_t block;
	uint32_t last;		/* line */
	uint32_t ncol : 31;	/* columns of a row; later ones are absent */
	uint32_t sorted : 1;	/* each line is greater than the one before */
	uint64_t known;		/* of few columns, those that are 0 in rows without their bit;
				 * the others are absent there */
};

struct line_costs {
	struct sums block;	/* keys: a function and a file */
	struct chunk *v;
	size_t n, cap;
	unsigned char *byte;
	size_t nbyte, capbyte, nrow;
	uint64_t nvalue;	/* values read from records */
	size_t again;		/* rows that may repeat a line */
	bool seen;		/* the last chunk's block occurred before */
	uint64_t *val;		/* scratch: a row whose values came in another order, or of
				 * sums */
	size_t capval;
};

void line_costs_init(struct line_costs *c);
void line_costs_free(struct line_costs *c);

/* Begins rows of this block, with ncol columns each; known: of few columns, those that rows
 * have values of. */
void line_costs_begin(struct line_costs *c, uint64_t func, uint64_t file, size_t ncol,
    uint64_t known);

/* Adds a row.  False, with nothing done, if it has many columns in another order. */
bool line_costs_add(struct line_costs *c, uint32_t line, const struct plain *v);

/* Reads rows in order, block by block; none may be added while it does. */
struct line_cost {
	uint32_t line, ncol;
	uint64_t known;
	const unsigned char *val;	/* what comes after the line */
};

/* The next row of a chunk. */
struct line_cursor {
	const struct chunk *chunk;
	size_t left;		/* rows, with this one */
	struct line_cost row;
};

#define LINE_CURSORS 8		/* more chunks are sorted instead of zipped */

struct line_costs_reader {
	const struct line_costs *c;
	size_t *first, *next;	/* chunk + 1: the first of a block, the one after a chunk */
	struct line_cursor cursor[LINE_CURSORS];	/* of the current block's chunks, if
				 * they are few and sorted; otherwise: */
	size_t ncursor;
	struct line_cost *row, *other;	/* its rows; scratch */
	size_t n, cap, capother, at;
	size_t *place, capplace;	/* scratch: by line, where its next row goes */
	size_t ncol;
	num *val;		/* the sums of the last line, NUM_ABSENT for those that no row
				 * has; */
	uint64_t nonzero;	/* of few columns, those that are not 0, or */
	size_t used;		/* of many, the number of the first ones that may be */
};

/* ncol: columns of the sums, at least as many as were added. */
void line_costs_read(struct line_costs_reader *r, const struct line_costs *c, size_t ncol);
void line_costs_read_end(struct line_costs_reader *r);

/* Prefetches a block that will be opened soon: its rows may be anywhere in memory. */
void line_costs_ahead(const struct line_costs_reader *r, size_t block);

/* Goes to this block, a row of c->block. */
void line_costs_open(struct line_costs_reader *r, size_t block);

/* Reads the next line and the sums of its values.  Returns false after the last line. */
bool line_costs_next(struct line_costs_reader *r, uint32_t *line);

/* The bits of the first n columns, at most TABLE_WIDE. */
static inline uint64_t
line_costs_first(size_t n)
{
	return n >= TABLE_WIDE ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

/* Takes off a number, which is complete, since line_costs_add() wrote it. */
static inline uint64_t
line_costs_get(const unsigned char **p)
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
