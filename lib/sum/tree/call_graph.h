/* SPDX-License-Identifier: ISC */
/*
 * The call graph that a tree grows from: functions with their costs and calls, and, once
 * all calls are known, its cycles.
 */
#ifndef PROF_SUM_TREE_CALL_GRAPH_H
#define PROF_SUM_TREE_CALL_GRAPH_H

#include "graph/adjacency.h"
#include "graph/apportion.h"
#include "graph/graph.h"
#include "stream/recursion_levels.h"
#include "sum/tree/nodes.h"

struct call_cycle {
	num in[SIDES];		/* calls into it from outside */
	num need[SIDES];	/* the cost of its functions and their calls to outside */
	uint32_t calls;		/* the number of calls into it */
	uint32_t members;
	/* For a cycle that is a root: the number of members that cost more, or less, than
	 * all calls into them, and the member with the largest excess. */
	uint32_t roots, head;
};

struct call_source {
	struct dict *dict;
	struct sums rows;	/* by function; self costs, by side */
	/* Edges as in graph.h, with functions as rows: counts, then costs by side. */
	struct sums edges;
	uint32_t *row_of;	/* row + 1, by function */
	size_t caprow_of;
	bool propagated;	/* the costs of calls were distributed, not measured */
	bool mixed;		/* some calls were not recorded by levels of recursion */
	struct recursion_levels levels;	/* used if there are none */
	/* Some calls were dropped: the remaining ones may be nested in each other; or it is
	 * not known for which callers a function worked. */
	bool partial, callers_lost;
	bool filtered;		/* a filter has dropped something */
	bool whole[SIDES];	/* one function, with its callees, has the whole cost: no
				 * other thread begins with one of these */

	/* Once all calls are known. */
	uint32_t *cycle;	/* by row: the cycle, which may be the row alone */
	struct call_cycle *of;	/* by cycle */
	bool *calls_itself;	/* by row */
	/* By row, after a filter: does its remaining cost differ from that of the calls
	 * into it? */
	bool *uneven[SIDES];
	bool *first;		/* by row: is no call of it nested in another? */
	struct adjacency out, into;
	/* The children of a node, while they are made: edges, and the weights of each
	 * side. */
	uint32_t *edge;
	bool *inner;		/* of each edge: it is within a cycle */
	num *weight, *part[SIDES];
	size_t n, ninner;
	num above[SIDES];	/* the cost of calls of functions above the node, which are
				 * not children */
	bool sole[SIDES];	/* all of it is in one child, or all is self cost */
	uint32_t *stamp;	/* by row: the last node at or below it, + 1 */
	struct apportion apportion;
};

void calls_init(struct call_source *c, struct dict *dict);
void calls_free(struct call_source *c);
void calls_widen(struct call_source *c, size_t sides);

/* Return the self costs of a function, by side; the count and costs of a call.  Valid until
 * the next such lookup. */
num *calls_self(struct call_source *c, uint64_t func);
num *calls_edge(struct call_source *c, uint64_t from, uint64_t to);

/* The same as those of stacks.h. */
bool calls_any(const struct call_source *c);
/* Are there several functions, but no call? */
bool calls_none(const struct call_source *c);
/* Ends the calls; total: the cost of the program. */
int calls_finish(struct call_source *c, const num *total);

/* ---- once all calls are known ---- */

static inline uint32_t
from_of(const struct call_source *c, size_t edge)
{
	return (uint32_t)sums_key(&c->edges, edge)[EDGE_FROM];
}

static inline uint32_t
to_of(const struct call_source *c, size_t edge)
{
	return (uint32_t)sums_key(&c->edges, edge)[EDGE_TO];
}

static inline num
cost_of(const struct call_source *c, size_t edge, size_t side)
{
	return sums_val(&c->edges, edge)[1 + side];
}

static inline num
self_of(const struct call_source *c, size_t row, size_t side)
{
	return sums_val(&c->rows, row)[side];
}

static inline struct call_cycle *
cycle_of(const struct call_source *c, size_t row)
{
	return &c->of[c->cycle[row]];
}

static inline bool
is_inner(const struct call_source *c, size_t edge)
{
	return c->cycle[from_of(c, edge)] == c->cycle[to_of(c, edge)];
}

#endif
