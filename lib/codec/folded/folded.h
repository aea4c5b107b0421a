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

#define FOLDED_PEEK 65536	/* bytes that show how many counts there are */
#define FOLDED_COUNTS 2		/* the most columns of counts */
#define FOLDED_DECIMALS 19	/* the most digits of a fraction */

/*
 * Returns how many counts a stack has: the number of numbers that all lines of the first n
 * bytes end with.  As a frame's name may end with a number, a file of one line is
 * ambiguous.  0: these are not folded stacks.
 */
unsigned folded_counts(const char *p, size_t n);

/* Returns the most decimals of a count in these lines, without trailing zeros; may be more
 * than FOLDED_DECIMALS. */
size_t folded_decimals(const char *p, size_t n, unsigned counts);

/* Returns where the stack in the line [p, end) ends, before its counts; NULL if there are
 * fewer counts. */
const char *folded_stack_end(const char *p, const char *end, unsigned counts);

/* Takes a count off a text of counts and blanks: its digits before the point, and those
 * after it without trailing zeros.  False at the end. */
bool folded_next_count(const char **p, const char *end, bool *minus,
    struct text *whole, struct text *fraction);

/* Austin's full metrics, "TIME,IDLE,MEMORY" in place of a count: microseconds, whether
 * the thread was idle, and bytes, which may be negative. */
struct folded_full {
	struct text time, memory;	/* digits */
	bool idle, minus;		/* minus: the memory is negative */
};
#define FOLDED_FULL 3		/* events: time, cpu, memory */

/* Returns where the stack in the line [p, end) ends, before its metrics; NULL if it has
 * none. */
const char *folded_full_end(const char *p, const char *end, struct folded_full *f);
/* Do all lines of the first n bytes have them? */
bool folded_is_full(const char *p, size_t n);

/* Is it a line that begins with "# "?  Austin writes them and inferno ignores them. */
bool folded_is_comment(const char *p, const char *end);

/* Accepts lines that end with a number, with a stack of several frames among them; returns
 * the same as codec.probe.  Accepts a few malformed lines, as the decoder's message about
 * them is better than "unknown format". */
int folded_probe(const char *p, size_t n);

/* ---- frame.c ---- */

/* Dialects of frames; without one, a frame is a name:
 *
 *	py-spy	name (file:line), or name (file)	benfred/py-spy, src/stack_trace.rs
 *	Austin	P<pid>;T<interpreter>:<tid>;file:name:line;...	P403n1x87/austin, README
 *
 * Metadata have the dialect, so that such frames can be written back unchanged. */
enum { FOLDED_PLAIN, FOLDED_PYSPY, FOLDED_AUSTIN };
#define FOLDED_DIALECTS "plain|py-spy|austin"
#define FOLDED_FRAMES "folded.frames"

struct folded_read_options {
	int dialect;
};

struct folded_options {
	int root;		/* a root_label */
};

/* The components of a frame; one that does not have the dialect's form is a name. */
struct folded_frame {
	struct text name, file, line;	/* file and line may be absent */
};
struct folded_frame folded_split(int dialect, struct text frame);

/* Takes Austin's process and thread off a stack; all are absent if it has none. */
struct folded_thread {
	struct text pid, iid, tid;	/* iid, the interpreter's, may be absent */
};
struct folded_thread folded_take_thread(struct text *stack);

/* The events of Austin's counts by its "# mode: MODE"; ends with NULLs. */
struct folded_unit {
	const char *mode, *name, *unit;
};
extern const struct folded_unit folded_units[];

/* read.c */
int folded_decode(struct decode *d);

/* write.c */
struct sink *folded_encode(const struct encode *e);

#endif
