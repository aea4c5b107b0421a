/* SPDX-License-Identifier: ISC */
/*
 * The call tree: functions below their callers, or callers below the functions that they
 * call, with costs.  Stacks give it exactly.  A call graph has each call's cost, but not
 * on whose behalf a callee called others: where all calls of a function come from one
 * place of the tree, its calls and its own cost are known; else what they cost below one
 * caller is estimated, in proportion of what the calls cost.
 *
 * The tree grows level by level as far as what is asked for: what costs too little, or is
 * too deep, is there without what is below it.
 */
#ifndef PROF_SUM_TREE_H
#define PROF_SUM_TREE_H

#include "stream/dict.h"
#include "stream/measure.h"
#include "sum/heading.h"
#include "util/match.h"
#include "util/threshold.h"

/*
 * The request.  Who asks sets it before tree_maker_new() and owns it; it must outlive the
 * maker.
 */
struct tree_request {
	struct dict *dict;
	struct diag *diag;
	struct text event;	/* or a formula; absent: the default: */
	struct text usual;	/* set before the first part comes, as by
				 * filter_default_event() */
	/* Where trees begin: all functions that match.  NULL: where stacks do; with
	 * `callers` at all functions that have a cost of their own, which is theirs. */
	const struct match *functions;
	int root;		/* of samples' stacks: a root_label (root.h) */
	bool callers;		/* below functions are their callers */
	struct threshold min;	/* what costs less of the whole is not followed */
	uint64_t depth;		/* nor what is deeper; 0: any */
	/* So many lines will be shown, those that cost most: what is in none of them may be
	 * left out.  0: all. */
	uint64_t rows;
};

/* What is known of a node; those of a side are shifted by tree_bit(). */
enum {
	TREE_COST_ESTIMATED = 1,
	TREE_SELF_ESTIMATED = 2,
	TREE_WHOLE = 4,		/* of a call graph: all of its function's calls are here */
	TREE_BITS = 3,		/* so many for each side */

	TREE_RECURSION = 64,	/* it is below itself, or calls itself */
	TREE_CYCLE = 128,	/* it is in a cycle of calls */
	TREE_ENTERS = 256,	/* and the one above is not */
	TREE_SETTLED = 512,	/* its self cost is known */
	TREE_GROWN = 1024,	/* and all that is below it, one level */
};

static inline unsigned
tree_bit(unsigned flag, size_t side)
{
	return flag << side * TREE_BITS;
}

struct tree_node {
	uint32_t parent;	/* NO_ID of the whole */
	uint32_t func;		/* its function; NO_ID: unknown, or none */
	uint32_t thread;	/* a string: it is not a function, but a thread; NO_ID */
	uint32_t depth;		/* of the whole 0 */
	uint32_t root;		/* the one it is below; of a root and the whole 0 */
	uint32_t first, n;	/* its children: nodes from `first` on, in their order */
	unsigned flags;
	num cost[SIDES];	/* with all that is below */
	/* Its own; with callers below, what was called by no one. */
	num self[SIDES];
	/* Where it comes from: for those who make the tree. */
	uint32_t source;
	size_t at, nat;
};

/* The result: the maker's.  Node 0 is the whole, whose children are where trees begin. */
struct call_tree {
	struct tree_node *v;
	size_t n;
	size_t sides;
	num total[SIDES];	/* what percentages are of */
	const struct record *event;	/* NULL: a formula */
	struct text name;	/* of the event */
	bool cumulative;	/* costs hold those of others, and more than the total in all */
	bool overlap;		/* trees of several functions: one may be within another */
	bool bounded;		/* it was too large to be followed everywhere */
};

/* The most nodes and the most steps from frame to frame. */
#define TREE_NODES 1000000
#define TREE_STEPS 10000000

struct tree_maker;

/* Never NULL.  tree_maker_free() takes NULL, and frees the tree and the heading. */
struct tree_maker *tree_maker_new(const struct tree_request *q);
void tree_maker_free(struct tree_maker *m);

/* Takes records up to `end`; the maker's own, not to be freed. */
struct sink *tree_maker_sink(struct tree_maker *m);

/* Makes the tree, once all records are in.  NULL with the diag set: the profile has no
 * calls, no such event, no function that matches. */
const struct call_tree *tree_maker_finish(struct tree_maker *m);

/* Complete when all records are in. */
const struct rank_heading *tree_maker_heading(const struct tree_maker *m);

/* A node's name; absent if it is not known. */
struct text tree_node_name(const struct call_tree *t, const struct dict *dict, size_t node);

/* What it is about: of a difference the change. */
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

/* The larger of the costs of a node. */
num tree_most(const struct call_tree *t, const num *cost);

#endif
