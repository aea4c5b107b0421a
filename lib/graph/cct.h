/* SPDX-License-Identifier: ISC */
/*
 * Costs by calling context: what samples and points tell of whole stacks, summed
 * over a part, and a walk over the tree of them.
 */
#ifndef PROF_TREE_H
#define PROF_TREE_H

#include "stream/dict.h"
#include "util/num.h"

/* What only points tell of a node: activations, an inclusive cost and the event
 * that it is of. */
struct tree_told {
	num count, incl;
	size_t slot;
};

struct tree {
	const struct dict *dict;
	size_t nval;		/* sums of self and inclusive cost of a node */
	size_t n;		/* nodes, the caller's before the callee's */

	uint32_t *ctx, *parent;	/* by node; of roots NO_ID */
	unsigned char *flags;	/* TREE_* */
	num *val;
	struct tree_told *told;	/* of those that have flags */
	size_t capctx, capparent, capflags, capval, captold;
	uint32_t *node;		/* by context: node + 1 */
	size_t capnode;
};

enum {
	TREE_COUNTED = 1,	/* its activations are counted */
	TREE_MEASURED = 2,	/* an inclusive cost is measured; all others are
				 * the sums of what is below */
};

void tree_free(struct tree *t);
/* Empties it. */
void tree_clear(struct tree *t, const struct dict *dict, size_t nval);

/* The node of a context, made with those above it if need be. */
size_t tree_node(struct tree *t, uint32_t ctx);

/* A node's sums, nval of each.  Valid until another node is made; inclusive cost
 * is there during the walk. */
num *tree_self(const struct tree *t, size_t node);
const num *tree_incl(const struct tree *t, size_t node);

/* Activations, and what they cost with all they called, of the event `slot`,
 * the same one in all calls.  0, or -1 if a sum does not fit 128 bits. */
int tree_count(struct tree *t, size_t node, num count);
int tree_measure(struct tree *t, size_t node, size_t slot, num incl);
/* 0 where they are not counted. */
num tree_activations(const struct tree *t, size_t node);

struct tree_walk {
	/* From the roots down, and back up; nonzero ends the walk. */
	int (*enter)(void *arg, size_t node);
	int (*leave)(void *arg, size_t node);	/* may be NULL */
	void *arg;
};

/* 0, or what ended it, or -1 if a sum does not fit 128 bits. */
int tree_walk(struct tree *t, const struct tree_walk *w);

#endif
