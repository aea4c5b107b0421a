/* SPDX-License-Identifier: ISC */
/*
 * The progress line.  If standard error is a terminal, it appears after one second, shows
 * how much has been read or done, and is removed before anything else is shown.  It is for
 * tools that read everything before they write; others show their progress by their output.
 */
#ifndef PROF_IO_PROGRESS_H
#define PROF_IO_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `tool` will read this many files; a second call changes nothing.  Shows nothing if
 * standard error is not a terminal, or a dumb one.  Call it before forking: the
 * processes share their count of files. */
void progress_begin(const char *tool, size_t files);

/* Is progress being counted? */
bool progress_begun(void);

/* For input.c: `done` bytes of a file were read, out of `size`, 0 if unknown. */
void progress_read(const char *file, uint64_t done, uint64_t size);

/* For work that reads nothing: `done` of `of` are finished. */
void progress_work(const char *what, uint64_t done, uint64_t of);

/* Begins the next file. */
void progress_file(void);

/* This process shows nothing from here on, but still counts files. */
void progress_hide(void);

/* This process stops counting: the files that it reads from here on were counted by
 * the processes that read them first. */
void progress_end(void);

/* Erases the line until more is read.  Call it before output and messages, which may go to
 * the same terminal. */
void progress_clear(void);

#endif
