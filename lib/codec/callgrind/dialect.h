/* SPDX-License-Identifier: ISC */
/*
 * What the producers of the format mean beyond its letter.  A `creator:` tells them
 * apart; a file without one is taken by its letter.
 */
#ifndef PROF_CODEC_CALLGRIND_DIALECT_H
#define PROF_CODEC_CALLGRIND_DIALECT_H

#include "util/buf.h"

/* What is known of an event that the file only names. */
struct dialect_event {
	struct text unit, attrs;	/* of the event's record; absent: none */
};

/* Both texts are static. */
struct dialect_event dialect_event(struct text creator, struct text name);

/* Valgrind's xtrees: each block up to a line of self cost is one whole stack, which is a
 * `sample`, unless an annotation with the key DIALECT_FLAT says that the part has costs
 * and calls of functions. */
#define DIALECT_STACKS "xtree-"
#define DIALECT_FLAT "xtree"
bool dialect_stacks(struct text creator);

/* Is the second number of `calls=` the line of the call, and the first one of the line
 * below it that of the callee? */
bool dialect_swaps_lines(struct text creator);

/* Does the producer end each part with `summary:`? */
bool dialect_sums_up(struct text creator);

/* Does it leave out the last newline? */
bool dialect_ends_open(struct text creator);

/* Does `calls=0` say that calls are not counted?  Callgrind has it, too, but of calls that
 * began before the part did.  events: as in their line. */
bool dialect_counts_no_calls(struct text creator, struct text events);

/* Is `totals:` something else than the sum of the lines? */
bool dialect_totals_differ(struct text creator);

/* Another output of the same program that says more, as a note; NULL. */
const char *dialect_better(struct text creator);

#endif
