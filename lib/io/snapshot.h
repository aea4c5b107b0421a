/* SPDX-License-Identifier: ISC */
/*
 * Snapshots of a growing input, such as the output of a running profiler: copies of the
 * process for which the input ends, as at an interrupt, so that each shows the input so far.
 * The process itself continues reading.
 */
#ifndef PROF_IO_SNAPSHOT_H
#define PROF_IO_SNAPSHOT_H

#include <stdbool.h>

struct snapshots {
	/* Returns the milliseconds until the next snapshot is due; 0: now; -1: not before
	 * `wake` can be read. */
	int (*due)(void *arg);
	int wake;		/* a descriptor; -1: none */
	bool follow;		/* files grow, too: they have no end */
	/* Is called in a copy before it goes on, and in the process after it has made
	 * one. */
	void (*begin_copy)(void *arg);
	void (*made)(void *arg);
	/* Is called in the process when the input has ended and all copies have; NULL:
	 * nothing is to be done. */
	void (*ended)(void *arg);
	void *arg;
};

/* From here on snapshots are made while inputs are read; there is one copy at a time.  `s`
 * must live until the end, which waits for the last copy.  In a copy, and where no snapshots
 * are made, the end does nothing. */
void snapshots_begin(const struct snapshots *s);
void snapshots_end(void);

/* Are snapshots made?  Do files grow? */
bool snapshots_on(void);
bool snapshots_follow(void);

/* Is the process a copy? */
bool snapshot_is(void);

/* Waits until the descriptor can be read (-1: does not wait), and makes the snapshots that
 * are due meanwhile.  ended: it is a file whose present end was reached.  False in a copy,
 * or after an interrupt: the input ends. */
bool snapshot_wait(int fd, bool ended);

#endif
