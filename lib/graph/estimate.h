/* SPDX-License-Identifier: ISC */
/*
 * Stacks estimated from a call graph, which does not tell them.  The self cost
 * of each function is shared out to its callers by the inclusive costs of their
 * calls, each share to their callers, and so on up to a root.  Shares are whole
 * and add up, so that the self cost of every function is kept exactly; which of
 * its callers it was for is the estimate.
 *
 * A function is a root by as much as it and what it calls cost more than all
 * calls into it.  Where these cost nothing, their counts share; where there
 * are none, it is a root.
 *
 * Recursion is cut: callers that are in the stack already have no share.  Where
 * no other is left, the rest of the stack is the widest way to a root, the one
 * whose least call costs most; where there is no root, the stack begins.
 *
 * Each function may be at the end of a stack of all the others, so their frames may be
 * as many as the square of the functions.  They are counted before the first stack is
 * put, and bounded.
 */
#ifndef PROF_GRAPH_ESTIMATE_H
#define PROF_GRAPH_ESTIMATE_H

#include "stream/sums.h"

/* A call's key: the rows of the caller and of the callee.  Its sums are the
 * count, then inclusive costs, one for each of the self costs. */
enum { ESTIMATE_FROM, ESTIMATE_TO, ESTIMATE_KEYS };

/* No share is made smaller than the total divided by this: there are not more
 * stacks than this for each event, and one for each function. */
#define STACKS_SHARES 100000

/* All stacks together have no more frames than this. */
#define STACKS_FRAMES 10000000

struct stack_estimate {
	const struct sums *self;	/* a row for each function */
	const struct sums *calls;
	/* Called with each stack once, the function whose self cost it is first,
	 * the root last, and a cost for each event.  0, or not to stop. */
	int (*put)(void *arg, const uint32_t *path, size_t n, const num *cost);
	void *arg;
};

/* No cost or count may be negative.  0, what put() returned, ESTIMATE_LARGE where 128
 * bits do not suffice, or ESTIMATE_MANY, and nothing was put, where there would be more
 * than STACKS_FRAMES. */
enum { ESTIMATE_LARGE = -2, ESTIMATE_MANY = -3 };

int estimate_stacks(const struct stack_estimate *s);

#endif
