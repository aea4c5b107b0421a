/* SPDX-License-Identifier: ISC */
/*
 * Processes that each do a part of the work and write what comes of it into a
 * pipe: they share nothing, and the stream's `end` tells whether one got through.
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
 * Starts n of them.  run() is called in each, with its number and where to write;
 * it ends the process by _exit(), 0 if all went well, and has said it if not.  The
 * caller's buffers are empty.  0, or -1 with the diag set.
 */
int workers_start(struct workers *w, size_t n, void (*run)(void *arg, size_t i, int fd),
    void *arg, struct diag *d);

/* Waits for all: 0, or -1 if one failed, with the diag set only if that one cannot
 * have said why.  Whoever has stopped reading ends them so. */
int workers_end(struct workers *w, struct diag *d);

#endif
