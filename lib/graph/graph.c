/* SPDX-License-Identifier: ISC */
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "graph/adjacency.h"
#include "util/mem.h"

/* ---- cycles ---- */

/* Tarjan's algorithm with an explicit stack, as the input determines the depth. */
struct tarjan {
	const struct sums *edges;
	struct adjacency out;
	uint32_t *index, *low;	/* by node; index 0: not seen */
	uint32_t *next;		/* by node: its next edge to follow */
	uint32_t *path, *open;	/* nodes on the way down, nodes of no cycle yet */
	size_t npath, nopen;
	uint32_t counter, ncomp;
	uint32_t *comp;		/* UINT32_MAX: none yet */
};

/* Follows another edge of v, the last node of the path: false if there are no more. */
static bool
follow_edge(struct tarjan *t, uint32_t v)
{
	uint32_t w;

	if (!t->index[v]) {
		t->index[v] = t->low[v] = ++t->counter;
		t->next[v] = t->out.first[v];
		t->open[t->nopen++] = v;
	}
	if (t->next[v] == t->out.first[v + 1])
		return false;
	w = (uint32_t)sums_key(t->edges, t->out.edge[t->next[v]++])[EDGE_TO];
	if (!t->index[w])
		t->path[t->npath++] = w;
	else if (t->comp[w] == UINT32_MAX && t->index[w] < t->low[v])
		t->low[v] = t->index[w];
	return true;
}

/* Goes back from v, whose edges have been followed; it may be the first of a cycle. */
static void
leave_node(struct tarjan *t, uint32_t v)
{
	uint32_t w;

	t->npath--;
	if (t->npath && t->low[v] < t->low[t->path[t->npath - 1]])
		t->low[t->path[t->npath - 1]] = t->low[v];
	if (t->low[v] != t->index[v])
		return;
	do
		t->comp[w = t->open[--t->nopen]] = t->ncomp;
	while (w != v);
	t->ncomp++;
}

void
graph_cycles(const struct sums *edges, size_t nnodes,
    bool (*has)(const void *arg, size_t edge), const void *arg, uint32_t *comp)
{
	struct tarjan t = { .edges = edges, .comp = comp,
	    .out = adjacency_make(edges, EDGE_FROM, nnodes, has, arg),
	    .index = mem_alloc(nnodes + 1, sizeof *t.index),
	    .low = mem_alloc(nnodes + 1, sizeof *t.low),
	    .next = mem_alloc(nnodes + 1, sizeof *t.next),
	    .path = mem_alloc(nnodes + 1, sizeof *t.path),
	    .open = mem_alloc(nnodes + 1, sizeof *t.open) };
	size_t node;

	for (node = 0; node < nnodes; node++)
		comp[node] = UINT32_MAX;
	for (node = 0; node < nnodes; node++) {
		if (t.index[node])
			continue;
		t.path[t.npath++] = (uint32_t)node;
		while (t.npath) {
			const uint32_t v = t.path[t.npath - 1];

			if (!follow_edge(&t, v))
				leave_node(&t, v);
		}
	}
	adjacency_free(&t.out);
	free(t.index);
	free(t.low);
	free(t.next);
	free(t.path);
	free(t.open);
}

/* ---- inclusive cost ---- */

/* The sums of a pass over the calls of each kind. */
struct pass {
	const struct graph *g;
	const struct graph_calls *c;	/* those of this pass, */
	uint32_t *comp, *size;	/* the cycle of each node, the nodes of each cycle */
	/* By row * nval + i. */
	num *out;		/* self cost, and calls from it that are not nested */
	num *in;		/* calls into it that are not nested */
	num *mean;		/* the largest mean cost of a call within a cycle */
	num *all_out, *all_in;	/* self cost and all calls from it; all calls into it; or
				 * NULL */
	num *calls;
	bool *called;		/* by row: `in` is set */
	bool *negative;		/* by sum: some cost is negative */
	unsigned char *flags;
};

static bool
counts(const struct graph *g, size_t i)
{
	return !g->only || g->only[i];
}

/* A call with no count and no cost does not close a cycle. */
static bool
is_idle(const struct graph *g, const num *edge)
{
	size_t i;

	for (i = 0; i < g->rows->nval; i++)
		if (edge[1 + i] && counts(g, i))
			return false;
	return g->only || !edge[0];
}

static bool
is_call(const void *sums, size_t edge)
{
	const struct pass *s = sums;

	return !is_idle(s->g, sums_val(s->c->edges, edge));
}

static int
add(const struct graph *g, num *sum, const num *v)
{
	size_t i;

	for (i = 0; i < g->rows->nval; i++)
		if (counts(g, i) && num_add(&sum[i], v[i]) < 0)
			return -1;
	return 0;
}

/* Raises a bound to the mean cost of a call, rounded up, as one of the calls cost at least
 * that. */
static void
raise_mean(const struct graph *g, num *mean, const num *edge)
{
	const num n = edge[g->count];
	size_t i;

	for (i = 0; i < g->rows->nval && n > 0; i++) {
		const num v = edge[1 + i] / n + (edge[1 + i] % n > 0);

		if (counts(g, i) && v > mean[i])
			mean[i] = v;
	}
}

/* Are the calls into a node and from it nested in no activation of it? */
static bool
is_first(const struct pass *s, size_t node)
{
	return s->c->first && s->c->first[node];
}

static bool
is_measured(const struct graph *g)
{
	size_t i;

	for (i = 0; i < g->rows->nval && g->propagated[i]; i++)
		;
	return i < g->rows->nval;
}

/* Marks the unknown at one end of a call.  Where calls were dropped, a node that calls
 * itself counts as a cycle: its calls of itself need not be nested in the remaining
 * ones. */
static void
mark(struct pass *s, size_t node, bool itself)
{
	if (is_first(s, node)) {
		if (s->c->alone[node] && (s->c->partial || s->size[s->comp[node]] > 1))
			s->flags[node] |= GRAPH_PARTIAL;
		return;
	}
	if (s->size[s->comp[node]] > 1 || (itself && s->c->partial))
		s->flags[node] |= GRAPH_CYCLE;
	if (s->c->partial)
		s->flags[node] |= GRAPH_PARTIAL;
}

/* Adds calls including nested ones; those of a node by itself only if they need not be
 * nested in the remaining ones. */
static int
add_all(struct pass *s, size_t from, size_t to, const num *v)
{
	const size_t nval = s->g->rows->nval;

	if (!s->all_out || (from == to && !s->c->partial))
		return 0;
	return add(s->g, s->all_out + from * nval, v) < 0 ||
	    add(s->g, s->all_in + to * nval, v) < 0 ? -1 : 0;
}

static int
add_edge(struct pass *s, size_t edge)
{
	const struct graph *g = s->g;
	const size_t nval = g->rows->nval;
	const uint64_t *key = sums_key(s->c->edges, edge);
	const num *v = sums_val(s->c->edges, edge);
	const size_t from = key[EDGE_FROM], to = key[EDGE_TO];
	const bool inner = s->comp[from] == s->comp[to];
	size_t i;

	for (i = 0; i < nval; i++)
		s->negative[i] |= v[1 + i] < 0;
	if (from != to && num_add(&s->calls[to], v[0]) < 0)
		return -1;
	if (is_idle(g, v))
		return 0;
	if (add_all(s, from, to, v + 1) < 0)
		return -1;
	mark(s, from, from == to);
	mark(s, to, from == to);
	if ((inner || s->c->partial) && g->averages) {
		raise_mean(g, s->mean + from * nval, v);
		raise_mean(g, s->mean + to * nval, v);
	}
	if (from == to)
		return 0;
	if ((!inner || is_first(s, from)) && add(g, s->out + from * nval, v + 1) < 0)
		return -1;
	if (inner && !is_first(s, to))
		return 0;
	s->called[to] = true;
	return add(g, s->in + to * nval, v + 1);
}

static int
add_calls(struct pass *s, const struct graph_calls *c)
{
	const size_t nnodes = s->g->rows->n;
	size_t i;
	int ret = 0;

	s->c = c;
	graph_cycles(c->edges, nnodes, is_call, s, s->comp);
	memset(s->size, 0, nnodes * sizeof *s->size);
	for (i = 0; i < nnodes; i++)
		s->size[s->comp[i]]++;
	for (i = 0; i < c->edges->n && ret == 0; i++)
		ret = add_edge(s, i);
	return ret;
}

/* Starts with self cost, to which the calls are added. */
static void
begin(struct pass *s)
{
	const struct sums *rows = s->g->rows;
	size_t row, i;

	memset(s->calls, 0, rows->n * sizeof *s->calls);
	memset(s->flags, 0, rows->n);
	for (row = 0; row < rows->n; row++)
		for (i = 0; i < rows->nval; i++) {
			num *out = &s->out[row * rows->nval + i];

			if (counts(s->g, i))
				*out = sums_val(rows, row)[i];
			s->negative[i] |= *out < 0;
		}
}

/* Chooses the best bound. */
static void
choose(const struct pass *s, size_t row, size_t i)
{
	const struct graph *g = s->g;
	const size_t at = row * g->rows->nval + i;
	num *incl = &s->out[at];
	const bool cycle = s->flags[row] & GRAPH_CYCLE;

	if (!counts(g, i) || (cycle && g->propagated[i]))
		return;
	if (cycle && s->flags[row] & GRAPH_PARTIAL && !s->negative[i])
		*incl = sums_val(g->rows, row)[i];
	else if (s->called[row] && (s->in[at] > *incl || s->negative[i]))
		*incl = s->in[at];
	if (s->mean[at] > *incl && !s->negative[i] && !g->propagated[i])
		*incl = s->mean[at];
}

/* Chooses the upper bound; an upper bound is its own. */
static void
choose_upper(const struct pass *s, size_t row, size_t i)
{
	const struct graph *g = s->g;
	const size_t at = row * g->rows->nval + i;

	if (!counts(g, i))
		return;
	g->upper[at] = s->out[at];
	if (!(s->flags[row] & GRAPH_CYCLE) || s->negative[i] || g->propagated[i])
		return;
	g->upper[at] = s->all_out[at];
	if (s->flags[row] & GRAPH_PARTIAL && s->all_in[at] > s->all_out[at])
		g->upper[at] = s->all_in[at];
}

int
graph_inclusive(const struct graph *g, num *incl, num *calls, unsigned char *flags)
{
	const size_t n = g->rows->n * g->rows->nval;
	struct pass s = { .g = g, .out = incl, .calls = calls, .flags = flags,
	    .comp = mem_alloc(g->rows->n + 1, sizeof *s.comp),
	    .size = mem_alloc(g->rows->n + 1, sizeof *s.size),
	    .in = mem_alloc(n + 1, sizeof *s.in),
	    .mean = mem_alloc(n + 1, sizeof *s.mean),
	    .called = mem_alloc(g->rows->n + 1, sizeof *s.called),
	    .negative = mem_alloc(g->rows->nval + 1, sizeof *s.negative) };
	size_t i;
	int ret = 0;

	begin(&s);
	if (g->upper) {
		s.all_out = mem_alloc(n + 1, sizeof *s.all_out);
		s.all_in = mem_alloc(n + 1, sizeof *s.all_in);
		memcpy(s.all_out, s.out, n * sizeof *s.all_out);
	}
	for (i = 0; i < g->ncalls && ret == 0; i++)
		ret = add_calls(&s, &g->calls[i]);
	for (i = 0; i < n; i++)
		choose(&s, i / g->rows->nval, i % g->rows->nval);
	for (i = 0; i < n && g->upper; i++)
		choose_upper(&s, i / g->rows->nval, i % g->rows->nval);
	for (i = 0; i < g->rows->n && !is_measured(g); i++)
		flags[i] &= (unsigned char)~GRAPH_PARTIAL;
	free(s.comp);
	free(s.size);
	free(s.in);
	free(s.mean);
	free(s.all_out);
	free(s.all_in);
	free(s.called);
	free(s.negative);
	return ret;
}
