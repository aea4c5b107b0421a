/* SPDX-License-Identifier: ISC */
/*
 * What grows from a call graph.
 *
 * All that is known of a function is known where it is whole: where it is called from one
 * place only, that is whole itself.  There its self cost and its calls are the measured
 * ones.  Elsewhere its cost in this place is divided among itself and what it calls in
 * proportion of these, which is exact if all of it is in one of them.
 *
 * Calls within a cycle of functions count activations in each other more than once.  What
 * is called is left out where it is above already.  Where a cycle is entered by one call,
 * functions are whole as long as each calls but one other of the cycle; the rest is an
 * estimate.  The first level of a function is called in no other call of it: it is whole as
 * the root of a tree, and the calls from and into it are exact there.
 */
#ifndef PROF_SUM_TREE_CALLS_H
#define PROF_SUM_TREE_CALLS_H

#include "graph/adjacency.h"
#include "graph/apportion.h"
#include "graph/graph.h"
#include "sum/tree/grow.h"

struct call_source {
	struct dict *dict;
	struct sums rows;	/* by function; self costs, by side */
	/* As graph.h has edges, its rows being functions: counts, then costs by side. */
	struct sums edges;
	uint32_t *row_of;	/* row + 1, by function */
	size_t caprow_of;
	bool propagated;	/* the costs of calls were shared out, not measured */
	bool mixed;		/* some were not recorded by levels of recursion (level.h) */

	/* Once all calls are known. */
	uint32_t *cycle;	/* by row: the cycle, which may be the row alone */
	struct call_cycle *of;	/* by cycle */
	bool *calls_itself;	/* by row */
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
int calls_finish(struct call_source *c);
int calls_roots(struct call_source *c, struct grower *g);
/* Also the self cost of the node, and only that if it is too deep. */
int calls_expand(struct call_source *c, struct grower *g, size_t node);

#endif
