/* SPDX-License-Identifier: ISC */
#include "graph.h"

#include <stdlib.h>

#include "adjacency.h"
#include "mem.h"

/* A call that was not made and cost nothing closes no cycle. */
static bool
is_idle(const struct graph *g, size_t i)
{
	size_t k;

	for (k = 0; k < g->edges->nval; k++)
		if (table_val(g->edges, i)[k] && (!g->only || (k && g->only[k - 1])))
			return false;
	return g->edges->nval > 0;
}

static bool
is_call(const void *graph, size_t edge)
{
	return !is_idle(graph, edge);
}

/* Tarjan's algorithm with a stack of its own: depth is the input's. */
void
graph_cycles(const struct graph *g, uint32_t *comp)
{
	struct adjacency a = adjacency_make(g->edges, EDGE_FROM, g->nnodes, is_call, g);
	uint32_t *index = mem_alloc(g->nnodes + 1, sizeof *index);	/* 0: not seen */
	uint32_t *low = mem_alloc(g->nnodes + 1, sizeof *low);
	uint32_t *next = mem_alloc(g->nnodes + 1, sizeof *next);
	uint32_t *path = mem_alloc(g->nnodes + 1, sizeof *path);
	uint32_t *open = mem_alloc(g->nnodes + 1, sizeof *open);
	uint32_t counter = 0, ncomp = 0;
	size_t root, npath, nopen = 0, i;

	for (i = 0; i < g->nnodes; i++)
		comp[i] = UINT32_MAX;
	for (root = 0; root < g->nnodes; root++) {
		if (index[root])
			continue;
		npath = 0;
		path[npath++] = (uint32_t)root;
		while (npath) {
			uint32_t v = path[npath - 1], w;

			if (!index[v]) {
				index[v] = low[v] = ++counter;
				next[v] = a.first[v];
				open[nopen++] = v;
			}
			if (next[v] < a.first[v + 1]) {
				w = (uint32_t)table_key(g->edges,
				    a.edge[next[v]++])[EDGE_TO];
				if (!index[w])
					path[npath++] = w;
				else if (comp[w] == UINT32_MAX && index[w] < low[v])
					low[v] = index[w];
				continue;
			}
			npath--;
			if (npath && low[v] < low[path[npath - 1]])
				low[path[npath - 1]] = low[v];
			if (low[v] != index[v])
				continue;
			do
				comp[w = open[--nopen]] = ncomp;
			while (w != v);
			ncomp++;
		}
	}
	adjacency_free(&a);
	free(index);
	free(low);
	free(next);
	free(path);
	free(open);
}

static int
add_only(const struct graph *g, num *sum, const num *v, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if ((!g->only || g->only[i]) && num_add(&sum[i], v[i]) < 0)
			return -1;
	return 0;
}

/* Marks the rows of cycles and, of fine ones, those of several functions. */
static void
mark(const struct graph *g, const uint32_t *comp, unsigned char *flags)
{
	uint32_t *size = mem_alloc(g->nnodes + 1, sizeof *size);
	uint32_t *from = mem_alloc(g->rows->n + 1, sizeof *from);	/* node + 1 */
	size_t i;

	for (i = 0; i < g->nnodes; i++)
		size[comp[i]]++;
	for (i = 0; i < g->rows->n; i++)
		flags[i] = !g->fine && size[comp[i]] > 1 ? GRAPH_CYCLE : 0;
	for (i = 0; i < g->edges->n && g->fine; i++) {
		const uint64_t *key = table_key(g->edges, i);
		uint32_t node = (uint32_t)key[EDGE_FROM] + 1, *seen = &from[key[EDGE_ROW]];

		if (*seen && *seen != node)
			flags[key[EDGE_ROW]] |= GRAPH_MIXED;
		*seen = node;
	}
	free(size);
	free(from);
}

int
graph_inclusive(const struct graph *g, num *incl, num *calls, unsigned char *flags)
{
	const size_t nval = g->rows->nval;
	uint32_t *comp = mem_alloc(g->nnodes + 1, sizeof *comp);
	num *in = mem_alloc(g->rows->n * nval + 1, sizeof *in);
	bool *called = mem_alloc(g->rows->n + 1, sizeof *called);
	bool *negative = mem_alloc(nval + 1, sizeof *negative);
	size_t i, k;
	int r = 0;

	graph_cycles(g, comp);
	mark(g, comp, flags);
	for (i = 0; i < g->rows->n; i++)
		calls[i] = 0;
	for (i = 0; i < g->rows->n * nval; i++) {
		if (!g->only || g->only[i % nval])
			incl[i] = g->rows->val[i];
		negative[i % nval] |= incl[i] < 0;
	}
	for (i = 0; i < g->edges->n && r == 0; i++) {
		const uint64_t *key = table_key(g->edges, i);
		const num *v = table_val(g->edges, i);
		size_t row = key[EDGE_ROW], from = key[EDGE_FROM], to = key[EDGE_TO];

		for (k = 0; k < nval; k++)
			negative[k] |= v[1 + k] < 0;
		/* Nodes and rows are the same where rows are not fine. */
		if (!g->fine && from != to)
			r |= num_add(&calls[to], v[0]);
		if (comp[from] == comp[to])
			continue;
		r |= add_only(g, incl + row * nval, v + 1, nval);
		if (g->fine || (g->only && is_idle(g, i)))
			continue;
		r |= add_only(g, in + to * nval, v + 1, nval);
		called[to] = true;
	}
	for (i = 0; i < g->rows->n * nval; i++) {
		if (flags[i / nval] & GRAPH_CYCLE && g->propagated &&
		    g->propagated[i % nval])
			continue;
		if ((!g->only || g->only[i % nval]) && called[i / nval] &&
		    (in[i] > incl[i] || negative[i % nval]))
			incl[i] = in[i];
	}
	free(comp);
	free(in);
	free(called);
	free(negative);
	return r ? -1 : 0;
}
