/* SPDX-License-Identifier: ISC */
/*
 * Folded stacks, as the stackcollapse programs of FlameGraph and inferno write
 * them: "frame;frame;frame COUNT", root first, a line for each stack.  Two counts
 * belong to two profiles that are compared (difffolded).
 */
#ifndef PROF_CODEC_FOLDED_FOLDED_H
#define PROF_CODEC_FOLDED_FOLDED_H

#include "stream/codec.h"

/* ---- line.c ---- */

#define FOLDED_PEEK 65536	/* bytes that tell how many counts there are */
#define FOLDED_COUNTS 2		/* the most columns of counts */
#define FOLDED_DECIMALS 19	/* the most digits of a fraction */

/*
 * How many counts a stack has: the number of numbers that all lines of the first n bytes
 * end with.  As a frame's name may end with a number, a file of one line is ambiguous.
 * 0: not folded stacks.
 */
unsigned folded_counts(const char *p, size_t n);

/* The most decimals of a count in these lines, without trailing zeros; may be more than
 * FOLDED_DECIMALS. */
size_t folded_decimals(const char *p, size_t n, unsigned counts);

/* Where the stack in the line [p, end) ends, before its counts; NULL if there are fewer
 * counts. */
const char *folded_stack_end(const char *p, const char *end, unsigned counts);

/* Takes a count off a text of counts and blanks: its digits before the point, and those
 * after it without trailing zeros.  False at the end. */
bool folded_next_count(const char **p, const char *end, bool *minus,
    struct text *whole, struct text *fraction);

/* Is it a line that begins with "# "?  Austin writes them and inferno ignores them. */
bool folded_is_comment(const char *p, const char *end);

/* Lines that end with a number, and a stack of several frames among them: as codec.probe
 * says it.  Of a few that are none the decoder has more to say than that nobody knows the
 * format. */
int folded_probe(const char *p, size_t n);

/* read.c */
int folded_decode(struct decode *d);

/* write.c */
struct sink *folded_encode(const struct encode *e);

#endif
