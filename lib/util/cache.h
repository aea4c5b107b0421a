/* SPDX-License-Identifier: ISC */
/*
 * What was read before: bytes, such as the text of a whole stack, and the number
 * that was found for them.  A memo is a short cut, so its memory is bounded: when
 * it is full it remembers nothing more, and what it does not know is looked up
 * again.
 */
#ifndef PROF_UTIL_CACHE_H
#define PROF_UTIL_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"
#include "util/hash.h"
#include "util/index.h"

#define CACHE_MOST ((size_t)64 << 20)	/* bytes that one remembers */

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
	uint32_t last;		/* the key that was added last in it */
};

/* Of the key, for the other two. */
static inline uint64_t
cache_hash(struct text key)
{
	return hash_bytes(key.s, key.n);
}

/* Is it known?  Then *id is its number. */
bool cache_find(const struct cache *m, struct text key, uint64_t hash, uint32_t *id);

/* Remembers a key that is not known, if there is room: an empty one never is. */
bool cache_add(struct cache *m, struct text key, uint64_t hash, uint32_t id);

/* Remembers the first n bytes of the key that was added last, with a hash of the
 * caller's own, by which they are found.  They take no room but a slot. */
void cache_add_first(struct cache *m, size_t n, uint64_t hash, uint32_t id);

void cache_free(struct cache *m);

#endif
