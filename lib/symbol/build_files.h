/* SPDX-License-Identifier: ISC */
/*
 * Files that are kept by build ID: in the directory of --sysroot, in perf's own cache
 * (~/.debug), where distributions have them, and in what the client of debuginfod has
 * fetched.  Nothing is fetched.
 */
#ifndef PROF_SYMBOL_BUILD_FILES_H
#define PROF_SYMBOL_BUILD_FILES_H

#include <stdbool.h>

#include "util/buf.h"

enum build_file {
	BUILD_CODE,		/* an executable or a library, maybe stripped */
	BUILD_DEBUG,		/* a separate file of debug information */
	BUILD_KALLSYMS,		/* the list of a kernel's symbols */
	BUILD_VDSO
};

/* Is it a build ID, in lower-case hex? */
bool build_files_is_id(struct text id);

/* Sets the path of the next place where such a file of a build may be, and raises *at, which
 * is 0 at first: false if there is none.  Its build ID is for the caller to check.  sysroot:
 * NULL, none is given. */
bool build_files_next(struct buf *path, const char *sysroot, struct text id,
    enum build_file what, unsigned *at);

/* The same, for the first file of them that can be read. */
bool build_files_find(struct buf *path, const char *sysroot, struct text id,
    enum build_file what);

#endif
