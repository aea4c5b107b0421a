/* SPDX-License-Identifier: ISC */
#include "addr_costs.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

void
addr_costs_init(struct addr_costs *s)
{
	*s = (struct addr_costs){ .size = sizeof(struct addr_cost) };
	sums_init(&s->block, 2, 0);
}

void
addr_costs_free(struct addr_costs *s)
{
	sums_free(&s->block);
	free(s->addr_cost);
	index_free(&s->index);
}

/* Moves the entries to a larger size, the last one first. */
static void
widen(struct addr_costs *s, size_t ncol)
{
	const size_t was = s->size, size = sizeof(struct addr_cost) + ncol * sizeof(uint64_t);
	size_t i;

	s->addr_cost = mem_resize(s->addr_cost, s->cap, size);
	for (i = s->n; i-- > 0; ) {
		memmove(s->addr_cost + i * size, s->addr_cost + i * was, was);
		memset(s->addr_cost + i * size + was, 0, size - was);
	}
	s->size = size;
	s->ncol = ncol;
}

/* Returns the entry + 1 that came after the last one before; 0: none did. */
static inline uint32_t
next_of(const struct addr_costs *s)
{
	return s->at ? addr_costs_at(s, s->at - 1)->next : 0;
}

void
addr_costs_begin(struct addr_costs *s, uint64_t func, uint64_t file, size_t ncol)
{
	const uint64_t key[2] = { func, file };
	const uint32_t next = next_of(s);
	const uint64_t *guess;

	if (ncol > s->ncol)
		widen(s, ncol);
	if (next) {
		guess = sums_key(&s->block, addr_costs_at(s, next - 1)->block);
		if (guess[0] == func && guess[1] == file) {
			s->block_at = addr_costs_at(s, next - 1)->block;
			return;
		}
	}
	s->block_at = (uint32_t)sums_row(&s->block, key);
}

static inline bool
is_same(const struct addr_cost *a, const struct addr_cost *b)
{
	return a->addr == b->addr && a->line == b->line && a->block == b->block &&
	    a->at_addr == b->at_addr;
}

static inline uint32_t
hash_addr_cost(const struct addr_cost *k)
{
	return hash_upper(hash_number(hash_number(0, (uint64_t)k->block << 32 | k->line), k->addr));
}

/* Returns the number + 1 of an entry, which is added if it is new. */
static uint32_t
search(struct addr_costs *s, const struct addr_cost *key)
{
	const uint32_t h = hash_addr_cost(key);
	uint32_t spot1, id;
	struct addr_cost *addr_cost;
	size_t i;

	for (i = h; (spot1 = index_next(&s->index, h, &i)); )
		if (is_same(addr_costs_at(s, spot1 - 1), key))
			return spot1;
	if (s->n >= UINT32_MAX - 1)
		mem_fail(0);
	s->addr_cost = mem_grow(s->addr_cost, &s->cap, s->n + 1, s->size);
	addr_cost = addr_costs_at(s, s->n);
	memset(addr_cost, 0, s->size);
	*addr_cost = *key;
	if (index_grows(&s->index))
		for (id = 0; id < s->n; id++)
			index_put(&s->index, hash_addr_cost(addr_costs_at(s, id)), id);
	index_put(&s->index, h, (uint32_t)s->n);
	return (uint32_t)++s->n;
}

/* Tries the entry that came next before, and the one that was new after this one. */
static inline struct addr_cost *
find(struct addr_costs *s, const struct addr_cost *key)
{
	uint32_t next = next_of(s);
	struct addr_cost *addr_cost;

	if (!next || !is_same(addr_costs_at(s, next - 1), key)) {
		next = s->at < s->n && is_same(addr_costs_at(s, s->at), key) ? s->at + 1 :
		    search(s, key);
		if (s->at)
			addr_costs_at(s, s->at - 1)->next = next;
	}
	s->at = next;
	addr_cost = addr_costs_at(s, next - 1);
	if (addr_cost->next)
		__builtin_prefetch(addr_costs_at(s, addr_cost->next - 1), 1);
	return addr_cost;
}

/* Makes an absent sum 0. */
static inline void
need_sum(uint64_t *sum)
{
	*sum += !*sum;
}

void
addr_costs_add(struct addr_costs *s, const struct addr_cost *where, const struct plain *v)
{
	const struct addr_cost key = { .addr = where->addr, .line = where->line,
	    .at_addr = where->at_addr, .block = s->block_at };
	struct addr_cost *addr_cost = find(s, &key);
	const long *const column = v->column;
	uint64_t any = 0, left;
	size_t i;

	if (column) {
		for (i = 0; i < v->n; i++)
			need_sum(&addr_cost->sum[column[i]]);
	} else if (addr_cost->known < v->n) {
		for (i = addr_cost->known; i < v->n; i++)
			need_sum(&addr_cost->sum[i]);
		addr_cost->known = (uint32_t)v->n & INT32_MAX;
	}
	for (left = v->nonzero; left; left &= left - 1) {
		i = (size_t)__builtin_ctzll(left);
		any |= addr_cost->sum[column ? column[i] : (long)i] += v->val[i];
	}
	s->full |= any >> 63;
	s->nvalue += v->found;
}

void
addr_costs_get(const struct addr_costs *s, const struct addr_cost *addr_cost, num *val, size_t ncol)
{
	size_t i;

	for (i = 0; i < ncol; i++)
		val[i] = i < s->ncol && addr_cost->sum[i] ?
		    (num)(addr_cost->sum[i] - 1) : NUM_ABSENT;
}
