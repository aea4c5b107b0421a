/* SPDX-License-Identifier: ISC */
/*
 * A stretch of a file's bytes, and the numbers in it, in the byte order of the machine that
 * wrote it.  Missing bytes read as 0, and the stretch is then marked.
 */
#ifndef PROF_UTIL_BYTES_H
#define PROF_UTIL_BYTES_H

#include <stdint.h>
#include <string.h>

#include "util/buf.h"
#include "util/fence.h"

struct bytes {
	const char *p, *end;
	bool swap;		/* the other byte order */
	bool packed;		/* whole numbers are packed, in formats that have both */
	bool ended;		/* bytes beyond the end were read */
};

static inline struct bytes
bytes_of(const char *p, size_t n, bool swap)
{
	return (struct bytes){ .p = p, .end = p + n, .swap = swap };
}

static inline size_t
bytes_left(const struct bytes *b)
{
	fence_check(b->p <= b->end);
	return (size_t)(b->end - b->p);
}

static inline bool
bytes_has(struct bytes *b, uint64_t n)
{
	if (n <= bytes_left(b))
		return true;
	b->ended = true;
	b->p = b->end;
	return false;
}

static inline void
bytes_skip(struct bytes *b, uint64_t n)
{
	if (bytes_has(b, n))
		b->p += n;
}

static inline uint8_t
bytes_u8(struct bytes *b)
{
	return bytes_has(b, 1) ? (uint8_t)*b->p++ : 0;
}

/* Copies n bytes to *v, which stays as it is if they are missing. */
static inline void
bytes_copy(struct bytes *b, void *v, size_t n)
{
	if (bytes_has(b, n)) {
		memcpy(v, b->p, n);
		b->p += n;
	}
}

static inline uint16_t
bytes_u16(struct bytes *b)
{
	uint16_t v = 0;

	bytes_copy(b, &v, sizeof v);
	return b->swap ? __builtin_bswap16(v) : v;
}

static inline uint32_t
bytes_u32(struct bytes *b)
{
	uint32_t v = 0;

	bytes_copy(b, &v, sizeof v);
	return b->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t
bytes_u64(struct bytes *b)
{
	uint64_t v = 0;

	bytes_copy(b, &v, sizeof v);
	return b->swap ? __builtin_bswap64(v) : v;
}

/* Takes the next n bytes as a separate stretch, which is empty if they are missing. */
static inline struct bytes
bytes_take(struct bytes *b, uint64_t n)
{
	struct bytes part = { .p = b->p, .end = b->p, .swap = b->swap, .packed = b->packed };

	if (!bytes_has(b, n)) {
		part.ended = true;
		return part;
	}
	part.end += n;
	b->p += n;
	return part;
}

/* Returns the text up to a NUL, or to the end. */
static inline struct text
bytes_text(const struct bytes *b)
{
	return (struct text){ b->p, strnlen(b->p, bytes_left(b)) };
}

/* Takes a string: its size, and that many bytes, in which the text ends with a NUL. */
static inline struct text
bytes_sized_text(struct bytes *b)
{
	const uint32_t n = bytes_u32(b);
	const struct bytes s = bytes_take(b, n);

	return bytes_text(&s);
}

#endif
