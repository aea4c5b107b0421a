/* SPDX-License-Identifier: ISC */
/*
 * Diagnostics.  The library neither prints nor exits: an error is a text kept here; a
 * warning or a note is passed to the program at once.  Texts state the problem and quote
 * the value; the place ("file:line: ") is prepended.
 */
#ifndef PROF_UTIL_DIAG_H
#define PROF_UTIL_DIAG_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"

enum diag_level {
	DIAG_NOTE,		/* worth knowing; --quiet drops it */
	DIAG_WARN,		/* the numbers may not be what they seem */
};

/* A place in the input. */
struct cursor {
	const char *file;	/* NULL: none */
	uint64_t line;		/* 0: none to name */
	bool bytes;		/* `line` is a byte offset, and may be 0 */
};

struct diag {
	struct cursor *at;	/* where reading is now, borrowed; NULL: nothing is being
				 * read */
	struct buf error;	/* the first error, with its place */
	const char *hint;	/* advice for the user, static; NULL: none */
	bool stopped;		/* by diag_stop() */
	void (*say)(void *arg, enum diag_level level, const char *text);
	/* Progress of work that reads no input; NULL: not wanted. */
	void (*work)(const char *what, uint64_t done, uint64_t of);
	void *arg;
};

/* Keeps the first error.  Always returns -1, for `return diag_fail(...)`. */
int diag_fail(struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The same without a place in the input: for options and outputs. */
int diag_fail_plain(struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* "a sum does not fit 128 bits", with the place, for `what` "a sum". */
int diag_too_large(struct diag *d, const char *what);

/* Ends a run without an error: the receiver of the records needs no more, or the
 * output has no reader left.  Always returns -1: the callers unwind as after an
 * error. */
int diag_stop(struct diag *d);

/* Passes a text to the program at once, with the place if there is one. */
void diag_say(struct diag *d, enum diag_level level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Passes the kept error on, after `prefix`, and forgets it. */
void diag_demote(struct diag *d, enum diag_level level, const char *prefix);

/* Quotes bytes of an input for a message: control characters escaped, truncated after 60.
 * The last four results stay valid. */
const char *diag_quote(const char *s, size_t n);

/* The same for a text, and for the bytes from p up to end. */
#define QUOTE(t) diag_quote((t).s, (t).n)
#define QUOTE_TO(p, end) diag_quote((p), (size_t)((end) - (p)))

#endif
