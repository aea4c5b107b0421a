/* SPDX-License-Identifier: ISC */
/*
 * The hash function of all tables, for bytes and for a few numbers.  The upper half of the
 * 64 bits is better distributed than the lower one: hash_upper() returns it for index.h.
 */
#ifndef PROF_UTIL_HASH_H
#define PROF_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HASH_FACTOR 0x9e3779b97f4a7c15

/* Adds a number to a hash, which begins as 0: multiplies and folds. */
static inline uint64_t
hash_number(uint64_t h, uint64_t n)
{
	h = (h ^ n) * HASH_FACTOR;
	return h ^ h >> 32;
}

static inline uint32_t
hash_upper(uint64_t h)
{
	return (uint32_t)(h * HASH_FACTOR >> 32);
}

/* Fewer than 8 bytes as one number, without a call of memcpy(). */
static inline uint64_t
hash_rest(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t low, high;

	if (n < 4)
		return p[0] | (uint64_t)p[n / 2] << n / 2 * 8 | (uint64_t)p[n - 1] << (n - 1) * 8;
	memcpy(&low, p, 4);
	memcpy(&high, p + n - 4, 4);
	return low | (uint64_t)high << (n - 4) * 8;
}

/* Eight bytes at a time, in steps of sixteen. */
static inline uint64_t
hash_bytes(const char *s, size_t n)
{
	uint64_t h = n * HASH_FACTOR, w;

	for (; n >= 16; s += 16, n -= 16) {
		memcpy(&w, s, 8);
		h = hash_number(h, w);
		memcpy(&w, s + 8, 8);
		h = hash_number(h, w);
	}
	if (n >= 8) {
		memcpy(&w, s, 8);
		h = hash_number(h, w);
		s += 8;
		n -= 8;
	}
	return n ? hash_number(h, hash_rest(s, n)) : h;
}

#endif
