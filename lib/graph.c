/* SPDX-License-Identifier: ISC */
#include "graph.h"

#include <stdlib.h>

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

/* The callees of each node: to[first[n] .. first[n + 1]). */
struct adjacency {
	uint32_t *first, *to;
};

static struct adjacency
adjacency(const struct graph *g)
{
	struct adjacency a;
	uint32_t *at;
	size_t i;

	a.first = mem_alloc(g->nnodes + 2, sizeof *a.first);
	a.to = mem_alloc(g->edges->n + 1, sizeof *a.to);
	at = a.first + 1;
	for (i = 0; i < g->edges->n; i++)
		if (!is_idle(g, i))
			at[table_key(g->edges, i)[EDGE_FROM] + 1]++;
	for (i = 1; i <= g->nnodes; i++)
		at[i] += at[i - 1];
	/* at[n] is where n's callees begin; filled, it is where they end: then
	 * first[n] has moved to the beginning. */
	for (i = 0; i < g->edges->n; i++) {
		const uint64_t *key = table_key(g->edges, i);

		if (!is_idle(g, i))
			a.to[at[key[EDGE_FROM]]++] = (uint32_t)key[EDGE_TO];
	}
	return a;
}

/* Tarjan's algorithm with a stack of its own: depth is the input's. */
void
graph_cycles(const struct graph *g, uint32_t *comp)
{
	struct adjacency a = adjacency(g);
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
				w = a.to[next[v]++];
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
	free(a.first);
	free(a.to);
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
