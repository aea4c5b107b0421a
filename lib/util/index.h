/* SPDX-License-Identifier: ISC */
/*
 * The open-addressed index of all hash tables.  It holds numbers; its owner has the values
 * in an array in the order of their numbers, compares them, and hashes them again when the
 * index grows:
 *
 *	for (i = h; (id1 = index_next(x, h, &i)); )
 *		if (v[id1 - 1] is the value)
 *			return id1 - 1;
 *	if (index_grows(x))
 *		for (id = 0; id < n; id++)
 *			index_put(x, hash of v[id], id);
 *	index_put(x, h, n++);
 *
 * Where there are many numbers, INDEX_AHEAD searches or steps of such a loop should be on
 * their way: see index_prefetch().
 *
 * A slot has a number + 1 (0: empty) in as many low bits as the numbers of an index of this
 * size need, so no number may be missing.  The bits above them are of the hash, so that
 * values with other hashes are rarely compared.
 */
#ifndef PROF_UTIL_INDEX_H
#define PROF_UTIL_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INDEX_AHEAD 8

/* All zeros: empty. */
struct hash_index {
	uint32_t *slot;
	size_t size, used;
};

/* Returns the next number + 1 that may have this hash; 0: none is left. */
static inline uint32_t
index_next(const struct hash_index *x, uint32_t h, size_t *i)
{
	const size_t mask = x->size - 1;
	uint32_t slot;

	if (!x->size)
		return 0;
	while ((slot = x->slot[*i & mask])) {
		++*i;
		if (!((slot ^ h) & ~(uint32_t)mask))
			return slot & (uint32_t)mask;
	}
	return 0;
}

/* Returns how many numbers fit: thirteen of sixteen slots are full then, as memory is what a
 * search waits for, and slots that are read in vain are near the others. */
static inline size_t
index_room(const struct hash_index *x)
{
	return x->size / 16 * 13 + x->size % 16 / 4 * 3;
}

/* Begins to load the slots of a hash, so that a search some steps later need not wait. */
static inline void
index_prefetch(const struct hash_index *x, uint32_t h)
{
	if (x->size)
		__builtin_prefetch(&x->slot[h & (x->size - 1)]);
}

static inline void
index_put(struct hash_index *x, uint32_t h, uint32_t id)
{
	const size_t mask = x->size - 1;
	size_t i = h;

	while (x->slot[i & mask])
		i++;
	x->slot[i & mask] = (h & ~(uint32_t)mask) | (id + 1);
	x->used++;
}

/* Makes room for another number.  True if the owner must put all numbers again. */
bool index_grow(struct hash_index *x);

static inline bool
index_grows(struct hash_index *x)
{
	return x->used >= index_room(x) && index_grow(x);
}

/* Keeps the memory, but uses as much of it as for the numbers until now: what is close
 * together stays in the processor's cache. */
void index_clear(struct hash_index *x);
void index_free(struct hash_index *x);

#endif
