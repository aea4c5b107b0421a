/* SPDX-License-Identifier: ISC */
/*
 * Symbols from texts that list them.  Each is NULL with the diag set if there are none, or
 * the file cannot be read.
 */
#ifndef PROF_SYMBOL_SYMBOL_LISTS_H
#define PROF_SYMBOL_SYMBOL_LISTS_H

#include "symbol/symbols.h"

/* What nm(1) has written. */
struct symbols *symbols_nm(struct executables *x, const char *path, struct diag *d);

/* Those of a kernel, as /proc/kallsyms has them, or of one of its modules; NULL: of the
 * kernel itself.  One whose addresses are all 0 says nothing. */
struct symbols *symbols_kallsyms(struct executables *x, const char *path, const char *module,
    struct diag *d);

/* Those of code that a program has made while it ran, as perf reads them from
 * /tmp/perf-PID.map.  Of several at an address the last line counts: memory is used
 * again. */
struct symbols *symbols_made(struct executables *x, const char *path, struct diag *d);

#endif
