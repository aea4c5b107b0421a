/* SPDX-License-Identifier: ISC */
/*
 * The end of a part: converts its functions, places and calls to nodes and sources of a
 * struct contraction, and the result to records.
 *
 *	fold_end.c	the sums
 *	fold_graph.c	nodes, sources and arrivals
 *	fold_put.c	records out
 */
#ifndef PROF_FILTER_FOLD_END_H
#define PROF_FILTER_FOLD_END_H

#include "filter/fold_state.h"

/* All parts of this are numbered in an order that does not depend on the input's. */
struct node {
	struct text name, file, object, object_key, object_attrs, key;
	uint32_t bare;		/* the function without its attributes */
	uint32_t func;		/* a definition of it, the first by attributes */
};

struct source {
	uint32_t node;
	bool whole;		/* it is all of the node; otherwise: */
	struct text file, attrs;	/* of the place; of its function */
	uint64_t place[PLACE_KEYS];
	uint32_t row;
};

struct arrival {
	uint64_t key[AT_KEYS];
	struct text attrs;
};

struct ending {
	struct fold *fd;
	struct contraction fold;
	struct node *node;
	uint32_t *node_of;	/* by function + 1: its node + 1 */
	size_t capnode, capnode_of;
	struct source *source;
	uint32_t *source_of;	/* by row of a place */
	struct arrival *arrival;
	uint32_t *arrival_of;	/* by row */
	struct { size_t old, new; } *change;	/* by event: if fold.derived, its sides */
	bool *rooted;		/* by node: is it folded, and costs more than the calls into
				 * it? */
};

static inline size_t
fold_func_at(uint64_t func)
{
	return func == NO_ID ? 0 : func + 1;
}

/* Returns the node of a function. */
static inline uint32_t
fold_node_of(const struct ending *e, uint64_t func)
{
	return e->node_of[fold_func_at(func)] - 1;
}

/* Returns the node of a call's caller. */
static inline uint32_t
fold_caller_of(const struct ending *e, size_t call)
{
	const struct fold *fd = e->fd;

	return fold_node_of(e, sums_key(&fd->places,
	    sums_key(&fd->calls, call)[CALL_FROM])[KEY_FUNC]);
}

/* Is neither the caller nor the callee folded?  Then the call passes unchanged. */
static inline bool
fold_call_stays(const struct ending *e, size_t call)
{
	return e->fold.whole[fold_caller_of(e, call)] == CONTRACT_NONE &&
	    !e->fold.folded[fold_node_of(e, sums_key(&e->fd->calls, call)[CALL_TO])];
}

/* ---- fold_graph.c ---- */

/* Numbers the functions, and finds those that are folded, and their order. */
void fold_plan(struct ending *e);

/* After that: number the places of calls and costs, and the places in callees where calls
 * arrive. */
void fold_find_sources(struct ending *e);
void fold_find_arrivals(struct ending *e);

/* ---- fold_put.c ---- */

/* Puts the remaining costs and calls.  0, or -1 with the diag set. */
int fold_put_result(struct ending *e);

#endif
