/* SPDX-License-Identifier: ISC */
/*
 * Functions folded into their callers: the elimination of nodes from a call
 * graph.  A node's self cost and its calls go to the places that it is called
 * from, shared out by the inclusive cost of these calls, and with it they are
 * gone.  No cost is lost, and none is counted twice.
 *
 * Callees go first, and nodes of a cycle in the order of their numbers, so that
 * numbers which do not depend on the order of the input make a result that does
 * not, either.  A call of a node by itself has no self cost and vanishes with it.
 *
 * What no other node calls has nowhere to go and stays; so does the first node of
 * a cycle that is not called from outside.  These are found before anything is
 * eliminated: every other node is called, at last, by one that stays.
 *
 * Each event is shared by its own costs in the calls, counts by counts.  Where
 * those are all zero or absent, costs are shared by counts, and counts by the
 * first event that is not; where there is none, equally.  Weights are absolute
 * values.  Absent numbers have absent shares.
 *
 * A node with n calls into it and m out of it takes time, and at most memory, of
 * n * m.
 */
#ifndef PROF_FOLD_H
#define PROF_FOLD_H

#include "share.h"
#include "table.h"

#define FOLD_ABSENT NUM_MIN	/* a sum of nothing but absent numbers */
#define FOLD_NONE UINT32_MAX

/*
 * An edge's key: where the call is, the node that it calls, and a number of the
 * caller's for what else tells it apart.  Its sums are the count, then the events.
 */
enum { FOLD_FROM, FOLD_TO, FOLD_AT, FOLD_KEYS };

/* Of an edge: it has a share in it; it was eliminated. */
enum { FOLD_MADE = 1, FOLD_GONE = 2 };

struct fold {
	/* Told before fold_plan(). */
	size_t nnodes;
	bool *folded;		/* by node; of those that stay, it is cleared */
	struct table links;	/* keys: caller, callee; no sums */

	/* fold_plan(): in their order, those that are to be eliminated; by node,
	 * is it called, at last, by several nodes that stay? */
	uint32_t *order;
	size_t norder;
	bool *shared;

	/*
	 * Told before fold_run().  A source is a place that calls are from, or all
	 * of a node that is to be eliminated.  Of equal remainders the least source
	 * gets more.
	 */
	size_t nsources, nval;
	uint32_t *node;		/* by source */
	uint32_t *whole;	/* by node: its source; FOLD_NONE where it stays */
	bool *derived;		/* by event: the caller computes it; NULL: none */
	num *self;		/* by source and event; FOLD_ABSENT */
	struct table edges;

	unsigned char *flags;	/* by edge: set */
	size_t capflags;
	size_t nshared;		/* nodes whose cost was shared among several */
};

void fold_plan(struct fold *f);
/* 0, or -1 if a sum does not fit 128 bits. */
int fold_run(struct fold *f);
void fold_free(struct fold *f);

#endif
