/* SPDX-License-Identifier: ISC */
/*
 * The call graph: its cycles, and inclusive cost.
 *
 * A cycle is a strongly connected component.  The cost of a call is known; whether it was
 * nested in another activation of its callee is not, unless the two are in no cycle, or the
 * profiler named each level of recursion: then a call of a function's first level is not
 * nested in another call of it.
 *
 * The inclusive cost of a node is the larger of (the calls into it that are not nested, if
 * there are any) and (its self cost + the calls from it that are not nested in another
 * activation of it).  Both use measured costs only, so a filtered graph still gives
 * measured costs; the first is too low for a thread's root, the second for a node below
 * which a filter has dropped calls.  If some calls may be nested, both are lower bounds,
 * and so is the mean cost of a call within the cycle, for both its ends, since one of these
 * calls cost at least that.  The largest is used.
 *
 * Where a filter has dropped calls that closed a cycle, calls into a node or from it may be
 * nested although they do not look so.  For a node in a remaining cycle, its self cost and
 * the mean cost of any of its calls are still lower bounds; for any other node the sums are
 * upper bounds.
 *
 * For an event with negative costs none of these is a bound: the first form is used
 * if there are calls, otherwise the second.  Costs that were propagated, not measured, are
 * those of a whole cycle where they enter one, so in a cycle the second form is used,
 * as gprof does.
 */
#ifndef PROF_GRAPH_GRAPH_H
#define PROF_GRAPH_GRAPH_H

#include "stream/sums.h"

/*
 * An edge's key is (row of the call, node of the caller, node of the callee),
 * its sums are the count of calls and then one for each of the rows' sums.
 * Here the row is the caller's; where rows are places, nodes are functions (inclusive_places.h).
 */
enum { EDGE_ROW, EDGE_FROM, EDGE_TO, EDGE_KEYS };

/* Calls that were recorded in the same way. */
struct graph_calls {
	const struct sums *edges;
	const bool *first;	/* by node: no call into it is nested; NULL: unknown */
	const bool *alone;	/* of these: it may be after all; NULL */
	bool partial;		/* some were dropped, which may have closed a cycle */
};

struct graph {
	const struct sums *rows;
	const struct graph_calls *calls;
	size_t ncalls;
	bool averages;		/* counts and costs are of the same calls: means are bounds */
	const bool *propagated;	/* for each of the rows' sums */
	/* Set, if it is not NULL, as incl is: no less than the inclusive cost. */
	num *upper;
	/* For a difference: the sums of one of its sides (NULL: all), and which of the
	 * edges' sums counts its calls (else 0). */
	const bool *only;
	size_t count;
};

/*
 * Sets comp[node] to the number of its cycle, which may be the node alone; it is greater
 * than the numbers of the cycles that it calls.  has(arg, edge): was this call made?
 * NULL: all were.
 */
void graph_cycles(const struct sums *edges, size_t nnodes,
    bool (*has)(const void *arg, size_t edge), const void *arg, uint32_t *comp);

/* Properties of a row's inclusive cost. */
enum {
	GRAPH_CYCLE = 1,	/* calls of it may be nested in each other: a lower bound */
	GRAPH_MIXED = 2,	/* of a row of places, some negative costs may be nested in
				 * others: unknown */
	GRAPH_PARTIAL = 4,	/* nested calls may have counted twice, as calls were
				 * dropped or a first level may be all levels: an upper
				 * bound, unless GRAPH_CYCLE makes it a lower one */
};

/*
 * Sets incl[row * rows->nval + i] for the sums in `only`; calls[row]: calls into the
 * row except from itself; flags[row]: GRAPH_*.  0, or -1 if a
 * sum does not fit 128 bits.
 */
int graph_inclusive(const struct graph *g, num *incl, num *calls,
    unsigned char *flags);

#endif
