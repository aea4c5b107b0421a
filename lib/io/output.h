/* SPDX-License-Identifier: ISC */
/*
 * Output: standard output or a file, compressed or not, buffered.  A file is
 * written under a temporary name beside it and renamed when all is well, so
 * the old one stays until then.
 *
 * A pipe has what was written, whatever comes of its writer.  What is not
 * complete must not pass for a whole there:
 *   - out_close() of what is not good ends it with OUT_CUT, a line that no
 *     format takes for its own;
 *   - until then what has been written never ends with a whole line, or with a
 *     whole number of binary data, lest a program that is killed leave one.
 * What begins with nothing ends with nothing: an empty input is refused.
 */
#ifndef PROF_IO_OUTPUT_H
#define PROF_IO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "io/zip.h"
#include "util/buf.h"
#include "util/diag.h"

/* What is written: lines, if nobody says anything else. */
enum out_holds {
	OUT_LINES,
	OUT_ENDS,		/* lines, the last of which says that they are all */
	OUT_PEOPLE,		/* a page: no bytes in it but what a terminal is to do */
	OUT_BINARY,
};

/* No line of numbers or words, no tag, no key, no comment of any format; and an odd
 * number of bytes, where binary ones have an even one. */
#define OUT_CUT "(cut here, the program that wrote this failed)\n"

struct output {
	char *s;		/* not written yet: [0, n) */
	size_t n, cap;
	int error;		/* errno of the first failure, 0 */
	enum out_holds holds;	/* set by out_holds() */
	struct out_target *to;
};

/* path NULL is standard output.  NULL on failure; a terminal takes nothing that is
 * compressed. */
struct output *out_open(const char *path, enum zip_kind kind, struct diag *d);

/* What is open already, and closed with it; messages call it `name`, which must
 * outlive it. */
struct output *out_fd(int fd, const char *name, struct diag *d);

/* Says what is to be written, before the first byte is.  On a terminal control
 * characters in lines are made visible, and binary data is an error, which waits in
 * o->error. */
void out_holds(struct output *o, enum out_holds holds);

/* Writes most of what there is, as the head of this file has it; errors wait in
 * o->error. */
void out_spill(struct output *o);
/* Writes all there is: for what OUT_ENDS. */
void out_flush(struct output *o);
void out_grow(struct output *o, size_t n);

/* At least n writable bytes; p moves over them, then out_upto(o, p). */
static inline char *
out_room(struct output *o, size_t n)
{
	if (__builtin_expect(o->cap - o->n < n, 0))
		out_grow(o, n);
	return o->s + o->n;
}

#define OUT_WRITE ((size_t)32 << 10)	/* half a pipe: both ends stay busy */

static inline void
out_upto(struct output *o, char *p)
{
	o->n = (size_t)(p - o->s);
	if (__builtin_expect(o->n >= OUT_WRITE, 0))
		out_spill(o);
}

void out_write(struct output *o, const char *s, size_t n);
void out_text(struct output *o, struct text t);
void out_puts(struct output *o, const char *s);
void out_printf(struct output *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

struct stat;
/* fstat(2) of what is written to. */
int out_stat(const struct output *o, struct stat *st);

/* The failure so far as text in the diag: 0 or -1.  Where the reader of a pipe is
 * gone nobody misses the rest: diag_stop(). */
int out_check(struct output *o);

/* Removes the temporary file that is open, if one is: for signal handlers, so
 * it knows of the last out_open() alone. */
void out_abandon(void);

/*
 * Writes what is left and closes.  `good`: the content is complete, a file
 * takes its name; else the old file stays, and anything else gets OUT_CUT, but for
 * what OUT_ENDS.  0, or -1 as out_check().  Frees o.
 */
int out_close(struct output *o, bool good);

#endif
