/* SPDX-License-Identifier: ISC */
/*
 * Decompression in a separate thread, which reads a descriptor and stays a few blocks ahead
 * of its reader.
 */
#ifndef PROF_IO_UNZIP_H
#define PROF_IO_UNZIP_H

#include <stddef.h>
#include <sys/types.h>

#include "io/zip.h"

struct unzip_thread;

/* Starts a thread.  `head`: bytes that were already read from fd, which it copies.  From
 * now on only the thread may read fd.  NULL with errno if no thread could be created. */
struct unzip_thread *unzip_start(int fd, const char *head, size_t n, enum zip_kind kind);

/* Like read(2); -1 with *why set to a text that lives as long as t. */
ssize_t unzip_read(struct unzip_thread *t, char *s, size_t n, const char **why);

/* Has unzip_read() failed because the data ends too early? */
bool unzip_cut(const struct unzip_thread *t);

/* Stops the thread, wherever it is, and frees t. */
void unzip_stop(struct unzip_thread *t);

#endif
