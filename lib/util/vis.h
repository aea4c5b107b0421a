/* SPDX-License-Identifier: ISC */
/*
 * Text that people read: its width, and control characters made visible.
 */
#ifndef PROF_UTIL_VIS_H
#define PROF_UTIL_VIS_H

#include "util/buf.h"

/* Its width: UTF-8 characters, not bytes. */
size_t vis_columns(struct text t);

/* The length of the UTF-8 sequence at p, 0 if it is none (RFC 3629: neither
 * overlong nor a surrogate nor beyond U+10FFFF).  n > 0. */
size_t vis_utf8(const unsigned char *p, size_t n);

/* Does this character affect the text around it, or is it not seen?  Control characters of
 * ASCII and ISO 6429, and Unicode's line ends, changes of direction, characters without a
 * width and those that are none.  n: its vis_utf8(). */
bool vis_is_control(const unsigned char *p, size_t n);

/* Adds t in visible form: control characters as \xHH, byte by byte. */
void vis_add(struct buf *b, struct text t);

/* The same for lines: newlines, and TABs between fields, stay. */
void vis_lines(struct buf *b, struct text t);

/* The same in at most `width` characters, the middle left out: both ends of a long C++
 * name identify it.  A width below 4 does not shorten. */
void vis_shortened(struct buf *b, struct text t, size_t width);

#endif
