/* SPDX-License-Identifier: ISC */
#include "propagate.h"

#include <stdlib.h>

#include "graph/apportion.h"
#include "graph/graph.h"
#include "util/mem.h"

/* The arcs into each cycle from outside, one cycle after the other. */
struct into {
	uint32_t *arc;
	size_t *first;		/* by cycle, and one more */
};

static bool
counts(const struct node_arc *a, const uint32_t *comp)
{
	return a->count && comp[a->from] != comp[a->to];
}

static struct into
arcs_into(const struct node_arc *arc, size_t narc, const uint32_t *comp, size_t ncomp)
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

/* Scratch memory for distributing a node's cost. */
struct room {
	struct apportion apportion;
	num *weight, *part;	/* by arc */
};

/* Divides `cost` among n arcs in proportion to their counts. */
static void
hand_out(struct room *room, num cost, struct node_arc *arc, const uint32_t *which,
    size_t n)
{
	num calls = 0;
	size_t i;

	for (i = 0; i < n; i++)	/* only 2^63 arcs could overflow a num */
		calls += room->weight[i] = arc[which[i]].count;
	apportion(&room->apportion, cost, room->weight, calls, n, room->part);
	for (i = 0; i < n; i++)
		arc[which[i]].cost = room->part[i];
}

int
propagate(const num *self, size_t nnodes, struct node_arc *arc, size_t narc)
{
	struct sums edges;
	uint32_t *comp = mem_alloc(nnodes + 1, sizeof *comp);
	num *cost = mem_alloc(nnodes + 1, sizeof *cost);	/* by cycle */
	struct room room = { .weight = mem_alloc(narc + 1, sizeof *room.weight),
	    .part = mem_alloc(narc + 1, sizeof *room.part) };
	struct into in;
	size_t i, k;
	int r = 0;

	sums_init(&edges, EDGE_KEYS, 0);
	for (i = 0; i < narc; i++) {
		uint64_t key[EDGE_KEYS] = { arc[i].from, arc[i].from, arc[i].to };

		if (arc[i].count)	/* otherwise it closes no cycle */
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
		hand_out(&room, cost[i], arc, in.arc + from, n);
		for (k = 0; k < n && r == 0; k++) {
			const struct node_arc *a = &arc[in.arc[from + k]];

			r = num_add(&cost[comp[a->from]], a->cost);
		}
	}
	apportion_free(&room.apportion);
	free(room.weight);
	free(room.part);
	free(in.arc);
	free(in.first);
	free(comp);
	free(cost);
	sums_free(&edges);
	return r;
}
