/* SPDX-License-Identifier: ISC */
/* The files in a folder. */
#ifndef PROF_IO_DIRECTORY_H
#define PROF_IO_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "util/diag.h"

bool directory_is(const char *path);

/*
 * Appends to `list`, which has *n of *cap paths, those of the regular files in a folder
 * and in the folders below it, sorted by name, byte by byte, folder by folder.  What is
 * hidden, its name beginning with a dot, is left out, and so are symbolic links, which
 * often name a file or a folder beside them a second time.  Returns the list, whose
 * paths the caller frees one by one; its old address is stale.  If the folder cannot be
 * read, or has no such file, the diag is set.
 */
char **directory_list(const char *path, char **list, size_t *n, size_t *cap, struct diag *d);

/* The same of an operand that may be a file: then it appends its path. */
char **directory_expand(const char *path, char **list, size_t *n, size_t *cap,
    struct diag *d);

#endif
