/* SPDX-License-Identifier: ISC */
/*
 * A tree while it is built.  Each of these calls only those after it:
 *
 *	builder.c		records, events, totals; the result
 *	from_calls.[ch]		what grows from a call graph
 *	call_graph.[ch]		the call graph
 *	from_stacks.[ch]	what grows from stacks
 *	stacks.[ch]		the stacks
 *	nodes.[ch]		nodes
 */
#ifndef PROF_SUM_TREE_NODES_H
#define PROF_SUM_TREE_NODES_H

#include "stream/sums.h"
#include "sum/tree.h"

/* The sources of nodes, each with labels of its own. */
enum { GROW_STACKS, GROW_THREADS, GROW_CALLS };

struct node_builder {
	struct call_tree t;
	const struct tree_request *q;
	size_t cap;
	uint64_t steps;
	num *top;		/* the largest costs of lines, in ascending order */
	size_t ntop;
	uint32_t last_root;	/* of the nodes that may be shown; 0: any */
	/* By parent, source and label: numbers of nodes, while they are being made. */
	struct sums made;
	signed char *verdict;	/* by function: does it match?  0: not known yet */
	size_t capverdict;
};

void node_builder_init(struct node_builder *g, const struct tree_request *q);
void node_builder_free(struct node_builder *g);

/* Returns the child of a node with this source and label; a new one has no function and no
 * cost.  Call it only while no other node's children are made. */
size_t grow_child(struct node_builder *g, size_t parent, uint32_t source, uint32_t label);

/* Does this function match the request? */
bool grow_matches(struct node_builder *g, uint32_t func);

/* Counts steps: false if there were too many, and the tree is bounded. */
bool grow_step(struct node_builder *g, uint64_t n);

/* The children of a node are complete and in order, and nothing costs more than its parent:
 * finds those that cannot be in the rows that are shown. */
void grow_limit(struct node_builder *g, size_t node);

/* Does a node cost enough to be followed? */
bool grow_follows(const struct node_builder *g, size_t node);
/* Is it not too deep to have children? */
bool grow_goes_on(const struct node_builder *g, size_t node);

/* Sorts the children of a node, which are complete. */
void grow_sort(struct node_builder *g, size_t parent);

/* All nodes are complete: marks functions that are below themselves. */
void grow_mark_recursion(struct node_builder *g);

#endif
