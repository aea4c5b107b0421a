/* SPDX-License-Identifier: ISC */
/*
 * Sums by key: rows, each with a key of a few numbers and a few 128-bit sums.
 * Rows are numbered in the order in which their keys first came.
 */
#ifndef PROF_STREAM_SUMS_H
#define PROF_STREAM_SUMS_H

#include "util/diag.h"
#include "util/index.h"
#include "util/num.h"

struct sums {
	size_t nkey, nval;
	num init;		/* of new sums; 0 by default */
	size_t n;		/* rows */
	uint64_t *key;		/* n * nkey */
	num *val;		/* n * stride; the first nval of each row are used */
	size_t stride;
	size_t capkey, capval;
	struct hash_index index;	/* of rows, by key */
	uint32_t *next;		/* by row + 1, 0 before all: the row + 1 that was looked up
				 * after it, since profiles list the same things in the same
				 * order */
	size_t capnext;
	uint32_t last;		/* the row + 1 that was looked up last */
};

void sums_init(struct sums *t, size_t nkey, size_t nval);
void sums_free(struct sums *t);

/* Removes all rows and frees their memory. */
void sums_clear(struct sums *t);

/* Removes all rows; keeps the memory for others unless these needed little of it. */
void sums_empty(struct sums *t);

/* Returns the row with this key, which is added if it is new. */
size_t sums_row(struct sums *t, const uint64_t *key);

/* Adds a row with this key, for an owner that finds all rows by other means: sums_row() and
 * sums_find() must not be used. */
size_t sums_add_row(struct sums *t, const uint64_t *key);

/* The same as sums_row() without adding one: false if there is none. */
bool sums_find(const struct sums *t, const uint64_t *key, size_t *row);

/* Widens each row to nval sums; the new ones are `init`. */
void sums_widen(struct sums *t, size_t nval);

static inline const uint64_t *
sums_key(const struct sums *t, size_t row)
{
	return t->key + row * t->nkey;
}

/* Returns a row's sums, valid until a row is added or rows are widened. */
static inline num *
sums_val(const struct sums *t, size_t row)
{
	return t->val + row * t->stride;
}

/* Adds v to *sum; an empty sum is `init`, 0 or NUM_MIN.  0, or -1 if it does not fit. */
static inline int
sums_add(num *sum, num v, num init)
{
	if (!init)
		return num_add(sum, v);
	if (*sum == init)
		*sum = v;
	else if (num_add(sum, v) < 0)
		return -1;
	return *sum == init ? -1 : 0;
}

/* Adds a negative value to *below. */
void sums_see_below(unsigned __int128 *below, num v);
/* Adds the values of a column to an extent. */
void sums_see(const struct sums *t, size_t column, struct num_extent *rows);
/* Do all values that were added to such rows fit in any order? below: the sum of the
 * negative ones. */
bool sums_fit_in_any_order(struct num_extent rows, unsigned __int128 below);

/* The values of a record, of which the first n are added to sums. */
struct sums_run {
	struct text values;
	size_t n;
	num init;		/* as in sums_add() */
	unsigned __int128 *below;	/* by sum: its negative part, as in num_see(); NULL:
					 * not needed */
	size_t found, absent;	/* set: how many values were read, and how many of these are
				 * "-" */
};

enum sums_order { SUMS_IN_ORDER, SUMS_BY_COLUMN };

/* The loop that sums_add_run() and sums_add_columns() share.  It runs for each line, so it
 * is always inline, which gives each the loop it needs, and makes no call for numbers of up
 * to 19 digits. */
static inline __attribute__((always_inline)) int
sums_add_each(struct sums_run *run, enum sums_order order, const long *column,
    num *sum, num *also)
{
	const char *p = run->values.n ? run->values.s : "", *end = p + run->values.n;
	size_t i;

	run->absent = 0;
	for (i = 0; i < run->n && p < end; i++) {
		const char *start = p;
		uint64_t digits = 0, c;
		long to;
		num v;

		while (p < end && (c = (uint64_t)(unsigned char)*p - '0') < 10) {
			digits = digits * 10 + c;
			p++;
		}
		v = digits;
		if (__builtin_expect(p == start || p - start > 19, 0)) {
			while (p < end && *p != ' ' && *p != '\t')
				p++;
			if (p - start == 1) {
				run->absent++;
				p += p < end;
				continue;
			}
			if (num_get_num(start, (size_t)(p - start), &v) < 0)
				return -1;
		}
		p += p < end;
		to = order == SUMS_BY_COLUMN ? column[i] : (long)i;
		if (to < 0)
			continue;
		if (__builtin_expect(v < 0, 0) && run->below)
			sums_see_below(&run->below[to], v);
		if (sums_add(&sum[to], v, run->init) < 0 ||
		    (also && sums_add(&also[to], v, run->init) < 0))
			return -1;
	}
	run->found = i;
	return 0;
}

/* Adds the values that are present, the i-th to sum[i].  0, or -1 if a sum does
 * not fit. */
static inline int
sums_add_run(struct sums_run *run, num *sum)
{
	return sums_add_each(run, SUMS_IN_ORDER, NULL, sum, NULL);
}

/* The same, but adds the i-th to sum[column[i]], or nowhere if that is negative. also:
 * NULL, or further sums, to which the same is added. */
static inline __attribute__((always_inline)) int
sums_add_columns(struct sums_run *run, const long *column, num *sum, num *also)
{
	return sums_add_each(run, SUMS_BY_COLUMN, column, sum, also);
}

/*
 * A line need not have all values, so most sums of wide rows may be unused.  To keep a
 * small file from taking much memory, wide rows may have only a fixed number of sums, and
 * for each value other than 0 that was read as many as a row that is not wide.
 */
#define TABLE_WIDE 64		/* sums of a row, more than which are many */
#define EVENT_SUMS 64		/* sums that take as much as an event, in what keeps it */
#define TABLE_ROOM ((uint64_t)3 << 20)

static inline bool
sums_fits(uint64_t sums, uint64_t values)
{
	return sums <= TABLE_ROOM + TABLE_WIDE * values;
}

/* Returns how many values differ from 0 and are present. */
uint64_t sums_count(struct text values);

/* Returns how many values an addition counts there: in wide rows those other than 0, in
 * narrow ones, which zeros cannot make much larger, all. */
static inline uint64_t
sums_counted(const struct sums_run *run)
{
	return run->n > TABLE_WIDE ? sums_count(run->values) : run->found;
}

/* The error of too many sums for this number of events: -1 with the diag set. */
int sums_refuse(struct diag *d, size_t events);

#endif
