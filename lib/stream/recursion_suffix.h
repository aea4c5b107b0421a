/* SPDX-License-Identifier: ISC */
/*
 * Levels of recursion as Callgrind names them (--separate-recs): the second
 * activation of f within the first is f'2, and so on.  The level comes after
 * the function and before its callers, f'2'main (dump.c, print_mangled_fn).
 */
#ifndef PROF_STREAM_RECURSION_SUFFIX_H
#define PROF_STREAM_RECURSION_SUFFIX_H

#include "util/buf.h"

/* The length of a name without the level at its end, if any. */
size_t recursion_base(struct text name);

/* The length of a name up to its level, which its callers may follow; all if there is none. */
size_t recursion_at(struct text name);

/* Is it the name of a function's first level?  If in doubt, false. */
bool recursion_is_first(struct text name);

#endif
