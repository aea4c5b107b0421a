/* SPDX-License-Identifier: ISC */
/*
 * Output: standard output or a file, compressed or not, buffered.  A file is written under
 * a temporary name in the same directory and renamed on success, so the old file stays
 * until then.
 *
 * Bytes written to a pipe cannot be taken back.  Incomplete output must not pass for
 * complete there:
 *   - if the content is not good, out_close() ends it with OUT_CUT, a line that
 *     no format accepts;
 *   - until then, what has been written never ends with a complete line, or with
 *     a complete binary number, in case the program is killed.
 * Empty output needs no mark: readers reject an empty input.
 */
#ifndef PROF_IO_OUTPUT_H
#define PROF_IO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "io/zip.h"
#include "util/buf.h"
#include "util/diag.h"

/* The kind of content; OUT_LINES by default. */
enum out_content {
	OUT_LINES,
	OUT_ENDS,		/* lines, ended by one that marks the end */
	OUT_TERMINAL,		/* text for terminals: its control characters are meant */
	OUT_BINARY,
};

/* This is not a line of numbers or words, a tag, a key or a comment in any format.  It has
 * an odd number of bytes, while binary formats have an even one. */
#define OUT_CUT "(truncated here, the program that wrote this failed)\n"

#define OUT_WRITE ((size_t)32 << 10)	/* half a pipe: both ends stay busy */

struct output {
	char *s;		/* not written yet: [0, n) */
	size_t n, cap;
	size_t full;		/* at least OUT_WRITE: with so many bytes, some are written */
	int error;		/* errno of the first failure, 0 */
	enum out_content content;	/* set by out_set_content() */
	struct out_target *to;
};

/* path NULL is standard output.  NULL with the diag set; compressed output to a terminal
 * is an error. */
struct output *out_open(const char *path, enum zip_kind kind, struct diag *d);

/* For a descriptor that is open already, and is closed with the output; messages call it
 * `name`, which must outlive the output. */
struct output *out_fd(int fd, const char *name, struct diag *d);

/* The same where the bytes reach a terminal in the end: for a pager. */
struct output *out_terminal(int fd, const char *name, struct diag *d);

/* Keeps all of it in [s, n) until out_close(). */
struct output *out_memory(void);

/* Declares the kind of content; call it before writing the first byte.  On a terminal,
 * control characters in lines are made visible, and binary data is an error, which is kept
 * in o->error. */
void out_set_content(struct output *o, enum out_content content);

/* Writes most of the buffer, as the head of this file explains; errors are kept in
 * o->error. */
void out_spill(struct output *o);
/* Writes the whole buffer: for OUT_ENDS. */
void out_flush(struct output *o);
void out_grow(struct output *o, size_t n);

/* Returns room for at least n bytes; the caller advances p over what it writes, then calls
 * out_upto(o, p). */
static inline char *
out_room(struct output *o, size_t n)
{
	if (__builtin_expect(o->cap - o->n < n, 0))
		out_grow(o, n);
	return o->s + o->n;
}

static inline void
out_upto(struct output *o, char *p)
{
	o->n = (size_t)(p - o->s);
	if (__builtin_expect(o->n >= o->full, 0))
		out_spill(o);
}

void out_write(struct output *o, const char *s, size_t n);
void out_text(struct output *o, struct text t);
void out_puts(struct output *o, const char *s);
void out_printf(struct output *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

struct stat;
/* fstat(2) of the file or pipe of the output. */
int out_stat(const struct output *o, struct stat *st);

/* Reports a failure so far: 0, or -1 with the diag set; diag_stop() if the reader of a
 * pipe is gone. */
int out_check(struct output *o);

/* Removes the temporary file, if one is open.  For signal handlers, so it only
 * knows the file of the last out_open(). */
void out_abandon(void);

/*
 * Writes the rest and closes.  `good`: the content is complete, and a file gets its
 * name.  Otherwise the old file stays, and other output gets OUT_CUT unless it is
 * OUT_ENDS.  Returns as out_check().  Frees o.
 */
int out_close(struct output *o, bool good);

#endif
