/* SPDX-License-Identifier: ISC */
/*
 * What grows from stacks.  A node of the tree is made of several of the tree of stacks,
 * its members: the same function in all places where it begins, and what is below them,
 * or above.
 */
#ifndef PROF_SUM_TREE_STACKS_H
#define PROF_SUM_TREE_STACKS_H

#include "graph/stack_tree.h"
#include "sum/tree/grow.h"

struct stack_source {
	struct stack_tree stacks;	/* sums: self costs, by side; 0 is the whole */
	num *cost;		/* inclusive ones: node * sides + side */
	uint32_t *first, *child;	/* by node: child[first[node] .. first[node + 1]) */

	/* Callers go up from a member at a time: its cost is that where it began. */
	struct stack_member { uint32_t at, from; } *member;
	size_t nmember, capmember;
	struct stack_pending { uint32_t node; struct stack_member m; } *pending;
	size_t npending, cappending;
};

void stacks_init(struct stack_source *s, struct dict *dict);
void stacks_free(struct stack_source *s);

/* From now on stacks are below the thread of this name, "" for none. */
void stacks_below(struct stack_source *s, struct dict *dict, struct text name);

/* The self costs of a context, by side; valid until another is looked for. */
num *stacks_self(struct stack_source *s, uint64_t ctx);

/* Are there any? */
bool stacks_any(const struct stack_source *s);

/* All of these: 0, or -1 if a sum does not fit 128 bits.
 * Once all stacks are known; then what trees begin with, and the children of a node. */
int stacks_finish(struct stack_source *s);
int stacks_roots(struct stack_source *s, struct grower *g);
int stacks_expand(struct stack_source *s, struct grower *g, size_t node);

#endif
