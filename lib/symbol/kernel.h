/* SPDX-License-Identifier: ISC */
/* Finds and reads the lists of symbols of kernels. */
#ifndef PROF_SYMBOL_KERNEL_H
#define PROF_SYMBOL_KERNEL_H

#include "symbol/symbols.h"
#include "util/buf.h"

/*
 * Sets the path of the list with a kernel's symbols: that of --kallsyms; otherwise the one
 * that the recording has (`kept`, NULL: none); otherwise
 * /proc/kallsyms if the running kernel has this build ID, or, if none is known, was running
 * (`here`); otherwise perf's copy (build_files.h).  False: there is none.
 */
bool kernel_find_list(struct buf *path, const struct executables *x, struct text build_id,
    bool here, const char *kept);

/* Returns the symbols of an object of the kernel, by its path: "[NAME]" or the file of a
 * module, or the kernel itself.  NULL with the diag set. */
struct symbols *kernel_symbols(struct executables *x, const char *list, struct text object,
    struct diag *d);

/* Returns the symbols of [vdso], the object that a kernel maps into each process, with this
 * build ID: the running kernel's, or perf's copy; otherwise NULL. */
struct symbols *kernel_vdso(struct executables *x, struct text build_id);

#endif
