/* SPDX-License-Identifier: ISC */
/*
 * Diagnostics.  The library neither prints nor exits: an error is a text kept
 * here, a warning or a note is handed to the program at once.  Texts say what
 * is wrong and quote the value; the place ("file:line: ") is put before them.
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

/* A place in what is read. */
struct cursor {
	const char *file;	/* NULL: none */
	uint64_t line;		/* 0 where there is none to name */
	bool bytes;		/* `line` is a byte's offset, and may be 0 */
};

struct diag {
	struct cursor *at;	/* what is read now, borrowed; NULL: nothing */
	struct buf error;	/* the first error, with its place */
	bool stopped;		/* by diag_stop() */
	void (*say)(void *arg, enum diag_level level, const char *text);
	void *arg;
};

/* Keeps the first error; always returns -1, so that `return diag_fail(...)`
 * says what it does. */
int diag_fail(struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The same without a place: for options and outputs. */
int diag_fail_plain(struct diag *d, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends a run without an error: whoever takes the records needs no more of them, or
 * no reader of the output is left.  Always returns -1: the functions on the way
 * unwind as after an error. */
int diag_stop(struct diag *d);

/* Passed to the program at once, with the place if there is one. */
void diag_say(struct diag *d, enum diag_level level, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Says the error that was kept, after `prefix`, and forgets it. */
void diag_demote(struct diag *d, enum diag_level level, const char *prefix);

/* Bytes of an input made fit for a message: control characters escaped, cut
 * after 60.  Four results live at a time. */
const char *diag_quote(const char *s, size_t n);

#endif
