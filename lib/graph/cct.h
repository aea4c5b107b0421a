/* SPDX-License-Identifier: ISC */
/*
 * The calling-context tree: costs of whole stacks, from samples and points, summed
 * over a part, and a walk over the tree.
 */
#ifndef PROF_GRAPH_CCT_H
#define PROF_GRAPH_CCT_H

#include "stream/dict.h"
#include "util/num.h"

/* Data of a node that only points have: activations, an inclusive cost and its event. */
struct cct_points {
	num count, incl;
	size_t slot;
};

struct cct {
	const struct dict *dict;
	size_t nval;		/* a node has nval sums of self cost, and nval of inclusive
				 * cost */
	size_t n;		/* nodes; callers come before callees */

	uint32_t *ctx, *parent;	/* by node; a root's parent is NO_ID */
	unsigned char *flags;	/* CCT_* */
	num *val;
	struct cct_points *points;	/* by node, for those that have flags */
	size_t capctx, capparent, capflags, capval, cappoints;
	uint32_t *node;		/* by context: node + 1 */
	size_t capnode;
};

enum {
	CCT_COUNTED = 1,	/* its activations are counted */
	CCT_MEASURED = 2,	/* one inclusive cost is measured; all others are sums of
				 * the nodes below */
};

void cct_free(struct cct *t);
/* Empties it. */
void cct_clear(struct cct *t, const struct dict *dict, size_t nval);

/* Returns the node of a context, which is made, with those above it, if it is new. */
size_t cct_node(struct cct *t, uint32_t ctx);
/* Returns how many nodes cct_node() would make; 0 for NO_ID. */
size_t cct_lacks(const struct cct *t, uint64_t ctx);

/* A node's sums, nval of each.  Valid until another node is made; inclusive costs are
 * available during the walk only. */
num *cct_self(const struct cct *t, size_t node);
const num *cct_incl(const struct cct *t, size_t node);

/* Add activations, and their inclusive cost of the event `slot`, which must be the same
 * in all calls.  0, or -1 if a sum does not fit 128 bits. */
int cct_count(struct cct *t, size_t node, num count);
int cct_measure(struct cct *t, size_t node, size_t slot, num incl);
/* Returns a node's activations; 0 if they are not counted. */
num cct_activations(const struct cct *t, size_t node);

struct cct_walk {
	/* Called on the way down from the roots, and back up; nonzero ends the walk. */
	int (*enter)(void *arg, size_t node);
	int (*leave)(void *arg, size_t node);	/* may be NULL */
	void *arg;
};

/* 0, the nonzero result that ended it, or -1 if a sum does not fit 128 bits. */
int cct_walk(struct cct *t, const struct cct_walk *w);

#endif
