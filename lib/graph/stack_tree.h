/* SPDX-License-Identifier: ISC */
/*
 * A tree of stacks whose nodes have a label, such as a function, and not everything that a
 * context has.  A thread, by its name, may also be a node.  A node comes after its parent.
 */
#ifndef PROF_GRAPH_STACK_TREE_H
#define PROF_GRAPH_STACK_TREE_H

#include "graph/ctx_nodes.h"
#include "stream/sums.h"

enum { NODE_PARENT, NODE_LABEL, NODE_KEYS };

/* The kind of number that a label is: of a frame, as its owner counts them, or of the
 * string that names a thread. */
enum stack_kind { STACK_FRAME, STACK_THREAD };

struct stack_tree {
	const struct dict *dict;
	struct sums nodes;	/* by parent, or NO_ID, and label with its kind; with one
				 * sum each */
	struct ctx_nodes contexts;	/* below a node */
};

void stack_tree_init(struct stack_tree *t, const struct dict *dict);
void stack_tree_free(struct stack_tree *t);

/* Sets the node below which contexts are from now on. */
void stack_tree_below(struct stack_tree *t, uint32_t root);

/* The node of a parent and a label. */
uint32_t stack_tree_add(struct stack_tree *t, uint32_t parent, uint32_t label);
uint32_t stack_tree_add_thread(struct stack_tree *t, uint32_t parent, uint32_t name);

/* Returns the node of a context; label() returns the label of a context below a node. */
uint32_t stack_tree_node(struct stack_tree *t, uint32_t ctx,
    uint32_t (*label)(void *arg, uint32_t ctx, uint32_t parent), void *arg);

/* Has this context no node yet? */
static inline bool
stack_tree_is_new(const struct stack_tree *t, uint32_t ctx)
{
	return ctx_nodes_is_new(&t->contexts, ctx);
}

/* Adds the n sums of each node to those of its parent: 0, or -1 if one does not fit. */
int stack_tree_sum(const struct stack_tree *t, num *sum, size_t n);

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

static inline enum stack_kind
stack_tree_kind(const struct stack_tree *t, size_t node)
{
	return (enum stack_kind)(sums_key(&t->nodes, node)[NODE_LABEL] >> 32);
}

#endif
