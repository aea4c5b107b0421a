/* SPDX-License-Identifier: ISC */
#include "spots.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

void
spots_init(struct spots *s)
{
	*s = (struct spots){ .size = sizeof(struct spot) };
	sums_init(&s->block, 2, 0);
}

void
spots_free(struct spots *s)
{
	sums_free(&s->block);
	free(s->spot);
	index_free(&s->index);
}

/* Moves spots apart, the last one first. */
static void
widen(struct spots *s, size_t ncol)
{
	const size_t was = s->size, size = sizeof(struct spot) + ncol * sizeof(uint64_t);
	size_t i;

	s->spot = mem_resize(s->spot, s->cap, size);
	for (i = s->n; i-- > 0; ) {
		memmove(s->spot + i * size, s->spot + i * was, was);
		memset(s->spot + i * size + was, 0, size - was);
	}
	s->size = size;
	s->ncol = ncol;
}

/* The spot + 1 that came after the last one before; 0. */
static inline uint32_t
next_of(const struct spots *s)
{
	return s->at ? spots_at(s, s->at - 1)->next : 0;
}

void
spots_begin(struct spots *s, uint64_t func, uint64_t file, size_t ncol)
{
	const uint64_t key[2] = { func, file };
	const uint32_t next = next_of(s);
	const uint64_t *guess;

	if (ncol > s->ncol)
		widen(s, ncol);
	if (next) {
		guess = sums_key(&s->block, spots_at(s, next - 1)->block);
		if (guess[0] == func && guess[1] == file) {
			s->block_at = spots_at(s, next - 1)->block;
			return;
		}
	}
	s->block_at = (uint32_t)sums_row(&s->block, key);
}

static inline bool
is_same(const struct spot *a, const struct spot *b)
{
	return a->addr == b->addr && a->line == b->line && a->block == b->block &&
	    a->at_addr == b->at_addr;
}

static inline uint32_t
hash_spot(const struct spot *k)
{
	return hash_upper(hash_number(hash_number(0, (uint64_t)k->block << 32 | k->line), k->addr));
}

/* The number + 1 of a spot, which is added if need be. */
static uint32_t
search(struct spots *s, const struct spot *key)
{
	const uint32_t h = hash_spot(key);
	uint32_t spot1, id;
	struct spot *spot;
	size_t i;

	for (i = h; (spot1 = index_next(&s->index, h, &i)); )
		if (is_same(spots_at(s, spot1 - 1), key))
			return spot1;
	if (s->n >= UINT32_MAX - 1)
		mem_fail(0);
	s->spot = mem_grow(s->spot, &s->cap, s->n + 1, s->size);
	spot = spots_at(s, s->n);
	memset(spot, 0, s->size);
	*spot = *key;
	if (index_grows(&s->index))
		for (id = 0; id < s->n; id++)
			index_put(&s->index, hash_spot(spots_at(s, id)), id);
	index_put(&s->index, h, (uint32_t)s->n);
	return (uint32_t)++s->n;
}

/* Tries the spot that came next before, and the one that was new after this one. */
static inline struct spot *
find(struct spots *s, const struct spot *key)
{
	uint32_t next = next_of(s);
	struct spot *spot;

	if (!next || !is_same(spots_at(s, next - 1), key)) {
		next = s->at < s->n && is_same(spots_at(s, s->at), key) ? s->at + 1 :
		    search(s, key);
		if (s->at)
			spots_at(s, s->at - 1)->next = next;
	}
	s->at = next;
	spot = spots_at(s, next - 1);
	if (spot->next)
		__builtin_prefetch(spots_at(s, spot->next - 1), 1);
	return spot;
}

static inline uint64_t
add_value(uint64_t *sum, uint64_t v)
{
	return *sum += v + !*sum;
}

void
spots_add(struct spots *s, const struct spot *where, const struct plain *v)
{
	const struct spot key = { .addr = where->addr, .line = where->line,
	    .at_addr = where->at_addr, .block = s->block_at };
	struct spot *spot = find(s, &key);
	const uint64_t *const val = v->val;
	const long *const column = v->column;
	const size_t found = v->found;
	uint64_t any = 0;
	size_t i;

	for (i = 0; i < found; i++)
		any |= add_value(&spot->sum[column ? column[i] : (long)i], val[i]);
	if (v->column) {
		for (; i < v->n; i++)
			add_value(&spot->sum[v->column[i]], 0);
	} else if (spot->known < v->n) {
		for (; i < v->n; i++)
			add_value(&spot->sum[i], 0);
		spot->known = (uint32_t)v->n & INT32_MAX;
	}
	s->full |= any >> 63;
	s->nvalue += v->found;
}

void
spots_get(const struct spots *s, const struct spot *spot, num *val, size_t ncol)
{
	size_t i;

	for (i = 0; i < ncol; i++)
		val[i] = i < s->ncol && spot->sum[i] ? (num)(spot->sum[i] - 1) : ABSENT;
}
