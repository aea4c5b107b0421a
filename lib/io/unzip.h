/* SPDX-License-Identifier: ISC */
/*
 * Decompression on a thread of its own: it reads a descriptor, unpacks, and
 * keeps a few blocks ahead of whoever reads them.
 */
#ifndef PROF_IO_UNZIP_H
#define PROF_IO_UNZIP_H

#include <stddef.h>
#include <sys/types.h>

#include "io/zip.h"

struct unzip_thread;

/* `head` are the bytes read from fd already; copied.  The thread is the only
 * reader of fd from now on.  NULL with errno if no thread could be made. */
struct unzip_thread *unzip_start(int fd, const char *head, size_t n, enum zip_kind kind);

/* Like read(2); -1 with *why set to a text that lives as long as t. */
ssize_t unzip_read(struct unzip_thread *t, char *s, size_t n, const char **why);

/* Has unzip_read() failed because the data end too early? */
bool unzip_cut(const struct unzip_thread *t);

/* Stops the thread wherever it is. */
void unzip_stop(struct unzip_thread *t);

#endif
