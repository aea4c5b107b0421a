/* SPDX-License-Identifier: ISC */
#include "dot.h"

#include <stdlib.h>

#include "graph/adjacency.h"
#include "util/mem.h"

/* ---- weights ---- */

struct value
drawing_self(const struct drawing *d, size_t row)
{
	return d->t->nmetric ? table_self(d->t, row, 0) : (struct value){ 0 };
}

struct value
drawing_incl(const struct drawing *d, size_t row)
{
	return d->t->nmetric ? table_incl(d->t, row, 0) : (struct value){ 0 };
}

struct value
drawing_cost(const struct drawing *d, size_t edge)
{
	return d->t->nmetric ? table_value(&d->t->metric[0],
	    sums_val(&d->t->r->edges, edge) + 1) : (struct value){ 0 };
}

static num
size_of(struct value v)
{
	return v.kind == WHOLE ? table_magnitude(v.n) : 0;
}

num
drawing_weight(const struct drawing *d, size_t row)
{
	const num self = size_of(drawing_self(d, row));
	const num incl = size_of(drawing_incl(d, row));

	return incl > self ? incl : self;
}

num
drawing_edge_weight(const struct drawing *d, size_t edge)
{
	return size_of(drawing_cost(d, edge));
}

/* Is a weight below the least share?  If all weights are 0, everything in a profile has the
 * same share, and a difference shows nothing. */
static bool
is_small(const struct drawing *d, num weight, struct threshold least)
{
	if (!d->base)
		return table_is_diff(d->t) && least.n;
	return threshold_cmp(weight, least, d->base) < 0;
}

/* Returns the base of shares; heaviest: the first row. */
static num
base_of(const struct drawing *d, const struct value *heaviest)
{
	const struct table *t = d->t;

	if (t->nmetric && !table_is_diff(t) && t->metric[0].total)
		return table_magnitude(t->metric[0].total);
	return t->r->rows.n ? heaviest->n : 0;
}

/* ---- the order of rows and edges ---- */

static struct value
row_value(const void *arg, uint32_t row, const struct sort *s)
{
	const struct drawing *d = arg;

	return s->what == SORT_KEY ? table_key(d->t, row, s->i) :
	    (struct value){ .kind = WHOLE, .n = s->what == SORT_SELF ?
	    size_of(drawing_self(d, row)) : drawing_weight(d, row) };
}

static struct value
edge_value(const void *arg, uint32_t edge, const struct sort *s)
{
	const struct drawing *d = arg;
	const uint64_t *key = sums_key(&d->t->r->edges, edge);

	return (struct value){ .kind = WHOLE, .n = s->what == SORT_KEY ?
	    (num)d->number[key[s->i]] : drawing_edge_weight(d, edge) };
}

/* Sorts all rows by their weights, or self costs, the largest first; the first `most` are
 * in order; equal ones are ordered by names. */
static struct value *
sort_rows(const struct drawing *d, int by, size_t most)
{
	const size_t n = d->t->r->rows.n;
	enum group_by keys[TABLE_KEYS];
	struct sort sort[1 + TABLE_KEYS] = { { .what = SORT_INCL, .down = true } };
	struct order order = { sort, 1 + table_keys(d->t->q, keys), row_value, d };
	struct value *v = mem_alloc(n + 1, sizeof *v);
	size_t i;

	sort[0].what = by;
	for (i = 1; i < order.nsort; i++)
		sort[i] = (struct sort){ .what = SORT_KEY, .i = i - 1 };
	for (i = 0; i < n; i++)
		v[i].of = (uint32_t)i;
	order_sort(&order, v, n, 0, most);
	for (i = 0; i < n; i++)
		v[i].n = by == SORT_SELF ? size_of(drawing_self(d, v[i].of)) :
		    drawing_weight(d, v[i].of);
	return v;
}

static void
sort_edges(struct drawing *d)
{
	static const struct sort sort[] = {
		{ .what = SORT_INCL, .down = true },
		{ .what = SORT_KEY, .i = EDGE_FROM }, { .what = SORT_KEY, .i = EDGE_TO },
	};
	const struct order order = { sort, sizeof sort / sizeof *sort, edge_value, d };
	struct value *v = mem_alloc(d->nedges + 1, sizeof *v);
	size_t i;

	for (i = 0; i < d->nedges; i++)
		v[i].of = (uint32_t)d->edge[i];
	order_sort(&order, v, d->nedges, 0, d->nedges);
	for (i = 0; i < d->nedges; i++)
		d->edge[i] = v[i].of;
	free(v);
}

/* ---- the caller that connects a function ---- */

static size_t
caller_of(const struct drawing *d, size_t edge)
{
	return (size_t)sums_key(&d->t->r->edges, edge)[EDGE_FROM];
}

static size_t
callee_of(const struct drawing *d, size_t edge)
{
	return (size_t)sums_key(&d->t->r->edges, edge)[EDGE_TO];
}

static bool
is_call(const void *arg, size_t edge)
{
	const struct drawing *d = arg;
	const struct sums *edges = &d->t->r->edges;
	size_t i;

	for (i = 0; i < edges->nval; i++)
		if (sums_val(edges, edge)[i])
			return true;
	return false;
}

static void
find_cycles(struct drawing *d)
{
	const struct rank *r = d->t->r;
	size_t i;

	d->cycle = mem_alloc(r->rows.n + 1, sizeof *d->cycle);
	d->members = mem_alloc(r->rows.n + 1, sizeof *d->members);
	graph_cycles(&r->edges, r->rows.n, is_call, d, d->cycle);
	for (i = 0; i < r->rows.n; i++)
		d->members[d->cycle[i]]++;
}

/* A heap of edges, the heaviest on top; of equal ones the first. */
struct heap {
	struct candidate {
		num weight;
		uint32_t edge;
	} *v;
	size_t n;
};

static bool
is_above(const struct candidate *a, const struct candidate *b)
{
	return a->weight > b->weight || (a->weight == b->weight && a->edge < b->edge);
}

static void
heap_push(struct heap *h, struct candidate c)
{
	size_t i = h->n++;

	for (; i && is_above(&c, &h->v[(i - 1) / 2]); i = (i - 1) / 2)
		h->v[i] = h->v[(i - 1) / 2];
	h->v[i] = c;
}

static uint32_t
heap_pop(struct heap *h)
{
	const uint32_t top = h->v[0].edge;
	const struct candidate last = h->v[--h->n];
	size_t i = 0, k;

	while ((k = 2 * i + 1) < h->n) {
		k += k + 1 < h->n && is_above(&h->v[k + 1], &h->v[k]);
		if (!is_above(&h->v[k], &last))
			break;
		h->v[i] = h->v[k];
		i = k;
	}
	h->v[i] = last;
	return top;
}

/* Returns by row: is it reached without a call, as the heaviest of a cycle into which no
 * call leads? */
static bool *
find_roots(const struct drawing *d, const struct value *heaviest)
{
	const struct rank *r = d->t->r;
	bool *entered = mem_alloc(r->rows.n + 1, 1), *root = mem_alloc(r->rows.n + 1, 1);
	size_t i;

	for (i = 0; i < r->edges.n; i++)
		if (is_call(d, i) && d->cycle[caller_of(d, i)] != d->cycle[callee_of(d, i)])
			entered[d->cycle[callee_of(d, i)]] = true;
	for (i = 0; i < r->rows.n; i++) {
		bool *seen = &entered[d->cycle[heaviest[i].of]];

		root[heaviest[i].of] = !*seen;
		*seen = true;
	}
	free(entered);
	return root;
}

/*
 * Returns by row the edge + 1 of the caller that connects it with a root; 0: none.  The
 * edge is on the widest path from a root, whose smallest cost is the largest: Prim's
 * algorithm, so following these edges upward does not lead in a circle.
 */
static uint32_t *
find_callers(const struct drawing *d, const struct value *heaviest)
{
	const struct rank *r = d->t->r;
	const size_t n = r->rows.n;
	struct adjacency calls = adjacency_make(&r->edges, EDGE_FROM, n, is_call, d);
	struct heap heap = { .v = mem_alloc(r->edges.n + 1, sizeof *heap.v) };
	uint32_t *up = mem_alloc(n + 1, sizeof *up);
	bool *seen = find_roots(d, heaviest);
	size_t i, k;

	for (i = 0; i < n; i++)
		for (k = calls.first[i]; seen[i] && k < calls.first[i + 1]; k++)
			heap_push(&heap, (struct candidate){
			    drawing_edge_weight(d, calls.edge[k]), calls.edge[k] });
	while (heap.n) {
		const uint32_t edge = heap_pop(&heap);
		const size_t to = callee_of(d, edge);

		if (seen[to])
			continue;
		seen[to] = true;
		up[to] = edge + 1;
		for (k = calls.first[to]; k < calls.first[to + 1]; k++)
			heap_push(&heap, (struct candidate){
			    drawing_edge_weight(d, calls.edge[k]), calls.edge[k] });
	}
	adjacency_free(&calls);
	free(heap.v);
	free(seen);
	return up;
}

/* ---- the selection ---- */

#define CONNECT_MOST 16		/* the most callers that are drawn to connect one
				 * function */

/* Draws a row and, if there is room, its callers up to one that is drawn or has none. */
static void
draw_row(struct drawing *d, const uint32_t *up, size_t row, size_t room)
{
	size_t at = row, n = 1;

	while (up[at] && n <= room && n <= CONNECT_MOST) {
		at = caller_of(d, up[at] - 1);
		if (d->number[at])
			break;
		n++;
	}
	if (n > room || n > CONNECT_MOST)
		n = 1;
	for (at = row; n > 0; n--) {
		d->number[at] = 1;
		d->nnodes++;
		if (n > 1)
			at = caller_of(d, up[at] - 1);
	}
}

/* Draws the first rows until `until` are drawn, or the next share is too small. */
static void
draw_rows(struct drawing *d, const uint32_t *up, const struct value *sorted, size_t n,
    size_t until, size_t most)
{
	size_t i;

	for (i = 0; i < n && d->nnodes < until &&
	    !is_small(d, sorted[i].n, d->limits.node); i++)
		if (!d->number[sorted[i].of])
			draw_row(d, up, sorted[i].of, most - d->nnodes);
}

/* A profile of deep stacks has many callers with large inclusive costs, and would show
 * nothing else: these get half of the room before the largest self costs. */
static void
choose_nodes(struct drawing *d, const struct value *heaviest, const uint32_t *up)
{
	const size_t all = d->t->r->rows.n;
	const size_t most = d->limits.nodes && d->limits.nodes < all ?
	    (size_t)d->limits.nodes : all;
	struct value *self = sort_rows(d, SORT_SELF, most / 4);

	draw_rows(d, up, heaviest, all, most / 2, most);
	draw_rows(d, up, self, most / 4, most, most);
	draw_rows(d, up, heaviest, all, most, most);
	free(self);
}

/* Numbers the rows that are drawn, and counts the others. */
static void
number_nodes(struct drawing *d, const struct value *heaviest)
{
	size_t i, n = 0;

	d->node = mem_alloc(d->nnodes + 1, sizeof *d->node);
	for (i = 0; i < d->t->r->rows.n; i++) {
		const size_t row = heaviest[i].of;

		if (d->number[row]) {
			d->node[n++] = row;
			d->number[row] = n;
		} else if (is_small(d, heaviest[i].n, d->limits.node)) {
			d->small_nodes++;
		} else {
			d->further_nodes++;
		}
	}
}

static void
choose_edges(struct drawing *d, const uint32_t *up)
{
	const size_t all = d->t->r->edges.n;
	size_t i;

	d->edge = mem_alloc(all + 1, sizeof *d->edge);
	for (i = 0; i < all; i++)
		if (!d->number[caller_of(d, i)] || !d->number[callee_of(d, i)])
			d->loose_edges++;
		else if (up[callee_of(d, i)] != i + 1 &&
		    is_small(d, drawing_edge_weight(d, i), d->limits.edge))
			d->small_edges++;
		else
			d->edge[d->nedges++] = i;
	sort_edges(d);
}

struct drawing
drawing_make(const struct table *t, const struct dot_limits *limits)
{
	struct drawing d = { .t = t, .limits = *limits };
	struct value *heaviest = sort_rows(&d, SORT_INCL, t->r->rows.n);
	uint32_t *up;

	d.base = base_of(&d, heaviest);
	d.number = mem_alloc(t->r->rows.n + 1, sizeof *d.number);
	find_cycles(&d);
	up = find_callers(&d, heaviest);
	choose_nodes(&d, heaviest, up);
	number_nodes(&d, heaviest);
	choose_edges(&d, up);
	free(heaviest);
	free(up);
	return d;
}

void
drawing_free(struct drawing *d)
{
	free(d->node);
	free(d->number);
	free(d->edge);
	free(d->cycle);
	free(d->members);
}
