/* SPDX-License-Identifier: ISC */
/*
 * How far reading has come, on the terminal that standard error may be: one line,
 * from the second second on, and gone before anything else is shown.  For tools
 * that write nothing before they have read everything; those that write all the
 * while show how far they are.
 */
#ifndef PROF_IO_PROGRESS_H
#define PROF_IO_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `tool` will read so many files; a second call changes nothing.  Where standard
 * error is no terminal, or a dumb one, nothing will be shown.  Call it before
 * processes are forked: they count together what they read. */
void progress_begin(const char *tool, size_t files);

/* Has it, with effect? */
bool progress_begun(void);

/* For input.c: `done` bytes of a file were read, of `size`, which is 0 where it is
 * not known. */
void progress_read(const char *file, uint64_t done, uint64_t size);

/* Another one will. */
void progress_file(void);

/* Here nothing is shown, though files count. */
void progress_hide(void);

/* This process neither shows nor counts any more: what it reads from here on was
 * read by others, who do. */
void progress_end(void);

/* Takes the line off until more is read: before output and messages, which may come
 * to the same terminal. */
void progress_clear(void);

#endif
