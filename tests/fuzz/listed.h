/* SPDX-License-Identifier: ISC */
/* A second reading of lists of symbols, /tmp/perf-PID.map's and /proc/kallsyms's. */
#ifndef PROF_FUZZ_LISTED_H
#define PROF_FUZZ_LISTED_H

#include "symbol/symbols.h"
#include "util/buf.h"

/* Do the symbols have at each address that the list names, and beside it, the name that came
 * last of those that have it?  True, too, where the list is not plain. */
bool listed_check(struct text list, bool sized, const struct symbols *s);

#endif
