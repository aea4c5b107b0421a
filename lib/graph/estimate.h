/* SPDX-License-Identifier: ISC */
/*
 * Stacks estimated from a call graph, which does not record them.  The self cost
 * of each function is divided among its callers by the inclusive costs of their
 * calls, each share among their callers, and so on up to a root.  Shares are whole
 * and add up, so the self cost of every function is exact; which of its callers
 * caused it is the estimate.
 *
 * A function is a root to the extent that it and its callees cost more than all
 * calls into it.  If the calls cost nothing, their counts are the weights; if there
 * are no calls, it is a root.
 *
 * Recursion is not followed: callers that are already in the stack get no share.  If no other
 * is left, the rest of the stack is the widest path to a root, the one whose least
 * call costs most; if there is no root, the stack begins there.
 *
 * The stack of each function may contain all the others, so the number of frames may
 * be the square of that of the functions.  Frames are counted and bounded, and stacks
 * kept, a byte or two for each frame that differs from the stack before, until all are
 * known: then the first one is put.
 */
#ifndef PROF_GRAPH_ESTIMATE_H
#define PROF_GRAPH_ESTIMATE_H

#include "stream/sums.h"

/* A call's key: the rows of the caller and of the callee.  Its sums are the
 * count, then inclusive costs, one for each of the self costs. */
enum { ESTIMATE_FROM, ESTIMATE_TO, ESTIMATE_KEYS };

/* No share is smaller than the total divided by this, so there are at most this many
 * stacks for each event, and one for each function. */
#define ESTIMATE_SHARES 100000

/* The most frames that all stacks together may have, and the most whose callers are not
 * those of the stack before: such a frame needs a context, usually 100 bytes later on. */
#define ESTIMATE_FRAMES 10000000
#define ESTIMATE_CONTEXTS 4000000

struct stack_estimate {
	const struct sums *self;	/* a row for each function */
	const struct sums *calls;
	/* Called once for each stack: the function that has the self cost comes first,
	 * the root last; with a cost for each event.  Nonzero stops. */
	int (*put)(void *arg, const uint32_t *path, size_t n, const num *cost);
	/* Progress callback: `done` of `of` functions are finished. */
	void (*step)(void *arg, uint64_t done, uint64_t of);
	void *arg;
};

/* No cost or count may be negative.  Returns 0; the nonzero result of put(); ESTIMATE_LARGE
 * if 128 bits do not suffice; ESTIMATE_MANY, with nothing put, if there would be more
 * frames than ESTIMATE_FRAMES or ESTIMATE_CONTEXTS. */
enum { ESTIMATE_LARGE = -2, ESTIMATE_MANY = -3 };

int estimate_stacks(const struct stack_estimate *s);

#endif
