/* SPDX-License-Identifier: ISC */
/*
 * Output: standard output or a file, compressed or not, buffered.  A file is
 * written under a temporary name beside it and renamed when all is well, so
 * the old one stays until then.
 */
#ifndef PROF_OUTPUT_H
#define PROF_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "buf.h"
#include "diag.h"
#include "zip.h"

struct output {
	char *s;		/* not written yet: [0, n) */
	size_t n, cap;
	int error;		/* errno of the first failure, 0 */
	struct out_target *to;
};

/* path NULL is standard output.  NULL on failure. */
struct output *out_open(const char *path, enum zip_kind kind, struct diag *d);

/* What is open already, and closed with it; messages call it `name`, which must
 * outlive it. */
struct output *out_fd(int fd, const char *name, struct diag *d);

/* Writes what is over the size of one write; errors wait in o->error. */
void out_spill(struct output *o);
/* Writes all there is. */
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

/* The failure so far as text in the diag: 0 or -1.  A pipe whose reader is
 * gone gives -1 and no text. */
int out_check(struct output *o);

/* Removes the temporary file that is open, if one is: for signal handlers, so
 * it knows of the last out_open() alone. */
void out_abandon(void);

/*
 * Writes what is left and closes.  `good`: the content is complete, a file
 * takes its name; else the old file stays.  0, or -1 as out_check().
 * Frees o.
 */
int out_close(struct output *o, bool good);

#endif
