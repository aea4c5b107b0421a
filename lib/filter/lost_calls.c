/* SPDX-License-Identifier: ISC */
#include "filter/lost_calls.h"

#include <stdlib.h>

#include "graph/graph.h"
#include "util/mem.h"

enum { FROM, TO, ENDS };

/* Bits about a function: its costs, and its calls. */
enum {
	COST_KEPT = 1, COST_LOST = 2,
	CALLED = 4, CALLS = 8, CALLS_ITSELF = 16,	/* in the remaining calls */
	CALLER_LOST = 32, CALL_LOST = 64
};

/* ---- records ---- */

void
lost_calls_init(struct lost_calls *l, struct dict *dict)
{
	*l = (struct lost_calls){ .dict = dict };
	sums_init(&l->kept, ENDS, 0);
	sums_init(&l->dropped, ENDS, 0);
}

void
lost_calls_free(struct lost_calls *l)
{
	sums_free(&l->kept);
	sums_free(&l->dropped);
	free(l->costs);
}

void
lost_calls_see(struct lost_calls *l, uint64_t from, uint64_t to, bool kept)
{
	const uint64_t key[ENDS] = { from, to };

	sums_row(kept ? &l->kept : &l->dropped, key);
	l->lost |= !kept;
}

static size_t
index_of(uint64_t func)
{
	return func == NO_ID ? 0 : func + 1;
}

void
lost_calls_cost(struct lost_calls *l, uint64_t func, bool kept)
{
	l->costs = mem_reach(l->costs, &l->capcosts, index_of(func), 1, 0);
	l->costs[index_of(func)] |= kept ? COST_KEPT : COST_LOST;
	l->lost |= !kept;
}

/* ---- the end of a part ---- */

struct graph_left {
	struct lost_calls *l;
	struct sums nodes;	/* functions, without attributes */
	struct sums edges;	/* as in graph.h; the remaining ones come first */
	size_t nleft;
	unsigned char *known;	/* by node */
	size_t capknown;
};

static uint32_t
find_node(struct graph_left *g, uint64_t func)
{
	const size_t at = index_of(func);
	bool fresh;
	const uint64_t key = func == NO_ID ? NO_ID :
	    dict_func_bare(g->l->dict, func, &fresh);
	const uint32_t node = (uint32_t)sums_row(&g->nodes, &key);

	g->known = mem_reach(g->known, &g->capknown, node, 1, 0);
	if (at < g->l->capcosts)
		g->known[node] |= g->l->costs[at];
	return node;
}

static void
add_calls(struct graph_left *g, const struct sums *calls, bool kept)
{
	size_t i;

	for (i = 0; i < calls->n; i++) {
		const uint32_t from = find_node(g, sums_key(calls, i)[FROM]);
		const uint32_t to = find_node(g, sums_key(calls, i)[TO]);
		const uint64_t key[EDGE_KEYS] = { [EDGE_FROM] = from, [EDGE_TO] = to };

		sums_row(&g->edges, key);
		if (from != to) {
			g->known[from] |= kept ? CALLS : CALL_LOST;
			g->known[to] |= kept ? CALLED : CALLER_LOST;
		} else if (kept) {
			g->known[from] |= CALLS_ITSELF;
		}
	}
}

static bool
is_left(const void *arg, size_t edge)
{
	return edge < ((const struct graph_left *)arg)->nleft;
}

static bool
hides_cycle(const struct graph_left *g)
{
	const size_t n = g->nodes.n;
	uint32_t *was = mem_alloc(n + 1, sizeof *was), *is = mem_alloc(n + 1, sizeof *is);
	bool hides = false;
	size_t i;

	graph_cycles(&g->edges, n, NULL, NULL, was);
	graph_cycles(&g->edges, n, is_left, g, is);
	for (i = 0; i < g->nleft && !hides; i++) {
		const uint64_t *key = sums_key(&g->edges, i);

		hides = was[key[EDGE_FROM]] == was[key[EDGE_TO]] &&
		    is[key[EDGE_FROM]] != is[key[EDGE_TO]];
	}
	for (i = 0; i < n && !hides; i++)
		hides = g->known[i] & CALLS_ITSELF && g->known[i] & (CALL_LOST | COST_LOST);
	free(was);
	free(is);
	return hides;
}

static bool
hides_caller(const struct graph_left *g)
{
	size_t i;

	for (i = 0; i < g->nodes.n; i++)
		if (g->known[i] & CALLED && g->known[i] & CALLER_LOST &&
		    g->known[i] & (CALLS | COST_KEPT))
			return true;
	return false;
}

int
lost_calls_put(struct lost_calls *l, struct sink *next)
{
	struct graph_left g = { .l = l };
	int ret = 0;

	sums_init(&g.nodes, 1, 0);
	sums_init(&g.edges, EDGE_KEYS, 0);
	if (l->kept.n && l->lost) {
		add_calls(&g, &l->kept, true);
		g.nleft = g.edges.n;
		add_calls(&g, &l->dropped, false);
		if (hides_cycle(&g))
			ret = meta_put(next, "calls", TEXT("partial"));
		if (ret == 0 && hides_caller(&g))
			ret = meta_put(next, "calls", TEXT("callers"));
	}
	sums_free(&g.nodes);
	sums_free(&g.edges);
	free(g.known);
	sums_clear(&l->kept);
	sums_clear(&l->dropped);
	free(l->costs);
	l->costs = NULL;
	l->capcosts = 0;
	l->lost = false;
	return ret;
}
