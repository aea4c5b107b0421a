/* SPDX-License-Identifier: ISC */
/*
 * Worker processes, each of which does a part of the work and writes the result into a
 * pipe.  They share nothing; the stream's `end` shows whether a worker has finished.
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
		char path[32];		/* /dev/fd/N: the same as a file's name */
	} *v;
	/* After workers_end(): the bits that any worker's status has, and those that all
	 * have. */
	unsigned any, all;
};

/* Returns how many workers can be read at once: descriptors may be few, or may not be
 * files. */
size_t workers_most(void);

/*
 * Starts n workers.  In each, run() gets its number and the descriptor to write to, and
 * ends the process by _exit(): with a status of WORKER_BITS on success, whose meaning is
 * the caller's, otherwise with another one after printing the error.  The caller's output
 * buffers must be empty.  0, or -1 with the diag set.
 */
int workers_start(struct workers *w, size_t n, void (*run)(void *arg, size_t i, int fd),
    void *arg, struct diag *d);

#define WORKER_BITS 0x70u

/* Closes the pipes, which ends workers that still write, and waits for all.  0, or -1 if
 * one failed; the diag is set only if that worker cannot have reported the reason. */
int workers_end(struct workers *w, struct diag *d);

#endif
