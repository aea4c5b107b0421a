/* SPDX-License-Identifier: ISC */
#include "stream/sums.h"

#include <stdlib.h>

#include "stream/record.h"
#include "util/hash.h"
#include "util/mem.h"

void
sums_init(struct sums *t, size_t nkey, size_t nval)
{
	*t = (struct sums){ .nkey = nkey, .nval = nval, .stride = nval };
}

void
sums_free(struct sums *t)
{
	free(t->key);
	free(t->val);
	index_free(&t->index);
	free(t->next);
	*t = (struct sums){ 0 };
}

void
sums_clear(struct sums *t)
{
	const num init = t->init;
	const size_t nkey = t->nkey, nval = t->nval;

	sums_free(t);
	sums_init(t, nkey, nval);
	t->init = init;
}

void
sums_empty(struct sums *t)
{
	if (t->n < t->index.size / 16) {
		sums_clear(t);
		return;
	}
	index_clear(&t->index);
	if (t->n)
		memset(t->next, 0, (t->n + 1) * sizeof *t->next);
	t->n = t->last = 0;
}

/* Keys are a few numbers: comparing them costs less than a call of memcmp(). */
static inline bool
is_row(const struct sums *t, size_t row, const uint64_t *key)
{
	const uint64_t *have = sums_key(t, row);
	uint64_t differ = 0;
	size_t i;

	for (i = 0; i < t->nkey; i++)
		differ |= have[i] ^ key[i];
	return !differ;
}

static uint32_t
hash_key(const struct sums *t, const uint64_t *key)
{
	uint64_t h = 0;
	size_t i;

	for (i = 0; i < t->nkey; i++)
		h = hash_number(h, key[i]);
	return hash_upper(h);
}

static void
grow(struct sums *t)
{
	uint32_t row;

	if (index_grows(&t->index))
		for (row = 0; row < t->n; row++)
			index_put(&t->index, hash_key(t, sums_key(t, row)), row);
	t->next = mem_reach(t->next, &t->capnext, index_room(&t->index), sizeof *t->next, 0);
}

/* Returns the number + 1 of the row with this key; 0: there is none. */
static inline uint32_t
find(const struct sums *t, const uint64_t *key, uint32_t h)
{
	size_t i = h;
	uint32_t row1;

	while ((row1 = index_next(&t->index, h, &i)))
		if (is_row(t, row1 - 1, key))
			return row1;
	return 0;
}

size_t
sums_add_row(struct sums *t, const uint64_t *key)
{
	size_t k;

	if (t->n >= UINT32_MAX - 1)
		mem_fail(0);
	t->key = mem_grow(t->key, &t->capkey, (t->n + 1) * t->nkey, sizeof *t->key);
	t->val = mem_grow(t->val, &t->capval, (t->n + 1) * t->stride, sizeof *t->val);
	memcpy(t->key + t->n * t->nkey, key, t->nkey * sizeof *key);
	for (k = 0; k < t->nval; k++)
		t->val[t->n * t->stride + k] = t->init;
	return t->n++;
}

/* The same as find(), but adds the row if it is new. */
static uint32_t
search(struct sums *t, const uint64_t *key)
{
	const uint32_t h = hash_key(t, key), row1 = find(t, key, h);

	if (row1)
		return row1;
	if (t->n >= index_room(&t->index))
		grow(t);
	index_put(&t->index, h, (uint32_t)t->n);
	return (uint32_t)sums_add_row(t, key) + 1;
}

size_t
sums_row(struct sums *t, const uint64_t *key)
{
	uint32_t next = t->n ? t->next[t->last] : 0, after;

	if (!next || !is_row(t, next - 1, key)) {
		next = search(t, key);
		t->next[t->last] = next;
	}
	t->last = next;
	if ((after = t->next[next])) {
		__builtin_prefetch(sums_key(t, after - 1));
		__builtin_prefetch(sums_val(t, after - 1), 1);
	}
	return next - 1;
}

bool
sums_find(const struct sums *t, const uint64_t *key, size_t *row)
{
	const uint32_t row1 = find(t, key, hash_key(t, key));

	*row = row1 - 1;
	return row1;
}

/* Moves the rows apart, the last one first. */
static void
set_stride(struct sums *t, size_t stride)
{
	size_t row;

	t->val = mem_grow(t->val, &t->capval, t->n * stride, sizeof *t->val);
	for (row = t->n; row-- > 1 && t->nval; )
		memmove(t->val + row * stride, sums_val(t, row),
		    t->nval * sizeof *t->val);
	t->stride = stride;
}

void
sums_widen(struct sums *t, size_t nval)
{
	size_t row, k;

	if (nval <= t->nval)
		return;
	if (nval > t->stride)
		set_stride(t, nval <= TABLE_WIDE || !t->n ? nval : nval + nval / 2);
	for (row = 0; row < t->n; row++)
		for (k = t->nval; k < nval; k++)
			sums_val(t, row)[k] = t->init;
	t->nval = nval;
}

void
sums_see_below(unsigned __int128 *below, num v)
{
	struct num_extent e = { 0, *below };

	num_see(&e, v);
	*below = e.below;
}

void
sums_see(const struct sums *t, size_t column, struct num_extent *rows)
{
	size_t row;

	for (row = 0; row < t->n; row++)
		if (!t->init || sums_val(t, row)[column] != t->init)
			num_see(rows, sums_val(t, row)[column]);
}

/* The positive values add up to the rows' sum plus `below`. */
bool
sums_fit_in_any_order(struct num_extent rows, unsigned __int128 below)
{
	if (!below)
		return true;
	if (__builtin_add_overflow(rows.above, below - rows.below, &rows.above))
		return false;
	rows.below = below;
	return num_fits(&rows);
}

uint64_t
sums_count(struct text values)
{
	const struct text zero = TEXT("0"), absent = TEXT("-");
	struct text v;
	uint64_t n = 0;

	while (values_next(&values, &v))
		n += !text_eq(v, zero) && !text_eq(v, absent);
	return n;
}

int
sums_refuse(struct diag *d, size_t events)
{
	return diag_fail_plain(d, "%zu events with few values: their sums need too much "
	    "memory: choose events with --events", events);
}
