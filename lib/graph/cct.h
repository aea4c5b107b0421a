/* SPDX-License-Identifier: ISC */
/*
 * Costs by calling context: what samples and points tell of whole stacks, summed
 * over a part, and a walk over the tree of them.
 */
#ifndef PROF_GRAPH_CCT_H
#define PROF_GRAPH_CCT_H

#include "stream/dict.h"
#include "util/num.h"

/* What only points tell of a node: activations, an inclusive cost and the event
 * that it is of. */
struct cct_points {
	num count, incl;
	size_t slot;
};

struct cct {
	const struct dict *dict;
	size_t nval;		/* sums of self and inclusive cost of a node */
	size_t n;		/* nodes, the caller's before the callee's */

	uint32_t *ctx, *parent;	/* by node; of roots NO_ID */
	unsigned char *flags;	/* CCT_* */
	num *val;
	struct cct_points *points;	/* of those that have flags */
	size_t capctx, capparent, capflags, capval, cappoints;
	uint32_t *node;		/* by context: node + 1 */
	size_t capnode;
};

enum {
	CCT_COUNTED = 1,	/* its activations are counted */
	CCT_MEASURED = 2,	/* an inclusive cost is measured; all others are
				 * the sums of what is below */
};

void cct_free(struct cct *t);
/* Empties it. */
void cct_clear(struct cct *t, const struct dict *dict, size_t nval);

/* The node of a context, made with those above it if need be. */
size_t cct_node(struct cct *t, uint32_t ctx);
/* How many that would make.  ctx: NO_ID makes none. */
size_t cct_lacks(const struct cct *t, uint64_t ctx);

/* A node's sums, nval of each.  Valid until another node is made; inclusive cost
 * is there during the walk. */
num *cct_self(const struct cct *t, size_t node);
const num *cct_incl(const struct cct *t, size_t node);

/* Activations, and what they cost with all they called, of the event `slot`,
 * the same one in all calls.  0, or -1 if a sum does not fit 128 bits. */
int cct_count(struct cct *t, size_t node, num count);
int cct_measure(struct cct *t, size_t node, size_t slot, num incl);
/* 0 where they are not counted. */
num cct_activations(const struct cct *t, size_t node);

struct cct_walk {
	/* From the roots down, and back up; nonzero ends the walk. */
	int (*enter)(void *arg, size_t node);
	int (*leave)(void *arg, size_t node);	/* may be NULL */
	void *arg;
};

/* 0, or what ended it, or -1 if a sum does not fit 128 bits. */
int cct_walk(struct cct *t, const struct cct_walk *w);

#endif
