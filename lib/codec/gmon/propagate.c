/* SPDX-License-Identifier: ISC */
#include "propagate.h"

#include <stdlib.h>

#include "graph/graph.h"
#include "util/mem.h"

/* The arcs into a cycle from outside it, one cycle after the other. */
struct into {
	uint32_t *arc;
	size_t *first;		/* of a cycle; one more than there are */
};

static bool
counts(const struct arc_share *a, const uint32_t *comp)
{
	return a->count && comp[a->from] != comp[a->to];
}

static struct into
arcs_into(const struct arc_share *arc, size_t narc, const uint32_t *comp, size_t ncomp)
{
	struct into in = { mem_alloc(narc + 1, sizeof *in.arc),
	    mem_alloc(ncomp + 2, sizeof *in.first) };
	size_t i;

	for (i = 0; i < narc; i++)
		if (counts(&arc[i], comp))
			in.first[comp[arc[i].to] + 2]++;
	for (i = 2; i < ncomp + 2; i++)
		in.first[i] += in.first[i - 1];
	for (i = 0; i < narc; i++)
		if (counts(&arc[i], comp))
			in.arc[in.first[comp[arc[i].to] + 1]++] = (uint32_t)i;
	return in;
}

struct rest {
	num part;		/* what rounding down left of the arc's share */
	uint32_t arc;
};

static int
compare(const void *pa, const void *pb)
{
	const struct rest *a = pa, *b = pb;

	if (a->part != b->part)
		return a->part < b->part ? 1 : -1;
	return (a->arc > b->arc) - (a->arc < b->arc);
}

/* Hands `cost` to n arcs in proportion to their counts. */
static int
share(num cost, struct arc_share *arc, const uint32_t *which, size_t n)
{
	struct rest *rest = mem_alloc(n + 1, sizeof *rest);
	num calls = 0, left = cost, x;
	size_t i;
	int r = 0;

	for (i = 0; i < n; i++)
		calls += arc[which[i]].count;	/* 2^64 arcs would be needed */
	for (i = 0; i < n && r == 0; i++) {
		struct arc_share *a = &arc[which[i]];

		r = num_mul(cost, a->count, &x);
		a->cost = x / calls;
		rest[i] = (struct rest){ x % calls, which[i] };
		left -= a->cost;
	}
	qsort(rest, n, sizeof *rest, compare);
	for (i = 0; r == 0 && left > 0; i++, left--)
		arc[rest[i].arc].cost++;
	free(rest);
	return r;
}

int
propagate(const num *self, size_t nnodes, struct arc_share *arc, size_t narc)
{
	struct sums edges;
	uint32_t *comp = mem_alloc(nnodes + 1, sizeof *comp);
	num *cost = mem_alloc(nnodes + 1, sizeof *cost);	/* of cycles */
	struct into in;
	size_t i, k;
	int r = 0;

	sums_init(&edges, EDGE_KEYS, 0);
	for (i = 0; i < narc; i++) {
		uint64_t key[EDGE_KEYS] = { arc[i].from, arc[i].from, arc[i].to };

		if (arc[i].count)	/* else it closes no cycle */
			sums_row(&edges, key);
	}
	graph_cycles(&edges, nnodes, NULL, NULL, comp);
	for (i = 0; i < nnodes && r == 0; i++)
		r = num_add(&cost[comp[i]], self[i]);
	in = arcs_into(arc, narc, comp, nnodes);
	/* Callees come before their callers. */
	for (i = 0; i < nnodes && r == 0; i++) {
		size_t from = in.first[i], n = in.first[i + 1] - from;

		if (!n)
			continue;
		r = share(cost[i], arc, in.arc + from, n);
		for (k = 0; k < n && r == 0; k++) {
			const struct arc_share *a = &arc[in.arc[from + k]];

			r = num_add(&cost[comp[a->from]], a->cost);
		}
	}
	free(in.arc);
	free(in.first);
	free(comp);
	free(cost);
	sums_free(&edges);
	return r;
}
