/* SPDX-License-Identifier: ISC */
/*
 * Digests of usual lines, for sinks that take sums: the self costs of a function are added
 * up, calls and names are kept as they are, positions are checked.  A digest depends on
 * nothing but the text of the lines and their layout, so that threads can digest blocks of
 * a file in any order.
 */
#ifndef PROF_CODEC_CALLGRIND_DIGEST_H
#define PROF_CODEC_CALLGRIND_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"

/* The layout of cost lines. */
struct digest_layout {
	bool instr;		/* "instr line"; otherwise "line" */
	bool self_base;		/* lines of calls and jumps do not move the base */
	uint64_t nevents;
};

enum digest_kind {
	DIGEST_NAME,		/* a line "key=name": key, p is the name; n = 1: it is "(N)",
				 * with this number */
	/* The sum of self costs from here up to the next `fn=` or unusual line; n = 0: there
	 * are none.  It comes after `fn=`, and before the first costs of a digest. */
	DIGEST_COSTS,
	DIGEST_COSTS_GO_ON,	/* more of them come here, maybe after the line of a file */
	DIGEST_CALL,		/* p: its count, of n bytes; p + values: of n_values bytes */
	DIGEST_JUMP,		/* n = 1: it may change the place */
	/* Lines that are not usual: from p up to p of the next token, which is DIGEST_ON.
	 * base: before them, if n is 1; otherwise it is unknown.  A digest ends with these
	 * two, maybe without lines. */
	DIGEST_LINES,
	DIGEST_ON,		/* base: as the digest has assumed from here on */
};

struct digest_token {
	const char *p;
	union {
		uint64_t number, sum;
		struct base base;
		struct { uint64_t values, n_values; };
	};
	uint32_t line;		/* after DIGEST_ON: how many lines there are up to the end
				 * of this one */
	uint16_t n;
	unsigned char kind, key;
};

struct digest {
	struct digest_token *v;
	size_t n, cap;
};

/*
 * Digests the lines [p, end), whose last byte is a newline; there are SCAN readable bytes
 * after it.  They begin in a function that is known, whose callee is not.  base: NULL if
 * that of p is unknown.  Then, and after lines that are not usual, a digest goes on after the
 * first cost line of a function that has absolute positions.  wide: with the instructions of
 * wide.h, which have the same result.
 */
void digest_lines(struct digest *d, const struct digest_layout *layout, bool wide,
    const char *p, const char *end, const struct base *base);

/* Returns where lines may be cut so that a digest of the second part begins early: the
 * beginning of a line after p, or the end. */
const char *digest_cut(const struct digest_layout *layout, const char *p, const char *end);

void digest_free(struct digest *d);

#endif
