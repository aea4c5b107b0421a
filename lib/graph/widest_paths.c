/* SPDX-License-Identifier: ISC */
/* Dijkstra's algorithm, with the least width along a path in place of its length. */
#include "graph/widest_paths.h"

#include <stdlib.h>

#include "graph/adjacency.h"
#include "util/mem.h"

/* A path from a root to a node, by the edge from `from`. */
struct reach {
	num width;
	uint32_t node, from;
};

/* ---- the heap ---- */

/* A heap, the widest first; of equally wide ones that of the first node. */
struct heap {
	struct reach *v;
	size_t n, cap;
};

static bool
is_before(const struct reach *a, const struct reach *b)
{
	return a->width != b->width ? a->width > b->width : a->node < b->node;
}

static void
heap_push(struct heap *h, struct reach x)
{
	size_t i = h->n++, up;

	h->v = mem_grow(h->v, &h->cap, h->n, sizeof *h->v);
	for (; i && is_before(&x, &h->v[up = (i - 1) / 2]); i = up)
		h->v[i] = h->v[up];
	h->v[i] = x;
}

static struct reach
heap_pop(struct heap *h)
{
	struct reach top = h->v[0], x = h->v[--h->n];
	size_t i = 0, down;

	while ((down = 2 * i + 1) < h->n) {
		if (down + 1 < h->n && is_before(&h->v[down + 1], &h->v[down]))
			down++;
		if (!is_before(&h->v[down], &x))
			break;
		h->v[i] = h->v[down];
		i = down;
	}
	h->v[i] = x;
	return top;
}

/* ---- the paths ---- */

/* Follows the edges of the node that was reached. */
static int
follow(const struct widest_graph *g, const struct adjacency *out, struct heap *h,
    const struct reach *at, const uint32_t *up)
{
	const size_t first = g->edges->nval - g->nval;
	uint32_t i;

	for (i = out->first[at->node]; i < out->first[at->node + 1]; i++) {
		struct reach next = { .from = at->node,
		    .node = (uint32_t)sums_key(g->edges, out->edge[i])[g->to] };

		if (up[next.node] != WIDEST_ROOT)
			continue;
		if (num_sum(sums_val(g->edges, out->edge[i]) + first, g->nval,
		    &next.width) < 0)
			return -1;
		if (next.width > at->width)
			next.width = at->width;
		heap_push(h, next);
	}
	return 0;
}

int
widest_paths(const struct widest_graph *g, uint32_t *up)
{
	struct adjacency out = adjacency_make(g->edges, g->from, g->nodes, NULL, NULL);
	bool *done = mem_alloc(g->nodes + 1, sizeof *done);
	struct heap h = { 0 };
	struct reach at = { .from = WIDEST_ROOT };
	uint32_t i;
	int r = 0;

	for (i = 0; i < g->nodes; i++)
		up[i] = WIDEST_ROOT;
	for (i = 0; i < g->nodes && r == 0; i++) {
		r = num_sum(g->root + i * g->nval, g->nval, &at.width);
		at.node = i;
		if (at.width)
			heap_push(&h, at);
	}
	while (h.n && r == 0) {
		at = heap_pop(&h);
		if (done[at.node])
			continue;
		done[at.node] = true;
		up[at.node] = at.from;
		r = follow(g, &out, &h, &at, up);
	}
	adjacency_free(&out);
	free(done);
	free(h.v);
	return r;
}
