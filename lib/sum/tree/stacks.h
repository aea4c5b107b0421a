/* SPDX-License-Identifier: ISC */
/*
 * The stacks of a profile as one tree, functions below their callers and, where the
 * profile or --root has it, below their threads, with costs by the sides of a measure.
 */
#ifndef PROF_SUM_TREE_STACKS_H
#define PROF_SUM_TREE_STACKS_H

#include "graph/stack_tree.h"
#include "stream/defs.h"
#include "stream/thread_frame.h"

struct stacks {
	struct stack_tree tree;	/* of functions; sums: self costs, by side; 0 is the
				 * whole */
	struct dict *dict;
	struct thread_frame root;	/* the thread of the current sample */
	/* Called once for each context that a sample has.  NULL: not needed. */
	void (*see)(void *arg, const uint32_t *ctx);
	void *arg;
	num *cost;		/* inclusive costs: node * sides + side */
};

/* root: a root_label, for threads. */
void stacks_init(struct stacks *s, struct dict *dict, int root);
void stacks_free(struct stacks *s);

void stacks_widen(struct stacks *s, size_t sides);

/* Begins a part, whose header is complete. */
void stacks_part(struct stacks *s, const struct part *p);

/* Returns the node of a sample's last frame; without a stack, that of its thread, or the
 * whole. */
uint32_t stacks_node(struct stacks *s, const struct record *sample);

/* Ends the samples: sets cost.  0, or -1 if one does not fit 128 bits. */
int stacks_finish(struct stacks *s);

/* Returns a node's name; absent if it is not known. */
struct text stacks_name(const struct stacks *s, size_t node);

static inline size_t
stacks_size(const struct stacks *s)
{
	return s->tree.nodes.n;
}

static inline size_t
stacks_sides(const struct stacks *s)
{
	return s->tree.nodes.nval;
}

static inline uint32_t
stacks_parent(const struct stacks *s, size_t node)
{
	return stack_tree_parent(&s->tree, node);
}

static inline bool
stacks_is_thread(const struct stacks *s, size_t node)
{
	return stack_tree_kind(&s->tree, node) == STACK_THREAD;
}

/* Returns a node's function; NO_ID if that is unknown, or it stands for something else. */
static inline uint32_t
stacks_func(const struct stacks *s, size_t node)
{
	return stacks_is_thread(s, node) ? NO_ID : stack_tree_label(&s->tree, node);
}

static inline bool
stacks_is_func(const struct stacks *s, size_t node)
{
	return node && !stacks_is_thread(s, node);
}

/* Returns a node's function; all of it is absent if it has none. */
static inline struct func_def
stacks_func_def(const struct stacks *s, size_t node)
{
	return dict_func_def(s->dict, stacks_func(s, node));
}

static inline struct text
stacks_object(const struct stacks *s, size_t node)
{
	return dict_object_path(s->dict, stacks_func_def(s, node).object);
}

static inline struct text
stacks_file(const struct stacks *s, size_t node)
{
	return dict_path(s->dict, stacks_func_def(s, node).file);
}

/* Returns a node's self costs, by side; valid until another node is looked up. */
static inline num *
stacks_self(const struct stacks *s, size_t node)
{
	return sums_val(&s->tree.nodes, node);
}

/* Returns its inclusive costs, after stacks_finish(). */
static inline const num *
stacks_cost(const struct stacks *s, size_t node)
{
	return s->cost + node * stacks_sides(s);
}

#endif
