/* SPDX-License-Identifier: ISC */
/*
 * The hash of bytes used for all searches by name.
 */
#ifndef PROF_UTIL_HASH_H
#define PROF_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Eight bytes at a time, multiplied and folded. */
static inline uint32_t
hash_bytes(const char *s, size_t n)
{
	const uint64_t k = 0x9e3779b97f4a7c15;
	uint64_t h = n * k, w;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * k;
		h ^= h >> 32;
	}
	if (n) {
		w = 0;
		memcpy(&w, s, n);
		h = (h ^ w) * k;
		h ^= h >> 32;
	}
	h *= k;
	return (uint32_t)(h >> 32);
}

#endif
