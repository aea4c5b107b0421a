/* SPDX-License-Identifier: ISC */
/*
 * Text for display: its width, and control characters made visible.
 */
#ifndef PROF_UTIL_PRINTABLE_H
#define PROF_UTIL_PRINTABLE_H

#include <stdint.h>

#include "util/buf.h"

/* Returns the width of the text's visible form in columns of a terminal: two for a wide
 * character, none for a combining one. */
size_t printable_columns(struct text t);

/* The same for a line that is visible already, in which "ESC [ ... m", a change of colour
 * or weight, takes no column. */
size_t printable_line_columns(struct text t);

/* The width of a character: 0, 1 or 2. */
size_t char_width(uint32_t c);

/* The length of the UTF-8 sequence at p, 0 if it is none (RFC 3629: neither
 * overlong nor a surrogate nor beyond U+10FFFF).  n > 0. */
size_t printable_utf8(const unsigned char *p, size_t n);

/* Adds a code point as UTF-8. */
void printable_add_code(struct buf *b, uint32_t c);

/* Is this character invisible, or does it affect the text around it?  Such are control
 * characters of ASCII and ISO 6429, and in Unicode line ends, changes of direction,
 * characters without width, and code points without a character. n: its
 * printable_utf8(). */
bool printable_is_control(const unsigned char *p, size_t n);

/* Adds t in visible form: control characters as \xHH, byte by byte. */
void printable_add(struct buf *b, struct text t);

/* The same for lines: keeps newlines, and TABs between fields. */
void printable_lines(struct buf *b, struct text t);

/* The same in at most `width` columns, with the middle left out, as both ends of a long C++
 * name identify it.  A width of 0 counts as 1. */
void printable_shortened(struct buf *b, struct text t, size_t width);

/* The same, with the end left out. */
void printable_cut(struct buf *b, struct text t, size_t width);

/* Adds lines unchanged, but breaks those of more than `width` columns (0: none) at blanks,
 * and indents the continuation. */
void printable_wrap(struct buf *b, struct text t, size_t width);

#endif
