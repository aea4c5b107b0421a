/* SPDX-License-Identifier: ISC */
/*
 * How much may come of a file.  Where one thing is told once and may be pointed to again
 * and again, all that is said of it could be a square of the file: gigabytes of a few
 * kilobytes.  A file may have so much of it for each of its bytes, of which real ones
 * have far less, or what is little anyhow.
 */
#ifndef PROF_CODEC_EXPANSION_LIMIT_H
#define PROF_CODEC_EXPANSION_LIMIT_H

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>

struct expansion_limit {
	uint64_t n, most;
};

static inline void
limit_init(struct expansion_limit *b, size_t bytes, unsigned each, uint64_t little)
{
	const uint64_t most = (uint64_t)bytes * each;

	*b = (struct expansion_limit){ .most = most > little ? most : little };
}

/* Counts n more; false if that is too much. */
static inline bool
limit_add(struct expansion_limit *b, uint64_t n)
{
	b->n += n;
	return b->n <= b->most;
}

/* Text that is pointed to: 64 bytes for each of the file, or 4 MB. */
static inline void
limit_text(struct expansion_limit *b, size_t bytes)
{
	limit_init(b, bytes, 64, 4 << 20);
}

#define LIMIT_TEXT "names and labels come to more than %" PRIu64 " bytes, too much for a file " \
	"of this size: one string is used for many of them"

#endif
