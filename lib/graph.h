/* SPDX-License-Identifier: ISC */
/*
 * The call graph: its cycles, and inclusive cost.
 *
 * A cycle is a strongly connected component.  The inclusive cost of a node is
 * the larger of (calls into it from outside its cycle, if there are any) and
 * (its self cost + its calls that leave its cycle).  Both are as measured, so
 * that a filtered graph still gives what was measured; the first misses a
 * thread's root, the second what a filter has dropped below a node.  Calls
 * inside a cycle count an activation once for each level of recursion and are
 * never added, so that in a cycle of several nodes it is a lower bound.  Of an
 * event with negative costs neither is a bound: there the first form is taken
 * where there are calls, else the second.  Costs that were not measured but
 * propagated are those of a whole cycle where they enter one: in a cycle the
 * second form is taken, as gprof does.
 */
#ifndef PROF_GRAPH_H
#define PROF_GRAPH_H

#include "table.h"

/*
 * An edge's key is (row of the call, node of the caller, node of the callee),
 * its sums are the count of calls and then one for each of the rows' sums.
 * Nodes are the rows themselves or, where rows are finer (lines), functions:
 * then the second form alone is used, as calls into a function are no cost of
 * its first line.
 */
enum { EDGE_ROW, EDGE_FROM, EDGE_TO, EDGE_KEYS };

struct graph {
	const struct table *rows, *edges;
	size_t nnodes;
	bool fine;
	const bool *propagated;	/* of each of the rows' sums; NULL: none is */
	const bool *only;	/* sums that say which calls there are; NULL: all, and
				 * their count */
};

/* comp[node]: the number of its cycle (alone in it or not), which is greater
 * than those of the cycles that it calls. */
void graph_cycles(const struct graph *g, uint32_t *comp);

/* What is known of a row's inclusive cost. */
enum {
	GRAPH_CYCLE = 1,	/* its node is in a cycle with others: a lower bound */
	GRAPH_MIXED = 2,	/* a fine row with calls of several functions, which may
				 * be nested in each other: not to be known */
};

/*
 * Of the sums that count (`only`), incl[row * rows->nval + i]; calls[row]: calls into
 * the row's node but from itself (of fine rows 0); flags[row]: GRAPH_*.  0, or -1 if a
 * sum does not fit 128 bits.
 */
int graph_inclusive(const struct graph *g, num *incl, num *calls,
    unsigned char *flags);

#endif
