/* SPDX-License-Identifier: ISC */
/*
 * A tree of stacks whose nodes are told apart by a label, such as a function, and not by
 * all that a context has.  A node comes after its parent.
 */
#ifndef PROF_GRAPH_STACK_TREE_H
#define PROF_GRAPH_STACK_TREE_H

#include "stream/dict.h"
#include "stream/sums.h"

enum { NODE_PARENT, NODE_LABEL, NODE_KEYS };

struct stack_tree {
	const struct dict *dict;
	struct sums nodes;	/* by parent, or NO_ID, and label; with one sum each */
	uint32_t root;		/* the node below which contexts are; NO_ID */
	uint32_t round;		/* how often that was set */
	struct stack_node { uint32_t round, node; } *of_ctx;
	size_t capof_ctx;
	uint32_t *path;		/* contexts on the way down */
	size_t cappath;
};

void stack_tree_init(struct stack_tree *t, const struct dict *dict);
void stack_tree_free(struct stack_tree *t);

/* From now on contexts are below this node. */
void stack_tree_below(struct stack_tree *t, uint32_t root);

/* The node of a parent and a label. */
uint32_t stack_tree_add(struct stack_tree *t, uint32_t parent, uint32_t label);

/* The node of a context; `label` gives that of a context below a node. */
uint32_t stack_tree_node(struct stack_tree *t, uint32_t ctx,
    uint32_t (*label)(void *arg, uint32_t ctx, uint32_t parent), void *arg);

static inline uint32_t
stack_tree_parent(const struct stack_tree *t, size_t node)
{
	return (uint32_t)sums_key(&t->nodes, node)[NODE_PARENT];
}

static inline uint32_t
stack_tree_label(const struct stack_tree *t, size_t node)
{
	return (uint32_t)sums_key(&t->nodes, node)[NODE_LABEL];
}

#endif
