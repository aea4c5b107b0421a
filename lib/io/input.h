/* SPDX-License-Identifier: ISC */
/*
 * Input: a file or standard input as decompressed bytes.  Compression is recognised by
 * content.  Errors carry the name of the input; they are kept in the diag.
 */
#ifndef PROF_IO_INPUT_H
#define PROF_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/zip.h"
#include "util/diag.h"

struct input;

/* "-" is standard input.  NULL on failure: unreadable, a directory.  The path
 * must outlive the input. */
struct input *in_open(const char *path, struct diag *d);

/* Takes a descriptor that is open already (-1: opening it failed, errno has the reason),
 * and closes it with the input, which `name` must outlive. */
struct input *in_fd(int fd, const char *name, struct diag *d);

/* A line of more than `line` bytes is an error, and so is more than `whole` bytes for
 * in_all(); 0, as both are at first: no limit. */
void in_limit(struct input *in, size_t line, size_t whole);

/* Reads into two buffers by turns, so that a block of in_lines() lives until the second next
 * call. */
void in_alternate(struct input *in);

/* The name that messages use. */
const char *in_name(const struct input *in);
enum zip_kind in_zip(const struct input *in);	/* known after in_peek() */
bool in_standard(const struct input *in);	/* "-" */
bool in_regular(const struct input *in);	/* a file, not a pipe or device */
/* Has an interrupt ended the input (interrupt.h)? */
bool in_interrupted(const struct input *in);

/* Peeks at the first bytes, up to 64 KiB, without consuming them; fewer only if the input
 * is shorter.  Returns their number, or -1 on failure. */
long in_peek(struct input *in, const char **p);

/*
 * Reads the next block of whole lines, [*begin, *end).  Its last byte is a newline, so a
 * scan needs no other bound, and may read SCAN bytes (scan.h) beyond it.  The block lives
 * until the next call.  Returns 1; 0 at the end; -1 on failure, which in_fail() reports: for
 * a line that is too long, the lines before it must have been counted.  Where the last line
 * of the input has no newline, it comes alone, one is added, and in_cut() is true from then
 * on.
 */
int in_lines(struct input *in, char **begin, char **end);
int in_fail(struct input *in);		/* returns -1 */
bool in_cut(const struct input *in);

/* Compressed data that end inside a frame give their beginning, then an end; this returns
 * the error to report at that end.  NULL: the data were complete. */
const char *in_packed_cut(const struct input *in);

/* Reads the next bytes, as many as are available: 1; 0 at the end; -1 on failure.  They
 * live until the next call. */
int in_block(struct input *in, const char **p, size_t *n);

/* Consumes the first n bytes of those that it returned last, at first of in_peek(), and adds
 * the next ones, as many as are available: 1; 0 at the end; -1 on failure.  All live until the
 * next call.  More than the limit of in_all() is an error. */
int in_more(struct input *in, size_t used, const char **p, size_t *n);

/* Can it be read at any offset: is it a file that is not compressed, read from its
 * beginning?  Known after in_peek(). */
bool in_seekable(const struct input *in, uint64_t *size);

/* Reads at most n bytes at an offset of a seekable input, independently of all other
 * reading.  Returns their number; -1 on failure. */
long in_read_at(struct input *in, char *to, size_t n, uint64_t offset);

/* Reads everything up to the end: 0 or -1.  The bytes live as long as the input. */
int in_all(struct input *in, const char **p, size_t *n);

/* Appends a newline to in_all(), for decoders that read lines, as the last may have
 * none. */
void in_end_line(struct input *in);

void in_close(struct input *in);

/* Returns how many bytes all inputs have given so far, decompressed. */
uint64_t in_total(void);

#endif
