/* SPDX-License-Identifier: ISC */
/*
 * Digests of usual lines, for sinks that take sums or lines.  For sums, the self costs of a
 * function are added up, and calls are kept as they are; for lines, costs and jumps become
 * lines of a stream, and calls have positions.  Positions are checked, names are kept as they
 * are.  A digest depends on nothing but the text of the lines and their layout, so that
 * threads can digest blocks of a file in any order.
 */
#ifndef PROF_CODEC_CALLGRIND_DIGEST_H
#define PROF_CODEC_CALLGRIND_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "util/buf.h"

/* The layout of cost lines. */
struct digest_layout {
	bool instr;		/* "instr line"; otherwise "line" */
	bool self_base;		/* lines of calls and jumps do not move the base */
	bool lines;		/* for lines; otherwise for sums */
	bool jumps;		/* for sums: they are counted */
	uint64_t nevents;
};

enum digest_kind {
	DIGEST_NAME,		/* a line "key=name": key, p is the name; n = 1: it is "(N)",
				 * with this number */
	/* The sum of self costs from here up to the next `fn=` or unusual line; n = 0: there
	 * are none.  It comes after `fn=`, and before the first costs of a digest. */
	DIGEST_COSTS,
	DIGEST_COSTS_GO_ON,	/* more of them come here, maybe after the line of a file */
	DIGEST_CALL,		/* for sums: p: its count, of n bytes; p + values: of n_values
				 * bytes; for lines: number: a call */
	DIGEST_JUMP,		/* for sums: one that may change the place, or is counted */
	DIGEST_RUN,		/* number: a run, whose lines are not in `line` yet */
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

/* For lines: costs and jumps of one place, or lines that remain to be read. */
struct digest_run {
	const char *p, *end;	/* lines of the file */
	struct base base;	/* before them */
	bool at_base;		/* is it the position of the last cost line of any kind? */
	size_t text, n_text;	/* the same as lines of a stream, from there on in the text; none
				 * if they remain to be read */
	uint64_t lines;
};

/* For lines: a call, with its positions. */
struct digest_call {
	struct base from, to;
	struct text count, values;
};

struct digest {
	struct digest_token *v;
	size_t n, cap;
	struct digest_run *run;
	size_t nrun, caprun;
	struct digest_call *call;
	size_t ncall, capcall;
	struct buf text;
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
