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
	free(l->recent);
	free(l->costs);
}

#define RECENT 4096		/* calls, before they are taken as keys */

/* Takes calls as keys, each once. */
static void
take_recent(struct lost_calls *l)
{
	size_t i;

	for (i = 0; i < l->nrecent; i++)
		sums_row(l->recent[i].kept ? &l->kept : &l->dropped, l->recent[i].key);
	l->nrecent = 0;
}

void
lost_calls_see(struct lost_calls *l, uint64_t from, uint64_t to, bool kept)
{
	if (l->nrecent == RECENT)
		take_recent(l);
	l->recent = mem_grow(l->recent, &l->caprecent, l->nrecent + 1, sizeof *l->recent);
	l->recent[l->nrecent++] = (struct lost_call){ { from, to }, kept };
	l->left |= kept;
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
	uint32_t *node1;	/* by function: its node + 1, if it has one */
	size_t capnode1;
	uint32_t n;		/* nodes: functions, without attributes */
	struct sums edges;	/* as in graph.h; the remaining ones come first */
	size_t nleft;
	unsigned char *known;	/* by node */
	size_t capknown;
};

static uint32_t
find_node(struct graph_left *g, uint64_t func)
{
	const size_t at = index_of(func);
	size_t bare = 0;
	uint32_t node;
	bool fresh;

	if (func != NO_ID)
		bare = index_of(dict_func_bare(g->l->dict, func, &fresh));
	g->node1 = mem_reach(g->node1, &g->capnode1, bare, sizeof *g->node1, 0);
	if (!g->node1[bare])
		g->node1[bare] = ++g->n;
	node = g->node1[bare] - 1;
	g->known = mem_reach(g->known, &g->capknown, node, 1, 0);
	if (at < g->l->capcosts)
		g->known[node] |= g->l->costs[at];
	return node;
}

static void
add_call(struct graph_left *g, const uint64_t call[ENDS], bool kept)
{
	const uint32_t from = find_node(g, call[FROM]), to = find_node(g, call[TO]);
	const uint64_t key[EDGE_KEYS] = { [EDGE_FROM] = from, [EDGE_TO] = to };

	sums_row(&g->edges, key);
	if (from != to) {
		g->known[from] |= kept ? CALLS : CALL_LOST;
		g->known[to] |= kept ? CALLED : CALLER_LOST;
	} else if (kept) {
		g->known[from] |= CALLS_ITSELF;
	}
}

static void
add_calls(struct graph_left *g, const struct sums *calls, bool kept)
{
	const struct lost_calls *l = g->l;
	size_t i;

	for (i = 0; i < calls->n; i++)
		add_call(g, sums_key(calls, i), kept);
	for (i = 0; i < l->nrecent; i++)
		if (l->recent[i].kept == kept)
			add_call(g, l->recent[i].key, kept);
}

static bool
is_left(const void *arg, size_t edge)
{
	return edge < ((const struct graph_left *)arg)->nleft;
}

static bool
hides_cycle(const struct graph_left *g)
{
	const uint32_t n = g->n;
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
	uint32_t i;

	for (i = 0; i < g->n; i++)
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

	sums_init(&g.edges, EDGE_KEYS, 0);
	if (l->left && l->lost) {
		add_calls(&g, &l->kept, true);
		g.nleft = g.edges.n;
		add_calls(&g, &l->dropped, false);
		if (hides_cycle(&g))
			ret = meta_put(next, "calls", TEXT("partial"));
		if (ret == 0 && hides_caller(&g))
			ret = meta_put(next, "calls", TEXT("callers"));
	}
	free(g.node1);
	sums_free(&g.edges);
	free(g.known);
	sums_clear(&l->kept);
	sums_clear(&l->dropped);
	free(l->costs);
	l->costs = NULL;
	l->capcosts = 0;
	l->nrecent = 0;
	l->left = l->lost = false;
	return ret;
}
