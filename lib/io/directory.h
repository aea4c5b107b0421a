/* SPDX-License-Identifier: ISC */
/* The files in a directory. */
#ifndef PROF_IO_DIRECTORY_H
#define PROF_IO_DIRECTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "util/buf.h"
#include "util/diag.h"

bool directory_is(const char *path);

/* Is the directory one profile?  Then *file is set to the path of the file that stands for
 * it. */
typedef bool directory_claim(const char *path, struct buf *file);

/*
 * Appends a path to `list`, which has *n of *cap paths; for a directory the paths of the
 * regular files in it and in the directories below it, sorted bytewise by name within each
 * directory.  Hidden files, whose names begin with a dot, are left out, and so are symbolic
 * links, which often name a file or directory next to them a second time.  A directory that
 * claim() takes for one profile is replaced by the file that stands for it.  Returns the list,
 * whose paths the caller frees one by one; its old address is stale.  If a directory cannot be
 * read, or has no such file, the diag is set.
 */
char **directory_expand(const char *path, directory_claim *claim, char **list, size_t *n,
    size_t *cap, struct diag *d);

#endif
