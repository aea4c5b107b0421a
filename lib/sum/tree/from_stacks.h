/* SPDX-License-Identifier: ISC */
/*
 * What grows from stacks.  A node of the tree is made of several of the tree of stacks,
 * its members: the same function in all places where it begins, and what is below them,
 * or above.
 */
#ifndef PROF_SUM_TREE_FROM_STACKS_H
#define PROF_SUM_TREE_FROM_STACKS_H

#include "sum/tree/nodes.h"
#include "sum/tree/stacks.h"

struct members {
	struct stacks *stacks;	/* complete */
	uint32_t *first, *child;	/* by node: child[first[node] .. first[node + 1]) */

	/* Callers go up from a member at a time: its cost is that where it began. */
	struct member { uint32_t at, from; } *v;
	size_t n, cap;
	struct pending { uint32_t node; struct member m; } *pending;
	size_t npending, cappending;
};

/* The stacks must outlive it.  All zeros may be freed, too. */
void members_init(struct members *s, struct stacks *stacks);
void members_free(struct members *s);

/* What trees begin with, and the children of a node.  0, or -1 if a sum does not fit. */
int members_roots(struct members *s, struct grower *g);
int members_expand(struct members *s, struct grower *g, size_t node);

#endif
