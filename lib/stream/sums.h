/* SPDX-License-Identifier: ISC */
/*
 * Sums by key: rows with a key of a few numbers and a few 128-bit sums each.
 * Rows are numbered in the order in which they were first met.
 */
#ifndef PROF_STREAM_SUMS_H
#define PROF_STREAM_SUMS_H

#include "util/diag.h"
#include "util/guess.h"
#include "util/num.h"

struct sums {
	size_t nkey, nval;
	num init;		/* what new sums are; 0 */
	size_t n;		/* rows */
	uint64_t *key;		/* n * nkey */
	num *val;		/* n * stride, of which nval are used */
	size_t stride;
	size_t capkey, capval;
	uint32_t *slot;		/* open-addressed: row + 1 */
	size_t size;
	struct guess guess;
};

void sums_init(struct sums *t, size_t nkey, size_t nval);
void sums_free(struct sums *t);

/* Forgets its rows, and frees what they took. */
void sums_clear(struct sums *t);

/* The row with this key, a new one if need be. */
size_t sums_row(struct sums *t, const uint64_t *key);

/* The same, and no new one: false if there is none. */
bool sums_find(const struct sums *t, const uint64_t *key, size_t *row);

/* More sums in each row, new ones. */
void sums_widen(struct sums *t, size_t nval);

static inline const uint64_t *
sums_key(const struct sums *t, size_t row)
{
	return t->key + row * t->nkey;
}

/* Valid until a row is added or rows are widened. */
static inline num *
sums_val(const struct sums *t, size_t row)
{
	return t->val + row * t->stride;
}

/*
 * Most sums of rows that have many are mere room: a line need not have all values.
 * So that a small file does not need much of it, such rows may have no more sums
 * than so many, and as many as follow from the values that were read.
 */
#define TABLE_WIDE 64		/* sums of a row, more than which are many */
#define TABLE_ROOM ((uint64_t)1 << 22)

static inline bool
sums_fits(uint64_t sums, uint64_t values)
{
	return sums <= TABLE_ROOM + 4 * values;
}

/* Says of so many events that they do not: -1 with the diag set. */
int sums_refuse(struct diag *d, size_t events);

#endif
