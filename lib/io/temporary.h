/* SPDX-License-Identifier: ISC */
/* Temporary files: unnamed, in $TMPDIR, otherwise /tmp, so that a process that is killed
 * leaves nothing. */
#ifndef PROF_IO_TEMPORARY_H
#define PROF_IO_TEMPORARY_H

#include "util/buf.h"

/* Returns the descriptor of a new file, open for reading and writing; -1 with errno set.
 * Sets *name to the file's name for messages, "temporary file in /tmp", in either case. */
int temporary_file(struct buf *name);

#endif
