/* SPDX-License-Identifier: ISC */
/*
 * The call tree: functions below their callers, or callers below the functions that they
 * call, with costs.  Stacks give it exactly.  A call graph has each call's cost, but not
 * how a callee's cost divides among its callers.  If all calls of a function come from one
 * place of the tree, its calls and its self cost there are known; otherwise its cost below
 * one caller is estimated in proportion to the costs of the calls.
 *
 * The tree grows level by level as far as it is asked for: a node that costs too little, or
 * is too deep, has no children.
 */
#ifndef PROF_SUM_TREE_H
#define PROF_SUM_TREE_H

#include "stream/dict.h"
#include "stream/measure.h"
#include "sum/heading.h"
#include "util/match.h"
#include "util/threshold.h"

/*
 * The request.  The caller sets it before tree_builder_new() and owns it; it must outlive
 * the builder.
 */
struct tree_request {
	struct dict *dict;
	struct diag *diag;
	struct text event;	/* or a formula; absent: the default: */
	struct text usual;	/* the default event, set before the first part comes, for
				 * example by filter_default_event() */
	/* The roots of trees: all functions that match.  NULL: the roots of stacks; with
	 * `callers` all functions that have self cost, which is the cost of their trees. */
	const struct match *functions;
	int root;		/* the frame before samples' stacks: a root_label
				 * (thread_frame.h) */
	bool callers;		/* below functions are their callers */
	bool takes_off;		/* some parts are taken off (sum/heading.h) */
	struct threshold min;	/* nodes that cost a smaller share are not followed */
	uint64_t depth;		/* the depth of the deepest nodes; 0: any */
	/* The number of lines that will be shown, those with the largest costs: nodes that
	 * are in none of them may be left out.  0: all are shown. */
	uint64_t rows;
};

/* Properties of a node; those of a side are shifted by tree_bit(). */
enum {
	TREE_COST_ESTIMATED = 1,
	TREE_SELF_ESTIMATED = 2,
	TREE_WHOLE = 4,		/* in a call graph: all calls of its function are here */
	TREE_BITS = 3,		/* the number of bits for each side */

	TREE_RECURSION = 64,	/* it is below itself, or calls itself */
	TREE_CYCLE = 128,	/* it is in a cycle */
	TREE_ENTERS = 256,	/* and its parent is not */
	TREE_SETTLED = 512,	/* its self cost is known */
	TREE_GROWN = 1024,	/* and its children exist */
};

static inline unsigned
tree_bit(unsigned flag, size_t side)
{
	return flag << side * TREE_BITS;
}

struct tree_node {
	uint32_t parent;	/* NO_ID for the whole */
	uint32_t func;		/* its function; NO_ID: unknown, or none */
	uint32_t thread;	/* the name of the thread that it stands for, a string;
				 * NO_ID: it is a function */
	uint32_t depth;		/* 0 for the whole */
	uint32_t root;		/* the root that it is below; 0 for a root and the whole */
	uint32_t first, n;	/* its children: n nodes from `first` on, the largest cost or
				 * change first */
	unsigned flags;
	num cost[SIDES];	/* inclusive cost */
	/* Self cost; with callers below, the cost that no caller accounts for. */
	num self[SIDES];
	/* Its origin, for the code that builds the tree. */
	uint32_t source;
	size_t at, nat;
};

/* The result, which the builder owns.  Node 0 is the whole, whose children are the
 * roots. */
struct call_tree {
	struct tree_node *v;
	size_t n;
	num *weight;		/* by node: the largest cost that is shown of it, and of those
				 * below it */
	size_t sides;
	num total[SIDES];	/* the base of percentages */
	const struct record *event;	/* NULL: a formula */
	struct text name;	/* of the event */
	uint64_t lacking;	/* parts that lack an event of the formula */
	bool cumulative;	/* costs hold those of others, and more than the total in all */
	bool overlap;		/* trees of several functions: one may be within another */
	bool bounded;		/* it was too large to be followed everywhere */
	bool has_costs;		/* some costs, or all, are those of functions, without stacks */
};

/* The most nodes and the most steps from frame to frame. */
#define TREE_NODES 1000000
#define TREE_STEPS 10000000

struct tree_builder;

/* Never returns NULL. tree_builder_free() takes NULL, and frees the tree and the
 * heading. */
struct tree_builder *tree_builder_new(const struct tree_request *q);
void tree_builder_free(struct tree_builder *m);

/* Returns the sink, which takes records up to `end`.  The builder frees it. */
struct sink *tree_builder_sink(struct tree_builder *m);

/* Builds the tree, once all records are in.  NULL with the diag set: the profile has no
 * calls, no such event, no function that matches. */
const struct call_tree *tree_builder_finish(struct tree_builder *m);

/* Complete when all records are in. */
const struct rank_heading *tree_builder_heading(const struct tree_builder *m);

/* Returns a node's name; absent if it is not known. */
struct text tree_node_name(const struct call_tree *t, const struct dict *dict, size_t node);

/* Returns the cost that is shown: in a difference the change. */
static inline num
tree_cost(const struct call_tree *t, size_t node)
{
	const num *cost = t->v[node].cost;

	return t->sides > 1 ? cost[SIDE_NEW] - cost[SIDE_OLD] : cost[0];
}

static inline num
tree_size(num cost)
{
	return cost == NUM_MIN ? NUM_MAX : cost < 0 ? -cost : cost;
}

/* Returns the child with the largest cost or change, which is the first; 0: there is none. */
static inline uint32_t
tree_heaviest(const struct call_tree *t, size_t node)
{
	return t->v[node].n ? t->v[node].first : 0;
}

/* Returns the larger of the costs of a node. */
num tree_most(const struct call_tree *t, const num *cost);

#endif
