/* SPDX-License-Identifier: ISC */
/*
 * Levels of recursion as Callgrind names them (--separate-recs): the second
 * activation of f within the first is f'2, and so on.  The level comes after
 * the function and before its callers, f'2'main (dump.c, print_mangled_fn).
 */
#ifndef PROF_STREAM_RECURSION_SUFFIX_H
#define PROF_STREAM_RECURSION_SUFFIX_H

#include "util/buf.h"

/* Returns the length of a name without the level at its end, if it has one. */
size_t recursion_base(struct text name);

/* Returns the length of a name up to its level, which callers may follow; the whole length
 * if it has none. */
size_t recursion_at(struct text name);

/* Is it the name of a function's first level?  If in doubt, false. */
bool recursion_is_first(struct text name);

#endif
