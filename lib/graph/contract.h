/* SPDX-License-Identifier: ISC */
/*
 * Functions folded into their callers: the elimination of nodes from a call
 * graph.  A node's self cost and its calls are divided among the places that call
 * it, by the inclusive cost of these calls; then the node and the calls into it are
 * removed.  No cost is lost, and none is counted twice.
 *
 * Callees are eliminated first, and the nodes of a cycle in the order of their
 * numbers: if the numbers do not depend on the order of the input, neither does the
 * result.  A call of a node by itself has no self cost and vanishes with the node.
 *
 * A node that no other node calls has nowhere to go and stays; so does the first node
 * of a cycle that is not called from outside.  These are found before anything is
 * eliminated: every other node is called, directly or indirectly, by one that stays.
 *
 * Each event is divided by its own costs in the calls, and counts by counts.  If those
 * are all zero or absent, costs are divided by counts, and counts by the first event
 * that is neither; if there is none, equally.  Weights are absolute values.  Absent
 * numbers have absent shares.
 *
 * A node with n calls into it takes time n * m, where m is the number of calls out of
 * it when it is eliminated.  Memory is needed for the result and for the shares of
 * callers that are not eliminated yet: for each place and each node that it calls,
 * 8 bytes and 16 for each number, and at most twice that while shares are added.  For
 * cycles of many nodes both may be far more than the input: hence the bounds.
 */
#ifndef PROF_GRAPH_CONTRACT_H
#define PROF_GRAPH_CONTRACT_H

#include "stream/sums.h"

#define CONTRACT_NONE UINT32_MAX

/* The bounds: CONTRACT_SHARES shares, or CONTRACT_SHARES_EACH for each number of a call if that
 * is more; and CONTRACT_CALLS resulting calls, or CONTRACT_CALLS_EACH for each call. */
#define CONTRACT_SHARES ((uint64_t)1 << 25)
#define CONTRACT_SHARES_EACH 256
#define CONTRACT_CALLS ((uint64_t)1 << 20)
#define CONTRACT_CALLS_EACH 16

/* The calls that a source has inherited from nodes.  Each has the node and a number that
 * stands for everything else that distinguishes calls; the caller chooses it.  Their sums
 * are the count, then the events. */
struct contract_calls {
	uint64_t *key;		/* CONTRACT_KEY */
	num *val;		/* 1 + nval for each */
	size_t n, capkey, capval;
	size_t merged;		/* the first so many have different keys */
};

#define CONTRACT_KEY(to, at) ((uint64_t)(to) << 32 | (at))
#define CONTRACT_KEY_TO(key) ((uint32_t)((key) >> 32))
#define CONTRACT_KEY_AT(key) ((uint32_t)(key))

struct contraction {
	/* Set before contract_plan(). */
	size_t nnodes;
	bool *folded;		/* by node; cleared for those that stay */
	struct sums links;	/* keys: caller, callee; no sums */

	/* Set by contract_plan(): the nodes to eliminate, in order; and, by node, whether
	 * several nodes that stay call it, directly or indirectly. contract_run() clears
	 * the latter for nodes that had nothing to divide. */
	uint32_t *order;
	size_t norder;
	bool *shared;

	/*
	 * Set before contract_begin().  A source is a place that calls, or the whole of a
	 * node to eliminate.  If remainders are equal, the lowest source is rounded up.
	 */
	size_t nsources, nval;
	uint32_t *node;		/* by source */
	uint32_t *whole;	/* by node: its source; CONTRACT_NONE if it stays */
	bool *derived;		/* by event: the caller computes it; NULL: none */

	num *self;		/* by source and event */
	struct sums edges;	/* calls of nodes to eliminate */
	struct contract_calls *calls;	/* by source: calls of nodes that stay */
	bool refused;		/* contract_run() returned -1 because of the bounds */
};

void contract_plan(struct contraction *f);

/* Between contract_begin() and contract_run(), these add the self costs of sources, and the
 * calls of or by nodes to eliminate, with their sums.  0, or -1 if a sum does not fit 128
 * bits, or with f->refused set. */
void contract_begin(struct contraction *f);
int contract_self(struct contraction *f, uint32_t source, const num *costs);
int contract_call(struct contraction *f, uint32_t from, uint32_t to, uint32_t at,
    const num *sums);
int contract_run(struct contraction *f);

void contract_free(struct contraction *f);

#endif
