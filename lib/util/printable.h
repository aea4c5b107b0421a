/* SPDX-License-Identifier: ISC */
/*
 * Text that people read: its width, and control characters made visible.
 */
#ifndef PROF_UTIL_PRINTABLE_H
#define PROF_UTIL_PRINTABLE_H

#include <stdint.h>

#include "util/buf.h"

/* The columns that its visible form takes on a terminal: two of a wide character, none of a
 * combining one. */
size_t printable_columns(struct text t);

/* Those of a line that is visible already; "ESC [ ... m", which changes the looks of what
 * follows, takes none. */
size_t printable_line_columns(struct text t);

/* Those of a character: 0, 1 or 2. */
size_t char_width(uint32_t c);

/* The length of the UTF-8 sequence at p, 0 if it is none (RFC 3629: neither
 * overlong nor a surrogate nor beyond U+10FFFF).  n > 0. */
size_t printable_utf8(const unsigned char *p, size_t n);

/* Does this character affect the text around it, or is it not seen?  Control characters of
 * ASCII and ISO 6429, and Unicode's line ends, changes of direction, characters without a
 * width and those that are none.  n: its printable_utf8(). */
bool printable_is_control(const unsigned char *p, size_t n);

/* Adds t in visible form: control characters as \xHH, byte by byte. */
void printable_add(struct buf *b, struct text t);

/* The same for lines: newlines, and TABs between fields, stay. */
void printable_lines(struct buf *b, struct text t);

/* The same in at most `width` columns, the middle left out: both ends of a long C++ name
 * identify it.  A width of 0 is as 1. */
void printable_shortened(struct buf *b, struct text t, size_t width);

/* The same, the end left out. */
void printable_cut(struct buf *b, struct text t, size_t width);

/* Adds lines, as they are; those of more than `width` columns, 0: any, are broken at blanks,
 * and what is continued is indented. */
void printable_wrap(struct buf *b, struct text t, size_t width);

#endif
