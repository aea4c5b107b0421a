/* SPDX-License-Identifier: ISC */
/* Finds and reads the lists of symbols of kernels. */
#ifndef PROF_SYMBOL_KERNEL_H
#define PROF_SYMBOL_KERNEL_H

#include "symbol/symbols.h"
#include "util/buf.h"

/*
 * Adds the path of the list with a kernel's symbols: /proc/kallsyms if the running kernel
 * has this build ID, or, if none is known, was running (`here`); otherwise perf's copy in
 * ~/.debug.  False: there is none.
 */
bool kernel_find_list(struct buf *path, struct text build_id, bool here);

/* Returns the symbols of an object of the kernel, by its path: "[NAME]" or the file of a
 * module, or the kernel itself.  NULL with the diag set. */
struct symbols *kernel_symbols(struct executables *x, const char *list, struct text object,
    struct diag *d);

/* Returns the symbols of [vdso], the object that the running kernel maps into each process,
 * if it has this build ID; otherwise NULL. */
struct symbols *kernel_vdso(struct executables *x, struct text build_id);

#endif
