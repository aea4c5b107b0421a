/* SPDX-License-Identifier: ISC */
/*
 * A tree while it is made.  Each of these calls only those after it:
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

/* What nodes come from, whose labels are numbers of their own. */
enum { GROW_STACKS, GROW_THREADS, GROW_CALLS };

struct grower {
	struct call_tree t;
	const struct tree_request *q;
	size_t cap;
	uint64_t steps;
	num *top;		/* the costs of lines that cost most, the least first */
	size_t ntop;
	uint32_t last_root;	/* of those that may be shown; 0: any */
	/* By parent, source and label: numbers of nodes, as long as they are being made. */
	struct sums made;
	signed char *verdict;	/* by function: does it match?  0: not asked yet */
	size_t capverdict;
};

void grower_init(struct grower *g, const struct tree_request *q);
void grower_free(struct grower *g);

/* The child of a node, by where it comes from and a label of that; a new one has no
 * function and no cost.  Only while no other node's children are made. */
size_t grow_child(struct grower *g, size_t parent, uint32_t source, uint32_t label);

/* Does this function match the request? */
bool grow_matches(struct grower *g, uint32_t func);

/* Counts steps: false if there were too many, and the tree is bounded. */
bool grow_step(struct grower *g, uint64_t n);

/* The children of a node are there, in order, and nothing costs more than what is above it:
 * some of what is already known cannot be in the rows that are shown. */
void grow_limit(struct grower *g, size_t node);

/* Is there enough of a node to follow it? */
bool grow_follows(const struct grower *g, size_t node);
/* Is it not too deep to have children? */
bool grow_goes_on(const struct grower *g, size_t node);

/* All children of a node are there: puts them in order. */
void grow_sort(struct grower *g, size_t parent);

/* All nodes are there: which functions are below themselves? */
void grow_mark_recursion(struct grower *g);

#endif
