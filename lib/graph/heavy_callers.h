/* SPDX-License-Identifier: ISC */
/*
 * The callers of a function that may get a share of a cost, where there are many: those with
 * the largest weights.  Without this, each of n functions that a hub calls and is called by
 * would look at all others.
 */
#ifndef PROF_GRAPH_HEAVY_CALLERS_H
#define PROF_GRAPH_HEAVY_CALLERS_H

#include "graph/adjacency.h"
#include "util/num.h"

struct heavy_callers {
	/* Borrowed: calls, whose keys are a caller and a callee and whose sums are the count
	 * and the weight by each event; the calls into each node. */
	const struct sums *calls;
	const struct adjacency *into;
	uint32_t *list_of;	/* by node and event: its list + 1; 0: not made yet */
	struct heavy_list {
		size_t from, n;	/* in `place` */
		num all;	/* the sum of the weights */
	} *list;
	uint32_t *place;	/* places of calls in into->edge, the heaviest first; of equal
				 * ones in their order; without recursion, and weights of 0 */
	size_t nlist, caplist, nplace, capplace;
};

/* A node whose cost is to be divided among its callers, and itself as a root. */
struct heavy_ask {
	uint32_t node;
	size_t event;
	num cost, least;	/* the least share, above 1 */
	num root;		/* the weight as a root */
	const uint32_t *path;	/* nodes that get nothing, npath of them; and the same by node */
	size_t npath;
	const bool *on_path;
};

void heavy_callers_init(struct heavy_callers *h, const struct sums *calls,
    const struct adjacency *into, size_t nodes);
void heavy_callers_free(struct heavy_callers *h);

/*
 * Appends to *picked the places of all callers whose share is large enough, of the heaviest
 * in any case, and of one more at most; sets *all to the sum of all weights, which is not 0.
 * False if that is not possible: no caller has a weight, or 128 bits do not suffice.
 */
bool heavy_callers_pick(struct heavy_callers *h, const struct heavy_ask *ask, struct buf *picked,
    num *all);

#endif
