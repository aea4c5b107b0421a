/* SPDX-License-Identifier: ISC */
/*
 * Input: a file or standard input as unpacked bytes.  Compression is
 * recognised by content.  Errors carry the name; they are kept in the diag.
 */
#ifndef PROF_IO_INPUT_H
#define PROF_IO_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "io/zip.h"
#include "util/diag.h"

struct input;

/* "-" is standard input.  NULL on failure: unreadable, a directory.  The path
 * must outlive the input. */
struct input *in_open(const char *path, struct diag *d);

/* What is open already (-1: opening it failed, errno says why), and closed with it;
 * the name must outlive it. */
struct input *in_fd(int fd, const char *name, struct diag *d);

/* A line of more than `line` bytes is an error, and so is more than `whole` bytes for
 * in_all(); 0, as both are at first: no limit. */
void in_limit(struct input *in, size_t line, size_t whole);

/* As messages name it. */
const char *in_name(const struct input *in);
enum zip_kind in_zip(const struct input *in);	/* known after in_peek() */
bool in_standard(const struct input *in);	/* "-" */
bool in_regular(const struct input *in);	/* a file, not a pipe or device */
/* Has an interrupt ended it (interrupt.h)? */
bool in_interrupted(const struct input *in);

/* The first bytes, up to 64 KiB, not consumed; fewer only at the end of the
 * input.  -1 on failure, else the number of them. */
long in_peek(struct input *in, const char **p);

/*
 * The next block of whole lines: [*begin, *end), of which the last byte is a
 * newline: a scan needs no other bound, and may read SCAN bytes (scan.h) beyond.
 * It lives until the next call.  1; 0 at the end; -1 on failure.  Where the last
 * line of the input has no newline, it comes alone, one is added, and in_cut()
 * is true from then on.
 */
int in_lines(struct input *in, char **begin, char **end);
bool in_cut(const struct input *in);

/* Compressed data that ended inside a frame gives what it held, then an end;
 * this is the text to report then.  NULL: it was whole. */
const char *in_packed_cut(const struct input *in);

/* All of it, up to its end and no further: 0 or -1.  It lives as long as the input. */
int in_all(struct input *in, const char **p, size_t *n);

/* Puts a newline after all of it, for one who reads lines, of which the last has none. */
void in_end_line(struct input *in);

void in_close(struct input *in);

#endif
