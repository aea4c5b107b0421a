/* SPDX-License-Identifier: ISC */
/* Finds and reads the lists of symbols of kernels. */
#ifndef PROF_SYMBOL_KERNEL_H
#define PROF_SYMBOL_KERNEL_H

#include "symbol/symbols.h"
#include "util/buf.h"

/* What a recording knows of a kernel. */
struct kernel_facts {
	struct text build_id;	/* empty: unknown */
	bool here;		/* this machine was recorded, with the kernel that runs now */
	const char *kept;	/* the path of the list that the recording has; NULL: none */
	struct text name;	/* a symbol, and its address, as the kernel is loaded elsewhere */
	uint64_t addr;		/* at each start; 0: unknown */
};

/*
 * Sets the path of the list with the symbols of a kernel, or of its modules: that of
 * --kallsyms; otherwise the one that the recording has; otherwise /proc/kallsyms if the running
 * kernel has the build ID, or, if none is known, was running; otherwise perf's copy
 * (build_files.h).  For the kernel itself, perf's copy comes before /proc/kallsyms if it is of
 * the same start: the kernel takes ten times as long to write the list as it takes to read a
 * file.  False: there is none.
 */
bool kernel_find_list(struct buf *path, const struct executables *x,
    const struct kernel_facts *k, bool module);

/* Is an object of the kernel, by its path, a module? */
bool kernel_is_module(struct text object);

/* Returns the symbols of an object of the kernel, by its path: "[NAME]" or the file of a
 * module, or the kernel itself.  NULL with the diag set. */
struct symbols *kernel_symbols(struct executables *x, const char *list, struct text object,
    struct diag *d);

/* Returns the symbols of [vdso], the object that a kernel maps into each process, with this
 * build ID: the running kernel's, or perf's copy; otherwise NULL. */
struct symbols *kernel_vdso(struct executables *x, struct text build_id);

#endif
