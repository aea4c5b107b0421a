/* SPDX-License-Identifier: ISC */
/*
 * Text for people's eyes.
 */
#ifndef PROF_UTIL_VIS_H
#define PROF_UTIL_VIS_H

#include "util/buf.h"

/* How wide it is: characters, not bytes, as far as UTF-8 tells. */
size_t vis_columns(struct text t);

/* The length of the UTF-8 sequence at p, 0 if it is none (RFC 3629: neither
 * overlong nor a surrogate nor beyond U+10FFFF).  n > 0. */
size_t vis_utf8(const unsigned char *p, size_t n);

/* Does this character do something to the text around it?  Controls of ASCII and
 * ISO 6429, ends of lines and turns of direction of Unicode.  n: vis_utf8() of it. */
bool vis_is_control(const unsigned char *p, size_t n);

/* Added as it can be seen: control characters as \xHH, byte by byte. */
void vis_add(struct buf *b, struct text t);

/* The same of lines: newlines, and TABs between fields, stay. */
void vis_lines(struct buf *b, struct text t);

/* Added as by vis_add(), in at most `width` characters, the middle left out: both ends of a
 * long C++ name say which one it is.  Under 4 there is no shortening. */
void vis_shortened(struct buf *b, struct text t, size_t width);

#endif
