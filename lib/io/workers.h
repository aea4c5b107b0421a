/* SPDX-License-Identifier: ISC */
/*
 * Processes that each do a part of the work and write the result into a pipe.
 * They share nothing; the stream's `end` shows whether one has finished.
 */
#ifndef PROF_IO_WORKERS_H
#define PROF_IO_WORKERS_H

#include <stddef.h>
#include <sys/types.h>

#include "util/diag.h"

struct workers {
	size_t n;
	struct worker {
		pid_t pid;
		int fd;			/* to read from */
		char path[32];		/* the same as a file's name */
	} *v;
};

/*
 * Starts n of them.  In each, run() gets its number and the descriptor to write to,
 * and ends the process by _exit(): with 0 on success, else after printing the error.
 * The caller's output buffers must be empty.  0, or -1 with the diag set.
 */
int workers_start(struct workers *w, size_t n, void (*run)(void *arg, size_t i, int fd),
    void *arg, struct diag *d);

/* Closes their pipes, which ends those that still write, and waits for all: 0, or -1
 * if one failed, with the diag set only if that one cannot have said why. */
int workers_end(struct workers *w, struct diag *d);

#endif
