/* SPDX-License-Identifier: ISC */
/* Decides which nodes are eliminated, and in which order. */
#include "graph/contract.h"

#include <stdlib.h>

#include "graph/adjacency.h"
#include "graph/graph.h"
#include "util/mem.h"

/* ---- folded nodes, and their order ---- */

/* Is it a link from a folded node to a folded one? */
static bool
is_inner(const void *fold, size_t link)
{
	const struct contraction *f = fold;
	const uint64_t *key = sums_key(&f->links, link);

	return f->folded[key[0]] && f->folded[key[1]];
}

/* Sets comp, by node: its cycle among the folded nodes, by their calls alone. */
static void
find_cycles(const struct contraction *f, uint32_t *comp)
{
	struct sums edges;
	size_t i;

	sums_init(&edges, EDGE_KEYS, 0);
	for (i = 0; i < f->links.n; i++) {
		const uint64_t *link = sums_key(&f->links, i);
		const uint64_t key[EDGE_KEYS] = { [EDGE_FROM] = link[0],
		    [EDGE_TO] = link[1] };

		if (is_inner(f, i))
			sums_row(&edges, key);
	}
	graph_cycles(&edges, f->nnodes, NULL, NULL, comp);
	sums_free(&edges);
}

/* The first node of each cycle that is not called from outside stays; a cycle may be a
 * single node. */
static void
find_roots(struct contraction *f, const uint32_t *comp)
{
	bool *called = mem_alloc(f->nnodes + 1, sizeof *called);
	size_t i;

	for (i = 0; i < f->links.n; i++) {
		const uint64_t *link = sums_key(&f->links, i);

		if (comp[link[0]] != comp[link[1]])
			called[comp[link[1]]] = true;
	}
	for (i = 0; i < f->nnodes; i++) {
		if (!f->folded[i] || called[comp[i]])
			continue;
		called[comp[i]] = true;
		f->folded[i] = false;
	}
	free(called);
}

/* Orders the nodes for their elimination. */
struct turn {
	uint32_t comp, node;
};

static int
callees_first(const void *pa, const void *pb)
{
	const struct turn *a = pa, *b = pb;

	if (a->comp != b->comp)
		return a->comp < b->comp ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

static void
find_order(struct contraction *f, const uint32_t *comp)
{
	struct turn *turn = mem_alloc(f->nnodes + 1, sizeof *turn);
	size_t i, n = 0;

	for (i = 0; i < f->nnodes; i++)
		if (f->folded[i])
			turn[n++] = (struct turn){ comp[i], (uint32_t)i };
	if (n)
		qsort(turn, n, sizeof *turn, callees_first);
	f->order = mem_alloc(n + 1, sizeof *f->order);
	for (i = 0; i < n; i++)
		f->order[i] = turn[i].node;
	f->norder = n;
	free(turn);
}

/* ---- nodes whose cost is divided ---- */

/* The node that a node's cost ends up in: none so far, one, or several. */
#define SEVERAL (UINT32_MAX - 1)

struct owners {
	uint32_t *of;		/* by node; CONTRACT_NONE */
	uint32_t *open;		/* nodes whose callees are not updated yet */
	size_t n, cap;
};

static void
add_owner(struct owners *o, uint32_t node, uint32_t owner)
{
	if (o->of[node] == owner || o->of[node] == SEVERAL)
		return;
	o->of[node] = o->of[node] == CONTRACT_NONE ? owner : SEVERAL;
	o->open = mem_grow(o->open, &o->cap, o->n + 1, sizeof *o->open);
	o->open[o->n++] = node;
}

/* A node changes at most twice, so this ends soon. */
static void
find_shared(struct contraction *f)
{
	struct adjacency a = adjacency_make(&f->links, 0, f->nnodes, is_inner, f);
	struct owners o = { .of = mem_alloc(f->nnodes + 1, sizeof *o.of) };
	const uint64_t *link;
	uint32_t node, k;
	size_t i;

	memset(o.of, 0xff, f->nnodes * sizeof *o.of);
	for (i = 0; i < f->links.n; i++) {
		link = sums_key(&f->links, i);
		if (!f->folded[link[0]] && f->folded[link[1]])
			add_owner(&o, (uint32_t)link[1], (uint32_t)link[0]);
	}
	while (o.n) {
		node = o.open[--o.n];
		for (k = a.first[node]; k < a.first[node + 1]; k++)
			add_owner(&o, (uint32_t)sums_key(&f->links, a.edge[k])[1],
			    o.of[node]);
	}
	f->shared = mem_alloc(f->nnodes + 1, sizeof *f->shared);
	for (i = 0; i < f->nnodes; i++)
		f->shared[i] = f->folded[i] && o.of[i] == SEVERAL;
	adjacency_free(&a);
	free(o.of);
	free(o.open);
}

void
contract_plan(struct contraction *f)
{
	uint32_t *comp = mem_alloc(f->nnodes + 1, sizeof *comp);

	find_cycles(f, comp);
	find_roots(f, comp);
	/* Without the nodes that stay, a cycle may be broken up. */
	find_cycles(f, comp);
	find_order(f, comp);
	find_shared(f);
	free(comp);
}
