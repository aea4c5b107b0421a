/* SPDX-License-Identifier: ISC */
/*
 * How far reading has come, on the terminal that standard error may be: one line,
 * from the second second on, and gone before anything else is shown.  For tools
 * that write nothing before they have read everything; those that write all the
 * while show how far they are.
 */
#ifndef PROF_IO_PROGRESS_H
#define PROF_IO_PROGRESS_H

#include <stddef.h>

#include "util/diag.h"

/* So many files will be read, with this diag; said again it is no news.  Where
 * standard error is no terminal, or a dumb one, nothing will be shown.  Before
 * processes are forked: they count together what they read. */
void progress_begin(const char *tool, size_t files, struct diag *d);

/* Another one will. */
void progress_file(void);

/* Here nothing is shown, though files count. */
void progress_hide(void);

/* Takes the line off until more is read: before output and messages, which may come
 * to the same terminal. */
void progress_clear(void);

#endif
