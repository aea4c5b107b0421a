/* SPDX-License-Identifier: ISC */
/*
 * Reads symbols from texts that list them.  Each function returns NULL with the diag set if
 * there are none, or the file cannot be read.
 */
#ifndef PROF_SYMBOL_SYMBOL_LISTS_H
#define PROF_SYMBOL_SYMBOL_LISTS_H

#include "symbol/symbols.h"

/* Reads the output of nm(1). */
struct symbols *symbols_nm(struct executables *x, const char *path, struct diag *d);

/* Reads the symbols of a kernel from a list such as /proc/kallsyms, or those of one of its
 * modules; NULL: of the kernel itself.  A list with only addresses of 0 is useless. */
struct symbols *symbols_kallsyms(struct executables *x, const char *path, const char *module,
    struct diag *d);

/* Reads the symbols of code that a program has generated while it ran, from
 * /tmp/perf-PID.map, as perf does.  If several are at one address, the last line counts:
 * memory is reused. */
struct symbols *symbols_made(struct executables *x, const char *path, struct diag *d);

#endif
