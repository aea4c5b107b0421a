/* SPDX-License-Identifier: ISC */
/* The numbers of a recording: all their bytes, the highest first, or packed. */
#ifndef PROF_CODEC_JFR_NUMBERS_H
#define PROF_CODEC_JFR_NUMBERS_H

#include "util/bytes.h"

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
	return b->packed ? bytes_packed(b) : bytes_big(b, width);
}

/* Takes the text of the next n bytes. */
static inline struct text
bytes_string(struct bytes *b, uint64_t n)
{
	const struct bytes part = bytes_take(b, n);

	return (struct text){ part.p, bytes_left(&part) };
}

#endif
