/* SPDX-License-Identifier: ISC */
/*
 * A text that a regular expression cannot match without, so that only names with that text
 * need be tried.
 */
#ifndef PROF_UTIL_REGEX_NEED_H
#define PROF_UTIL_REGEX_NEED_H

#include "util/buf.h"

#define REGEX_OPERATORS "\\^$.[]|()*+?{}"

/* Returns the longest text that was found to be a part of all that the extended regular
 * expression p matches; empty: none was found.  Its bytes are in b.  With nocase, upper and
 * lower case are the same: the text is of ASCII characters without capitals, and a part of
 * what p matches if that, too, is of ASCII characters, in lower case. */
struct text regex_need(struct buf *b, struct text p, bool nocase);

#endif
