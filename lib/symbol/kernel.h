/* SPDX-License-Identifier: ISC */
/* The lists of symbols of kernels, and where they are. */
#ifndef PROF_SYMBOL_KERNEL_H
#define PROF_SYMBOL_KERNEL_H

#include "symbol/symbols.h"
#include "util/buf.h"

/*
 * Sets the path of the list that has a kernel's symbols: that of --kallsyms; else
 * /proc/kallsyms if the running kernel has this build ID, or, if none is known, was running
 * (`here`); else what perf has kept of it (build_files.h).  False: there is none.
 */
bool kernel_find_list(struct buf *path, const struct executables *x, struct text build_id,
    bool here);

/* The symbols of an object of the kernel, by its path: "[NAME]" or the file of a module, or
 * the kernel itself.  NULL with the diag set. */
struct symbols *kernel_symbols(struct executables *x, const char *list, struct text object,
    struct diag *d);

/* Those of the object with this build ID that a kernel maps into each process, [vdso]: the
 * running one's, or one that perf has kept; else NULL. */
struct symbols *kernel_vdso(struct executables *x, struct text build_id);

#endif
