/* SPDX-License-Identifier: ISC */
/*
 * Dialects: the deviations of profilers from the format.  `creator:` identifies a profiler;
 * a file without one is read literally.
 */
#ifndef PROF_CODEC_CALLGRIND_DIALECT_H
#define PROF_CODEC_CALLGRIND_DIALECT_H

#include "util/buf.h"

/* The properties of an event that the file only names. */
struct dialect_event {
	struct text unit, attrs;	/* of the event's record; absent: none */
};

/* Returns static texts. */
struct dialect_event dialect_event(struct text creator, struct text name);

/* Valgrind's xtrees: each block up to a line of self cost is one whole stack, which is a
 * `sample`, unless a comment with the key DIALECT_FLAT states that the part has costs and
 * calls of functions. */
#define DIALECT_STACKS "xtree-"
#define DIALECT_FLAT "xtree"
bool dialect_stacks(struct text creator);

/* Is the second number of `calls=` the line of the call, and the first number of the next
 * line that of the callee? */
bool dialect_swaps_lines(struct text creator);

/* Does the profiler end each part with `summary:`? */
bool dialect_sums_up(struct text creator);

/* Does the profiler leave out the last newline? */
bool dialect_ends_open(struct text creator);

/* Does `calls=0` mean that calls are not counted?  Callgrind also writes it, for calls that
 * began before the part. events: as in their line. */
bool dialect_counts_no_calls(struct text creator, struct text events);

/* Does `totals:` differ from the sum of the lines? */
bool dialect_totals_differ(struct text creator);

/* Returns advice to use another output of the same program that has more data, for a note;
 * NULL: none. */
const char *dialect_better(struct text creator);

#endif
