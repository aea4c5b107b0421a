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
 * A node with n calls into it and m that come to be out of it takes time of n * m.
 * Memory is that of the result and of what callers have got that are not
 * eliminated yet: 8 bytes and 16 for each number, for each place and what it calls,
 * and at most twice that while shares come in.  Of cycles of many nodes both may be
 * far more than is read: there are bounds.
 */
#ifndef PROF_GRAPH_CONTRACT_H
#define PROF_GRAPH_CONTRACT_H

#include "stream/sums.h"

#define FOLD_ABSENT NUM_MIN	/* a sum of nothing but absent numbers */
#define FOLD_NONE UINT32_MAX

/* So many shares there may be and, more of them, so many for each number of a call;
 * so many calls that come of it and, more of them, so many for each call. */
#define FOLD_SHARES ((uint64_t)1 << 25)
#define FOLD_SHARES_EACH 256
#define FOLD_CALLS ((uint64_t)1 << 20)
#define FOLD_CALLS_EACH 16

/* The calls of a source that nodes have left to it, by node and a number of the
 * caller's for what else tells calls apart.  Their sums are the count, then the
 * events. */
struct contract_calls {
	uint64_t *key;		/* FOLD_KEY */
	num *val;		/* 1 + nval of each */
	size_t n, capkey, capval;
	size_t merged;		/* those in front that are told apart */
};

#define FOLD_KEY(to, at) ((uint64_t)(to) << 32 | (at))
#define FOLD_KEY_TO(key) ((uint32_t)((key) >> 32))
#define FOLD_KEY_AT(key) ((uint32_t)(key))

struct contraction {
	/* Told before contract_plan(). */
	size_t nnodes;
	bool *folded;		/* by node; of those that stay, it is cleared */
	struct sums links;	/* keys: caller, callee; no sums */

	/* contract_plan(): in their order, those that are to be eliminated; by node,
	 * is it called, at last, by several nodes that stay?  contract_run() clears it
	 * of those that had nothing to share. */
	uint32_t *order;
	size_t norder;
	bool *shared;

	/*
	 * Told before contract_begin().  A source is a place that calls are from, or all
	 * of a node that is to be eliminated.  Of equal remainders the least source
	 * gets more.
	 */
	size_t nsources, nval;
	uint32_t *node;		/* by source */
	uint32_t *whole;	/* by node: its source; FOLD_NONE where it stays */
	bool *derived;		/* by event: the caller computes it; NULL: none */

	num *self;		/* by source and event */
	struct sums edges;	/* calls of nodes that are to be eliminated */
	struct contract_calls *calls;	/* by source: of nodes that stay */
	bool refused;		/* why contract_run() is -1: the bounds */
};

void contract_plan(struct contraction *f);

/* Between the two come self costs of sources, and calls with their sums, of or by
 * nodes that are to be eliminated.  0, or -1 if a sum does not fit 128 bits, or
 * f->refused. */
void contract_begin(struct contraction *f);
int contract_self(struct contraction *f, uint32_t source, const num *costs);
int contract_call(struct contraction *f, uint32_t from, uint32_t to, uint32_t at,
    const num *sums);
int contract_run(struct contraction *f);

void contract_free(struct contraction *f);

#endif
