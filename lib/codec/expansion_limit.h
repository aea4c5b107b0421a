/* SPDX-License-Identifier: ISC */
/*
 * Limits the size of the output by the size of the input.  A file can refer to one
 * definition many times and so expand quadratically: from a few kilobytes to gigabytes.
 * So there is a limit of N bytes per byte of the file, far above what real files need,
 * but at least a fixed minimum.
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

/* Counts n more; false if the limit is exceeded. */
static inline bool
limit_add(struct expansion_limit *b, uint64_t n)
{
	b->n += n;
	return b->n <= b->most;
}

/* A limit for text that is referred to: 64 bytes per byte of the file, or 4 MB. */
static inline void
limit_text(struct expansion_limit *b, size_t bytes)
{
	limit_init(b, bytes, 64, 4 << 20);
}

#define LIMIT_TEXT "names and labels expand to more than %" PRIu64 " bytes, too much for a file " \
	"of this size: one string is used for many of them"

#endif
