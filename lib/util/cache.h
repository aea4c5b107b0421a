/* SPDX-License-Identifier: ISC */
/*
 * A cache of searches: from bytes, such as the text of a frame, to the number that
 * was found for them.  Its memory is bounded: a full cache adds nothing more, and a key
 * that it does not have is searched for again.
 */
#ifndef PROF_UTIL_CACHE_H
#define PROF_UTIL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/hash.h"
#include "util/index.h"

#define CACHE_MOST ((size_t)64 << 20)	/* bytes of the texts in one cache */

/* All zeros: empty. */
struct cache {
	struct cache_entry {
		uint32_t hash;
		uint32_t at, n;	/* its bytes in `text` */
		uint32_t id;
	} *v;
	size_t n, cap;
	struct hash_index index;	/* of v */
	struct buf text;
};

/* The hash of a key, for cache_find() and cache_add(). */
static inline uint64_t
cache_hash(struct text key)
{
	return hash_bytes(key.s, key.n);
}

/* Is the key in the cache?  Then sets *id to its number. */
static inline bool
cache_find(const struct cache *m, struct text key, uint64_t hash, uint32_t *id)
{
	const uint32_t h = hash_upper(hash);
	const struct cache_entry *e;
	uint32_t id1;
	size_t i;

	for (i = h; (id1 = index_next(&m->index, h, &i)); ) {
		e = &m->v[id1 - 1];
		if (e->n == key.n && bytes_eq(m->text.s + e->at, key.s, key.n)) {
			*id = e->id;
			return true;
		}
	}
	return false;
}

/* Adds a key that is not in the cache.  False, with nothing added, if there is no room, or
 * the key is empty. */
bool cache_add(struct cache *m, struct text key, uint64_t hash, uint32_t id);

void cache_free(struct cache *m);

#endif
