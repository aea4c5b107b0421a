/* SPDX-License-Identifier: ISC */
/*
 * A stretch of a recording's bytes, and the numbers in it.  Missing bytes read as 0, and the
 * stretch is then marked.
 */
#ifndef PROF_CODEC_JFR_BYTES_H
#define PROF_CODEC_JFR_BYTES_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"

struct bytes {
	const char *p, *end;
	bool fixed;		/* whole numbers have all their bytes, the highest first */
	bool ended;		/* bytes beyond the end were read */
};

static inline size_t
bytes_left(const struct bytes *b)
{
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

/* Takes the next n bytes as a separate stretch, which is empty if they are missing. */
static inline struct bytes
bytes_take(struct bytes *b, uint64_t n)
{
	struct bytes part = { b->p, b->p, b->fixed, false };

	if (!bytes_has(b, n)) {
		part.ended = true;
		return part;
	}
	part.end += n;
	b->p += n;
	return part;
}

static inline struct text
bytes_text(struct bytes *b, uint64_t n)
{
	const struct bytes part = bytes_take(b, n);

	return (struct text){ part.p, bytes_left(&part) };
}

/* A number of n bytes, the highest first. */
static inline uint64_t
bytes_big(struct bytes *b, unsigned n)
{
	uint64_t v = 0;

	if (bytes_has(b, n))
		while (n--)
			v = v << 8 | (unsigned char)*b->p++;
	return v;
}

/* A number of 7 bits a byte, the lowest first; a ninth byte has 8. */
static inline uint64_t
bytes_packed(struct bytes *b)
{
	uint64_t v = 0;
	unsigned shift;

	for (shift = 0; b->p < b->end; shift += 7) {
		const uint64_t c = (unsigned char)*b->p++;

		if (shift == 56 || c < 0x80)
			return v | c << shift;
		v |= (c & 0x7f) << shift;
	}
	b->ended = true;
	return 0;
}

/* A whole number that has `width` bytes unless it is packed. */
static inline uint64_t
bytes_number(struct bytes *b, unsigned width)
{
	return b->fixed ? bytes_big(b, width) : bytes_packed(b);
}

#endif
