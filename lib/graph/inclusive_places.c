/* SPDX-License-Identifier: ISC */
#include "graph/inclusive_places.h"

#include <stdlib.h>
#include <string.h>

#include "graph/adjacency.h"
#include "util/mem.h"

/* A function of the current row.  Its sums are in work.own and work.leave. */
struct member {
	uint32_t node;
	bool calls;
};

struct work {
	const struct places *p;
	size_t nval;
	struct adjacency out, into, at, more;	/* calls by their ends, by row; p->more by row */
	struct adjacency of;	/* if rows are whole functions: nodes by row */
	struct sums node_rows;	/* the rows that `of` is an index of */
	uint32_t *comp;		/* by node: its cycle, */
	uint32_t *size;		/* and the number of nodes in that */
	num *all, *in;		/* by node * nval + i: self cost and calls from it; calls
				 * into it */
	bool *begins;		/* by node: threads begin there */
	bool *negative;		/* by sum: has it a negative cost */
	uint64_t steps;		/* left */

	/* The current row + 1 marks what is true for this row. */
	uint32_t mark;
	uint32_t *reached;	/* by node: a call from the row leads to it, */
	uint32_t *loose;	/* and other calls may */
	uint32_t *is_member, *index;	/* by node: is it in `member`, and where */
	uint32_t *is_cycle, *leader;	/* by comp: the first member in it */
	uint32_t *list;		/* nodes reached, those before `done` followed */
	uint32_t *queue;	/* loose nodes */
	size_t nlist;
	struct member *member;
	size_t n, cap, capown, capleave;
	num *own, *leave;	/* by member * nval + i: self cost and calls; the same
				 * without the calls in its cycle */
	num *least, *most;	/* by sum */
};

/* ---- sums ---- */

/* Is this sum a cost?  The number of calls is none. */
static bool
counts(const struct work *w, size_t i)
{
	return !w->p->only || (w->p->only[i] && i + 1 != w->p->count);
}

static int
add(const struct work *w, num *sum, const num *v)
{
	size_t i;

	for (i = 0; i < w->nval; i++)
		if (counts(w, i) && num_add(&sum[i], v[i]) < 0)
			return -1;
	return 0;
}

/* A call with no count and no cost was not made. */
static bool
is_call(const void *work, size_t edge)
{
	const struct work *w = work;
	const num *v = sums_val(w->p->edges, edge);
	size_t i;

	for (i = 0; i < w->nval; i++)
		if (v[1 + i] && counts(w, i))
			return true;
	return (!w->p->only || w->p->count) && v[w->p->count];
}

static size_t
row_of(const struct work *w, uint32_t edge)
{
	return sums_key(w->p->edges, edge)[EDGE_ROW];
}

static uint32_t
from_of(const struct work *w, uint32_t edge)
{
	return (uint32_t)sums_key(w->p->edges, edge)[EDGE_FROM];
}

static uint32_t
to_of(const struct work *w, uint32_t edge)
{
	return (uint32_t)sums_key(w->p->edges, edge)[EDGE_TO];
}

static const num *
cost_of(const struct work *w, uint32_t edge)
{
	return sums_val(w->p->edges, edge) + 1;
}

/* Returns the cost that no call accounts for: threads begin there. */
static num
root_of(const struct work *w, uint32_t node, size_t i)
{
	const size_t at = node * w->nval + i;
	num v = w->all[at];

	return num_sub(&v, w->in[at]) < 0 || v < 0 ? 0 : v;
}

static bool
is_cyclic(const struct work *w, uint32_t node)
{
	return w->size[w->comp[node]] > 1;
}

/* ---- the whole graph ---- */

static void
find_negative(struct work *w, const struct sums *t, size_t skip)
{
	size_t i, k;

	for (i = 0; i < t->n; i++)
		for (k = 0; k < w->nval; k++)
			w->negative[k] |= sums_val(t, i)[skip + k] < 0;
}

/* Adds the self cost of a row's owner; those of other nodes are in p->more. */
static int
owner_self(const struct work *w, size_t row, num *self)
{
	const num *v = sums_val(w->p->rows, row), *more;
	uint32_t k;
	size_t i;

	for (i = 0; i < w->nval; i++)
		self[i] = v[i];
	for (k = w->more.first[row]; k < w->more.first[row + 1]; k++) {
		more = sums_val(w->p->more, w->more.edge[k]);
		for (i = 0; i < w->nval; i++)
			if (num_sub(&self[i], more[i]) < 0)
				return -1;
	}
	return 0;
}

static int
sum_nodes(struct work *w)
{
	const struct places *p = w->p;
	size_t i;

	for (i = 0; i < p->rows->n; i++)
		if (p->owner[i] != PLACES_NONE && (owner_self(w, i, w->least) < 0 ||
		    add(w, w->all + p->owner[i] * w->nval, w->least) < 0))
			return -1;
	for (i = 0; i < p->more->n; i++)
		if (add(w, w->all + sums_key(p->more, i)[MORE_NODE] * w->nval,
		    sums_val(p->more, i)) < 0)
			return -1;
	for (i = 0; i < p->edges->n; i++) {
		const uint32_t e = (uint32_t)i;

		if (add(w, w->all + from_of(w, e) * w->nval, cost_of(w, e)) < 0 ||
		    add(w, w->in + to_of(w, e) * w->nval, cost_of(w, e)) < 0)
			return -1;
	}
	return 0;
}

static void
find_begins(struct work *w)
{
	size_t node, i;

	for (node = 0; node < w->p->nnodes; node++)
		for (i = 0; i < w->nval; i++)
			w->begins[node] |= counts(w, i) &&
			    root_of(w, (uint32_t)node, i) != 0;
}

static void
find_cycles(struct work *w)
{
	size_t i;

	graph_cycles(w->p->edges, w->p->nnodes, is_call, w, w->comp);
	for (i = 0; i < w->p->nnodes; i++)
		w->size[w->comp[i]]++;
}

/* ---- the functions of a row ---- */

static size_t
member_of(struct work *w, uint32_t node)
{
	const size_t i = w->n, nval = w->nval;

	if (w->is_member[node] == w->mark)
		return w->index[node];
	w->is_member[node] = w->mark;
	w->index[node] = (uint32_t)i;
	w->member = mem_grow(w->member, &w->cap, i + 1, sizeof *w->member);
	w->own = mem_grow(w->own, &w->capown, (i + 1) * nval, sizeof *w->own);
	w->leave = mem_grow(w->leave, &w->capleave, (i + 1) * nval, sizeof *w->leave);
	if (nval) {
		memset(w->own + i * nval, 0, nval * sizeof *w->own);
		memset(w->leave + i * nval, 0, nval * sizeof *w->leave);
	}
	w->member[w->n++] = (struct member){ .node = node };
	return i;
}

static int
add_self(struct work *w, uint32_t node, const num *self)
{
	const size_t m = member_of(w, node);

	return add(w, w->own + m * w->nval, self) < 0 ||
	    add(w, w->leave + m * w->nval, self) < 0 ? -1 : 0;
}

static int
add_calls(struct work *w, uint32_t edge)
{
	const uint32_t from = from_of(w, edge);
	const size_t m = member_of(w, from);

	w->member[m].calls = true;
	if (add(w, w->own + m * w->nval, cost_of(w, edge)) < 0)
		return -1;
	return w->comp[from] == w->comp[to_of(w, edge)] ? 0 :
	    add(w, w->leave + m * w->nval, cost_of(w, edge));
}

static int
find_members(struct work *w, size_t row)
{
	const struct places *p = w->p;
	uint32_t k;

	w->mark = (uint32_t)row + 1;
	w->n = 0;
	if (p->owner[row] != PLACES_NONE && (owner_self(w, row, w->least) < 0 ||
	    add_self(w, p->owner[row], w->least) < 0))
		return -1;
	for (k = w->more.first[row]; k < w->more.first[row + 1]; k++)
		if (add_self(w, (uint32_t)sums_key(p->more, w->more.edge[k])[MORE_NODE],
		    sums_val(p->more, w->more.edge[k])) < 0)
			return -1;
	for (k = w->at.first[row]; k < w->at.first[row + 1]; k++)
		if (add_calls(w, w->at.edge[k]) < 0)
			return -1;
	for (k = p->whole ? w->of.first[row] : 0; p->whole && k < w->of.first[row + 1]; k++)
		member_of(w, w->of.edge[k]);
	return 0;
}

/* Are there calls of the row, or into it if it is whole functions? */
static bool
has_calls(const struct work *w, size_t row)
{
	size_t m;

	if (w->at.first[row] < w->at.first[row + 1])
		return true;
	for (m = 0; m < w->n && w->p->whole; m++)
		if (w->into.first[w->member[m].node] < w->into.first[w->member[m].node + 1])
			return true;
	return false;
}

/* ---- above, below, both ---- */

static bool
is_reached(const struct work *w, uint32_t node)
{
	return w->reached[node] == w->mark;
}

static bool
is_loose(const struct work *w, uint32_t node)
{
	return w->loose[node] == w->mark;
}

/* Notes a node that calls from the row lead to, except a node of a lower cycle, which
 * cannot lead back to the row. */
static void
reach(struct work *w, uint32_t node, uint32_t lowest)
{
	if (w->comp[node] < lowest || is_reached(w, node))
		return;
	w->reached[node] = w->mark;
	w->list[w->nlist++] = node;
}

static bool
take_steps(struct work *w, uint64_t n)
{
	w->steps -= n < w->steps ? n : w->steps;
	return w->steps != 0;
}

/* Finds all nodes that calls from the row lead to: false if that takes too many steps. */
static bool
find_reached(struct work *w, size_t row)
{
	uint32_t lowest = UINT32_MAX, k;
	size_t i;

	for (i = 0; i < w->n; i++)
		if (w->comp[w->member[i].node] < lowest)
			lowest = w->comp[w->member[i].node];
	w->nlist = 0;
	for (k = w->at.first[row]; k < w->at.first[row + 1]; k++)
		reach(w, to_of(w, w->at.edge[k]), lowest);
	for (i = 0; i < w->nlist; i++) {
		const uint32_t node = w->list[i];

		if (!take_steps(w, 1 + w->out.first[node + 1] - w->out.first[node]))
			return false;
		for (k = w->out.first[node]; k < w->out.first[node + 1]; k++)
			reach(w, to_of(w, w->out.edge[k]), lowest);
	}
	return true;
}

/* If only the levels of one function call from the row, no call leads to the first
 * level. */
static void
except_first(struct work *w)
{
	const struct places *p = w->p;
	uint32_t family = PLACES_NONE;
	size_t m;

	for (m = 0; m < w->n && p->first; m++) {
		const uint32_t is = p->family[w->member[m].node];

		if (w->member[m].calls && family != PLACES_NONE && family != is)
			return;
		if (w->member[m].calls)
			family = is;
	}
	for (m = 0; m < w->n && p->first; m++)
		if (p->first[w->member[m].node] && p->family[w->member[m].node] == family)
			w->reached[w->member[m].node] = 0;
}

static bool
is_nested(const struct work *w)
{
	size_t m;

	for (m = 0; m < w->n; m++)
		if (is_reached(w, w->member[m].node))
			return true;
	return false;
}

/* May a thread begin with this node?  Where nested calls do not count, the calls of a cycle
 * do not show where it begins. */
static bool
may_begin(const struct work *w, uint32_t node)
{
	return w->p->once && is_cyclic(w, node);
}

/* Does a thread, perhaps, begin with the node, or does a call lead to it that is certainly
 * not below the row? */
static bool
comes_from_above(struct work *w, size_t row, uint32_t node)
{
	uint32_t k;

	if (w->begins[node] || may_begin(w, node))
		return true;
	for (k = w->into.first[node]; k < w->into.first[node + 1]; k++)
		if (row_of(w, w->into.edge[k]) != row &&
		    !is_reached(w, from_of(w, w->into.edge[k])))
			return true;
	return false;
}

/* Finds the nodes that are reached, but not only from below.  False if that is unknown, as
 * it is after a filter. */
static bool
find_loose(struct work *w, size_t row)
{
	size_t i, n = 0, done;
	uint32_t node, to, k;

	for (i = 0; i < w->nlist; i++) {
		node = w->list[i];
		if (!take_steps(w, 1 + w->into.first[node + 1] - w->into.first[node]))
			return false;
		if (!is_reached(w, node) ||
		    (!w->p->filtered && !comes_from_above(w, row, node)))
			continue;
		w->loose[node] = w->mark;
		w->queue[n++] = node;
	}
	for (done = 0; done < n; done++) {
		node = w->queue[done];
		for (k = w->out.first[node]; k < w->out.first[node + 1]; k++) {
			to = to_of(w, w->out.edge[k]);
			if (row_of(w, w->out.edge[k]) == row || !is_reached(w, to) ||
			    is_loose(w, to))
				continue;
			w->loose[to] = w->mark;
			w->queue[n++] = to;
		}
	}
	return true;
}

/* ---- what functions add to a row ---- */

/* Sums the calls into a function from outside of the row: from functions above, and from
 * those that are both. */
static int
sum_into(const struct work *w, size_t row, uint32_t node, size_t i, num *above, num *both)
{
	uint32_t k;

	*above = *both = 0;
	for (k = w->into.first[node]; k < w->into.first[node + 1]; k++) {
		const uint32_t e = w->into.edge[k], from = from_of(w, e);
		num *sum = !is_reached(w, from) ? above : is_loose(w, from) ? both : NULL;

		if (row_of(w, e) != row && sum && num_add(sum, cost_of(w, e)[i]) < 0)
			return -1;
	}
	return may_begin(w, node) ? 0 : num_add(above, root_of(w, node, i));
}

/* Do the calls into a cycle have its whole cost, because costs are propagated? */
static bool
is_shared(const struct work *w, uint32_t node, size_t i)
{
	return w->p->propagated[i] && is_cyclic(w, node);
}

/* Adds a function above; a filter may have dropped calls of whole functions. */
static int
add_above(struct work *w, size_t row, size_t m, size_t i)
{
	const uint32_t node = w->member[m].node;
	num v = w->own[m * w->nval + i], above, both;

	if (w->p->whole && !w->negative[i] && !is_shared(w, node, i)) {
		if (sum_into(w, row, node, i, &above, &both) < 0)
			return -1;
		if (above > v)
			v = above;
	}
	return num_add(&w->least[i], v) < 0 || num_add(&w->most[i], v) < 0 ? -1 : 0;
}

static int
add_both(struct work *w, size_t row, size_t m, size_t i)
{
	const uint32_t node = w->member[m].node;
	num least, most, other = w->all[node * w->nval + i];
	const num own = w->own[m * w->nval + i];

	if (sum_into(w, row, node, i, &least, &most) < 0 || num_add(&most, least) < 0 ||
	    num_sub(&other, own) < 0 || num_sub(&least, other) < 0)
		return -1;
	if (least < 0 || is_shared(w, node, i) || (w->p->filtered && !w->p->whole))
		least = 0;
	if (own < most || is_shared(w, node, i) || may_begin(w, node))
		most = own;
	if (most < least)
		most = least;
	return num_add(&w->least[i], least) < 0 || num_add(&w->most[i], most) < 0 ? -1 : 0;
}

/* Adds a function; sets *unsure if its sum is no bound. */
static int
add_member(struct work *w, size_t row, size_t m, bool *unsure)
{
	const uint32_t node = w->member[m].node;
	size_t i;

	if (is_reached(w, node) && !is_loose(w, node))
		return 0;
	take_steps(w, w->nval * (w->into.first[node + 1] - w->into.first[node]));
	for (i = 0; i < w->nval; i++) {
		if (!counts(w, i))
			continue;
		if ((is_reached(w, node) ? add_both : add_above)(w, row, m, i) < 0)
			return -1;
		*unsure |= w->negative[i] && is_reached(w, node);
	}
	return 0;
}

/* ---- bounds ---- */

static void
raise(const struct work *w, size_t i, num v)
{
	if (v > w->least[i] && !w->negative[i])
		w->least[i] = v;
}

/* Raises the bound to the cost of each cycle's functions without the calls in it. */
static int
raise_cycles(struct work *w)
{
	size_t m, i;

	for (m = 0; m < w->n; m++) {
		const uint32_t comp = w->comp[w->member[m].node];

		if (w->is_cycle[comp] != w->mark) {
			w->is_cycle[comp] = w->mark;
			w->leader[comp] = (uint32_t)m;
		} else if (add(w, w->leave + w->leader[comp] * w->nval,
		    w->leave + m * w->nval) < 0)
			return -1;
	}
	for (m = 0; m < w->n; m++)
		for (i = 0; i < w->nval; i++)
			raise(w, i, w->leave[m * w->nval + i]);
	return 0;
}

/* Raises the bound to the mean cost of a call, rounded up, as one of the calls cost at
 * least that. */
static void
raise_mean(struct work *w, uint32_t edge)
{
	const num n = sums_val(w->p->edges, edge)[w->p->count];
	const num *v = cost_of(w, edge);
	size_t i;

	for (i = 0; i < w->nval && n > 0; i++)
		if (!w->p->propagated[i])
			raise(w, i, v[i] / n + (v[i] % n > 0));
}

static int
raise_all(struct work *w, size_t row)
{
	const num *self = sums_val(w->p->rows, row);
	uint32_t k;
	size_t i;

	for (i = 0; i < w->nval; i++)
		raise(w, i, self[i]);
	for (k = w->at.first[row]; w->p->averages && k < w->at.first[row + 1]; k++)
		raise_mean(w, w->at.edge[k]);
	return raise_cycles(w);
}

/* ---- a row ---- */

/* Where calls were dropped, any remaining one may be nested, so their sum is an upper
 * bound.  Calls of a function's first level are not nested. */
static int
sum_partial(struct work *w, size_t row, unsigned char *flags)
{
	size_t m, i;

	for (m = 0; m < w->n; m++)
		for (i = 0; i < w->nval; i++)
			if (counts(w, i) && add_above(w, row, m, i) < 0)
				return -1;
	if (has_calls(w, row) && !(w->n == 1 && w->p->first &&
	    w->p->first[w->member[0].node]))
		*flags |= GRAPH_PARTIAL;
	return 0;
}

static int
sum_members(struct work *w, size_t row, unsigned char *flags)
{
	const bool known = find_reached(w, row);
	bool unsure = false, exact = true;
	size_t m, i;

	except_first(w);
	if (!known || (is_nested(w) && !find_loose(w, row))) {
		*flags |= GRAPH_CYCLE;
		for (i = 0; i < w->nval; i++)
			unsure |= counts(w, i) && w->negative[i];
		*flags |= unsure ? GRAPH_MIXED : 0;
		return raise_all(w, row);
	}
	for (m = 0; m < w->n; m++)
		if (add_member(w, row, m, &unsure) < 0)
			return -1;
	*flags |= unsure ? GRAPH_MIXED : 0;
	for (i = 0; i < w->nval; i++)
		exact &= !counts(w, i) || w->least[i] == w->most[i];
	if (exact)
		return 0;
	*flags |= GRAPH_CYCLE;
	return raise_all(w, row);
}

static int
sum_row(struct work *w, size_t row, num *incl, unsigned char *flags)
{
	size_t i;

	if (find_members(w, row) < 0)
		return -1;
	for (i = 0; i < w->nval; i++)
		w->least[i] = w->most[i] = 0;
	*flags = 0;
	if ((w->p->partial ? sum_partial : sum_members)(w, row, flags) < 0)
		return -1;
	for (i = 0; i < w->nval; i++)
		if (counts(w, i))
			incl[i] = w->least[i];
	return 0;
}

/* ---- the whole ---- */

static uint32_t *
by_node(const struct work *w)
{
	return mem_alloc(w->p->nnodes + 1, sizeof (uint32_t));
}

/* Indexes the nodes of rows that are whole functions, including those that are only
 * called. */
static void
index_nodes(struct work *w)
{
	uint64_t key[2];
	size_t i;

	sums_init(&w->node_rows, 2, 0);
	for (i = 0; w->p->whole && i < w->p->nnodes; i++) {
		key[0] = w->p->whole[i];
		key[1] = i;
		sums_row(&w->node_rows, key);
	}
	w->of = adjacency_make(&w->node_rows, 0, w->p->rows->n, NULL, NULL);
}

static void
begin(struct work *w)
{
	const struct places *p = w->p;
	const size_t n = p->nnodes * w->nval + 1;

	w->all = mem_alloc(n, sizeof *w->all);
	w->in = mem_alloc(n, sizeof *w->in);
	w->negative = mem_alloc(w->nval + 1, sizeof *w->negative);
	w->least = mem_alloc(w->nval + 1, sizeof *w->least);
	w->most = mem_alloc(w->nval + 1, sizeof *w->most);
	w->begins = mem_alloc(p->nnodes + 1, sizeof *w->begins);
	w->comp = by_node(w);
	w->size = by_node(w);
	w->reached = by_node(w);
	w->loose = by_node(w);
	w->is_member = by_node(w);
	w->index = by_node(w);
	w->is_cycle = by_node(w);
	w->leader = by_node(w);
	w->list = by_node(w);
	w->queue = by_node(w);
	w->out = adjacency_make(p->edges, EDGE_FROM, p->nnodes, is_call, w);
	w->into = adjacency_make(p->edges, EDGE_TO, p->nnodes, is_call, w);
	w->at = adjacency_make(p->edges, EDGE_ROW, p->rows->n, is_call, w);
	w->more = adjacency_make(p->more, MORE_ROW, p->rows->n, NULL, NULL);
	index_nodes(w);
	find_cycles(w);
	find_negative(w, p->rows, 0);
	find_negative(w, p->edges, 1);
}

static void
end(struct work *w)
{
	free(w->all);
	free(w->in);
	free(w->begins);
	free(w->negative);
	free(w->least);
	free(w->most);
	free(w->comp);
	free(w->size);
	free(w->reached);
	free(w->loose);
	free(w->is_member);
	free(w->index);
	free(w->is_cycle);
	free(w->leader);
	free(w->list);
	free(w->queue);
	adjacency_free(&w->out);
	adjacency_free(&w->into);
	adjacency_free(&w->at);
	adjacency_free(&w->more);
	adjacency_free(&w->of);
	sums_free(&w->node_rows);
	free(w->member);
	free(w->own);
	free(w->leave);
}

int
places_inclusive(const struct places *p, num *incl, unsigned char *flags)
{
	struct work w = { .p = p, .nval = p->rows->nval, .steps = PLACES_STEPS };
	size_t row;
	int ret;

	begin(&w);
	ret = sum_nodes(&w);
	find_begins(&w);
	for (row = 0; row < p->rows->n && ret == 0; row++)
		ret = sum_row(&w, row, incl + row * w.nval, &flags[row]);
	end(&w);
	return ret;
}
