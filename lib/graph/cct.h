/* SPDX-License-Identifier: ISC */
/*
 * The calling-context tree: costs of whole stacks, from samples and points, summed
 * over a part, and a walk over the tree.
 */
#ifndef PROF_GRAPH_CCT_H
#define PROF_GRAPH_CCT_H

#include "stream/dict.h"
#include "util/num.h"

struct cct {
	const struct dict *dict;
	size_t nval;		/* sums of a node */
	size_t n;		/* nodes; callers come before callees */
	num *val;
	size_t capval;
	/* Data of nodes that points have: activations, an inclusive cost and its event. */
	struct cct_points {
		num count, incl;
		size_t slot;
		unsigned flags;
	} *points;
	size_t cappoints;
	/* A tree often has all contexts from one on: then the first node is that of the
	 * context `first`, and so on.  Otherwise it is listed: */
	bool listed;
	uint32_t first;
	uint32_t *ctx, *parent;	/* by node; a root's parent is NO_ID */
	uint32_t *node;		/* by context: node + 1 */
	size_t capctx, capparent, capnode;
};

void cct_free(struct cct *t);
/* Empties it. */
void cct_clear(struct cct *t, const struct dict *dict, size_t nval);

/* Returns the node of a context, which is made, with those above it, if it is new. */
size_t cct_node(struct cct *t, uint32_t ctx);
/* Returns how many nodes cct_node() would make; 0 for NO_ID. */
size_t cct_lacks(const struct cct *t, uint64_t ctx);

/* Returns a node's context. */
static inline uint32_t
cct_ctx(const struct cct *t, size_t node)
{
	return t->listed ? t->ctx[node] : t->first + (uint32_t)node;
}

/* A node's sums, nval of them.  Valid until another node is made. */
static inline num *
cct_self(const struct cct *t, size_t node)
{
	return t->val + node * t->nval;
}

/* Add activations, and their inclusive cost of the event `slot`, which must be the same
 * in all calls.  0, or -1 if a sum does not fit 128 bits. */
int cct_count(struct cct *t, size_t node, num count);
int cct_measure(struct cct *t, size_t node, size_t slot, num incl);
/* Returns a node's activations; 0 if they are not counted. */
num cct_activations(const struct cct *t, size_t node);
bool cct_is_counted(const struct cct *t, size_t node);

struct cct_walk {
	/* Called on the way down from the roots, and back up, then with the node's nval
	 * inclusive costs; nonzero ends the walk. `depth`: the number of nodes above it. */
	int (*enter)(void *arg, size_t node, size_t depth);
	int (*leave)(void *arg, size_t node, size_t depth, const num *incl);
	void *arg;
};

/* Makes all sums inclusive.  0, the nonzero result that ended it, or -1 if a sum does not fit
 * 128 bits. */
int cct_walk(struct cct *t, const struct cct_walk *w);

#endif
