/* SPDX-License-Identifier: ISC */
/*
 * Folded stacks, as the stackcollapse programs of FlameGraph and inferno write
 * them: "frame;frame;frame COUNT", root first, a line for each stack.  Two
 * counts are those of two profiles that are compared (difffolded).
 */
#ifndef PROF_CODEC_FOLDED_FOLDED_H
#define PROF_CODEC_FOLDED_FOLDED_H

#include "stream/codec.h"

#define FOLDED_PEEK 65536	/* bytes that tell how many counts there are */
#define FOLDED_COUNTS 2		/* the most columns of counts */
#define FOLDED_DECIMALS 19	/* the most digits of a fraction */

/*
 * How many counts a stack has: as many numbers as all lines of the first n bytes
 * end with.  A frame's name may end with a number, too: of a file of one line
 * nobody can tell.  0: these are no folded stacks.
 */
unsigned folded_counts(const char *p, size_t n);

/* The most digits behind the point of a count in these lines, but for zeros at
 * the end; they may be more than FOLDED_DECIMALS. */
size_t folded_decimals(const char *p, size_t n, unsigned counts);

/* The counts at the end of the line [p, end): where the stack ends, the counts
 * after it; NULL if there are not as many. */
const char *folded_stack_end(const char *p, const char *end, unsigned counts);

/* Takes a count off a text of nothing but counts and blanks: its digits before the
 * point, and those behind it but for zeros at the end.  False at its end. */
bool folded_next_count(const char **p, const char *end, bool *minus,
    struct text *whole, struct text *fraction);

/* Lines that begin with "# ", which Austin writes and inferno passes over. */
bool folded_is_comment(const char *p, const char *end);

/* The frame that is put before a stack, of the sample's thread; --root. */
enum { ROOT_COMM, ROOT_PID, ROOT_TID, ROOT_NONE };
extern int folded_root;		/* -1: that of the format that was read */

int folded_decode(struct decode *d);
struct sink *folded_encode(const struct encode *e);

#endif
