/* SPDX-License-Identifier: ISC */
/*
 * The call graph: its cycles, and inclusive cost.
 *
 * A cycle is a strongly connected component.  What a call cost is known; whether
 * it was made inside another activation of its callee is not, unless the two are
 * in no cycle, or the producer gave each level of recursion a name of its own:
 * then a call of a function's first level is nested in no other one of it.
 *
 * The inclusive cost of a node is the larger of (the calls into it that are not
 * nested, if there are any) and (its self cost + the calls from it that are not
 * nested in another activation of it).  Both are as measured, so that a filtered
 * graph still gives what was measured; the first misses a thread's root, the
 * second what a filter has dropped below a node.  Where some calls may be nested
 * both are lower bounds, and so is the mean cost of a call within the cycle, for
 * both its ends: one of these calls cost as much.  The largest is taken.
 *
 * Of an event with negative costs none of these is a bound: there the first form
 * is taken where there are calls, else the second.  Costs that were not measured
 * but propagated are those of a whole cycle where they enter one: in a cycle the
 * second form is taken, as gprof does.
 */
#ifndef PROF_GRAPH_GRAPH_H
#define PROF_GRAPH_GRAPH_H

#include "stream/sums.h"

/*
 * An edge's key is (row of the call, node of the caller, node of the callee),
 * its sums are the count of calls and then one for each of the rows' sums.
 * Nodes are the rows themselves or, where rows are finer (lines), functions:
 * then the second form alone is used, as calls into a function are no cost of
 * its first line.
 */
enum { EDGE_ROW, EDGE_FROM, EDGE_TO, EDGE_KEYS };

/* Calls that were recorded in one way. */
struct graph_calls {
	const struct sums *edges;
	const bool *first;	/* by node: no call into it is nested; NULL: none known */
	bool partial;		/* some were dropped: they may have closed a cycle */
};

struct graph {
	const struct sums *rows;
	const struct graph_calls *calls;
	size_t ncalls, nnodes;
	bool fine;
	bool averages;		/* counts and costs are of the same calls: means are bounds */
	const bool *propagated;	/* of each of the rows' sums */
	/* Of a difference: the sums of one of its sides, and which of the edges' sums
	 * counts its calls.  NULL: all, and 0. */
	const bool *only;
	size_t count;
};

/*
 * comp[node]: the number of its cycle (alone in it or not), which is greater
 * than those of the cycles that it calls.  has(arg, edge): was this call made?
 * NULL: all were.
 */
void graph_cycles(const struct sums *edges, size_t nnodes,
    bool (*has)(const void *arg, size_t edge), const void *arg, uint32_t *comp);

/* What is known of a row's inclusive cost. */
enum {
	GRAPH_CYCLE = 1,	/* calls of it may be nested in each other: a lower bound */
	GRAPH_MIXED = 2,	/* a fine row with calls of several functions, which may
				 * be nested in each other: not to be known */
	GRAPH_PARTIAL = 4,	/* dropped calls may have shown that some of its calls are
				 * nested, which counted twice: neither bound nor exact */
};

/*
 * Of the sums that count (`only`), incl[row * rows->nval + i]; calls[row]: calls into
 * the row's node but from itself (of fine rows 0); flags[row]: GRAPH_*.  0, or -1 if a
 * sum does not fit 128 bits.
 */
int graph_inclusive(const struct graph *g, num *incl, num *calls,
    unsigned char *flags);

#endif
