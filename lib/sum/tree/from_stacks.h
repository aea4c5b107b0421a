/* SPDX-License-Identifier: ISC */
/*
 * The growth of a tree from stacks.  A node stands for several nodes of the tree of stacks,
 * its members: the same function in all places where it begins, and the nodes below them,
 * or above.
 */
#ifndef PROF_SUM_TREE_FROM_STACKS_H
#define PROF_SUM_TREE_FROM_STACKS_H

#include "sum/tree/nodes.h"
#include "sum/tree/stacks.h"

struct members {
	struct stacks *stacks;	/* complete */
	uint32_t *first, *child;	/* by node: child[first[node] .. first[node + 1]) */

	/* Towards the callers, a member goes up step by step: its cost is that of the node
	 * where it began. */
	struct member { uint32_t at, from; } *v;
	size_t n, cap;
	struct pending { uint32_t node; struct member m; } *pending;
	size_t npending, cappending;
};

/* The stacks must outlive it. members_free() takes one that is all zeros. */
void members_init(struct members *s, struct stacks *stacks);
void members_free(struct members *s);

/* Add the roots of trees, and the children of a node.  0, or -1 if a sum does not fit. */
int members_roots(struct members *s, struct node_builder *g);
int members_expand(struct members *s, struct node_builder *g, size_t node);

#endif
