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
	num need[SIDES];	/* what its functions and their calls to outside cost */
	uint32_t calls;		/* the number of calls into it */
	uint32_t members;
	/* Of one that a tree begins with: how many members cost something else than all calls
	 * into them, and which of them costs most more. */
	uint32_t roots, head;
};

struct call_source {
	struct dict *dict;
	struct sums rows;	/* by function; self costs, by side */
	/* As graph.h has edges, its rows being functions: counts, then costs by side. */
	struct sums edges;
	uint32_t *row_of;	/* row + 1, by function */
	size_t caprow_of;
	bool propagated;	/* the costs of calls were shared out, not measured */
	bool mixed;		/* some were not recorded by levels of recursion */
	struct recursion_levels levels;	/* if none */
	/* Some were dropped: what is left may be nested in each other; or which callers a
	 * function did the rest for is not known. */
	bool partial, callers_lost;
	bool filtered;		/* something was dropped */
	bool whole[SIDES];	/* one function, with what it calls, costs all there is: no
				 * other thread begins with one of those it calls */

	/* Once all calls are known. */
	uint32_t *cycle;	/* by row: the cycle, which may be the row alone */
	struct call_cycle *of;	/* by cycle */
	bool *calls_itself;	/* by row */
	/* By row, after a filter: what is left of it is not what the calls into it cost. */
	bool *uneven[SIDES];
	bool *first;		/* by row: no call of it is nested in another */
	struct adjacency out, into;
	/* The children of a node that are being made: edges, and each side's weights. */
	uint32_t *edge;
	bool *inner;		/* of each edge: it is within a cycle */
	num *weight, *part[SIDES];
	size_t n;
	num above[SIDES];	/* calls of functions above the node, which are none of these */
	bool sole[SIDES];	/* it is all in one of these, or all its own */
	uint32_t *stamp;	/* by row: the last node with it above or at it, + 1 */
	struct apportion apportion;
};

void calls_init(struct call_source *c, struct dict *dict);
void calls_free(struct call_source *c);
void calls_widen(struct call_source *c, size_t sides);

/* The self costs of a function, by side; of a call its count and costs.  Valid until
 * another is looked for. */
num *calls_self(struct call_source *c, uint64_t func);
num *calls_edge(struct call_source *c, uint64_t from, uint64_t to);

/* As those of stacks.h. */
bool calls_any(const struct call_source *c);
/* Are there several functions, and no call? */
bool calls_none(const struct call_source *c);
/* total: what the program costs. */
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
