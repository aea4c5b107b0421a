/* SPDX-License-Identifier: ISC */
#include "sum/tree/call_graph.h"

#include <stdlib.h>

#include "util/mem.h"

void
calls_init(struct call_source *c, struct dict *dict)
{
	*c = (struct call_source){ .dict = dict };
	recursion_levels_init(&c->levels, dict);
	sums_init(&c->rows, 1, 1);
	sums_init(&c->edges, EDGE_KEYS, 2);
}

void
calls_free(struct call_source *c)
{
	size_t side;

	sums_free(&c->rows);
	sums_free(&c->edges);
	recursion_levels_free(&c->levels);
	free(c->row_of);
	free(c->cycle);
	free(c->of);
	free(c->calls_itself);
	free(c->first);
	adjacency_free(&c->out);
	adjacency_free(&c->into);
	free(c->edge);
	free(c->inner);
	free(c->weight);
	for (side = 0; side < SIDES; side++) {
		free(c->part[side]);
		free(c->uneven[side]);
	}
	free(c->stamp);
	apportion_free(&c->apportion);
}

void
calls_widen(struct call_source *c, size_t sides)
{
	sums_widen(&c->rows, sides);
	sums_widen(&c->edges, 1 + sides);
}

static size_t
find_row(struct call_source *c, uint64_t func)
{
	const uint64_t at = func == NO_ID ? 0 : func + 1;
	uint64_t key;
	bool fresh;

	c->row_of = mem_reach(c->row_of, &c->caprow_of, at, sizeof *c->row_of, 0);
	if (!c->row_of[at]) {
		key = dict_func_bare(c->dict, func, &fresh);
		c->row_of[at] = (uint32_t)sums_row(&c->rows, &key) + 1;
	}
	return c->row_of[at] - 1;
}

num *
calls_self(struct call_source *c, uint64_t func)
{
	return sums_val(&c->rows, find_row(c, func));
}

num *
calls_edge(struct call_source *c, uint64_t from, uint64_t to)
{
	uint64_t key[EDGE_KEYS];

	key[EDGE_ROW] = key[EDGE_FROM] = find_row(c, from);
	key[EDGE_TO] = find_row(c, to);
	return sums_val(&c->edges, sums_row(&c->edges, key));
}

bool
calls_any(const struct call_source *c)
{
	return c->rows.n > 0;
}

bool
calls_none(const struct call_source *c)
{
	return c->rows.n > 1 && !c->edges.n;
}

/* ---- once it is known ---- */

/* Was the call made?  One with no count and no cost was not. */
static bool
is_call(const void *arg, size_t edge)
{
	const struct call_source *c = arg;
	const num *v = sums_val(&c->edges, edge);
	size_t k;

	for (k = 0; k < c->edges.nval; k++)
		if (v[k])
			return true;
	return false;
}

static bool
is_other_call(const void *arg, size_t edge)
{
	const struct call_source *c = arg;

	return is_call(arg, edge) && from_of(c, edge) != to_of(c, edge);
}

static int
sum_edge(struct call_source *c, size_t edge)
{
	const uint32_t from = from_of(c, edge), to = to_of(c, edge);
	size_t side;
	int ret = 0;

	if (!is_call(c, edge))
		return 0;
	c->calls_itself[from] |= from == to;
	cycle_of(c, to)->calls += !is_inner(c, edge);
	for (side = 0; side < c->rows.nval && !is_inner(c, edge); side++) {
		ret |= num_add(&cycle_of(c, to)->in[side], cost_of(c, edge, side));
		ret |= num_add(&cycle_of(c, from)->need[side], cost_of(c, edge, side));
	}
	return ret;
}

/* Checks that the smaller one can later be subtracted from the larger. */
static int
check_difference(num a, num b)
{
	num larger = a > b ? a : b;

	return num_sub(&larger, a > b ? b : a);
}

/* Sums the costs that enter cycles, and the costs of their functions. */
static int
sum_cycles(struct call_source *c)
{
	size_t i, side;
	int ret = 0;

	for (i = 0; i < c->rows.n; i++)
		for (side = 0; side < c->rows.nval; side++)
			ret |= num_add(&cycle_of(c, i)->need[side], self_of(c, i, side));
	for (i = 0; i < c->edges.n; i++)
		ret |= sum_edge(c, i);
	for (i = 0; i < c->rows.n; i++) {
		struct call_cycle *of = cycle_of(c, i);

		if (!of->members++)
			of->head = (uint32_t)i;
		for (side = 0; of->calls && side < c->rows.nval; side++)
			ret |= check_difference(of->need[side], of->in[side]);
	}
	return ret;
}

/* Is it a cycle that a tree begins with, so that the member where it begins matters? */
static bool
is_root(const struct call_source *c, const struct call_cycle *of)
{
	size_t side;

	for (side = 0; of->calls && side < c->rows.nval && of->in[side] >= of->need[side];
	    side++)
		;
	return of->members > 1 && (!of->calls || side < c->rows.nval);
}

/* Does a function's excess over the calls into it matter? */
static bool
is_weighed(const struct call_source *c, uint32_t row)
{
	return c->filtered || is_root(c, cycle_of(c, row));
}

/* Sets *over to that excess. */
static int
sum_over(const struct call_source *c, size_t side, num *over)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < c->rows.n; i++)
		over[i] = self_of(c, i, side);
	for (i = 0; i < c->edges.n; i++) {
		const uint32_t from = from_of(c, i), to = to_of(c, i);

		if (is_weighed(c, from))
			ret |= num_add(&over[from], cost_of(c, i, side));
		if (is_weighed(c, to))
			ret |= num_sub(&over[to], cost_of(c, i, side));
	}
	return ret;
}

/* Finds the member that a cycle begins with.  Each activation costs the sum of its function
 * and the calls from it, so a member's excess over the calls into it is of activations that
 * nobody called.  A member that costs less has lost something, perhaps some of these. */
static int
find_heads(struct call_source *c)
{
	num *over = mem_alloc(c->rows.n + 1, sizeof *over);
	num *all = mem_alloc(c->rows.n + 1, sizeof *all);
	size_t i, side;
	int ret = 0;

	for (side = 0; side < c->rows.nval; side++) {
		ret |= sum_over(c, side, over);
		for (i = 0; i < c->rows.n; i++) {
			c->uneven[side][i] = over[i] != 0;
			if (is_root(c, cycle_of(c, i)))
				ret |= num_add(&all[i], over[i]);
		}
	}
	for (i = 0; i < c->rows.n; i++) {
		struct call_cycle *of = cycle_of(c, i);

		of->roots += all[i] != 0;
		if (all[i] > all[of->head])
			of->head = (uint32_t)i;
	}
	free(over);
	free(all);
	return ret;
}

/* Is the whole cost below one function, or in its cycle? */
static void
find_whole(struct call_source *c, const num *total)
{
	size_t i, side;

	for (i = 0; i < c->rows.n; i++) {
		const struct call_cycle *of = cycle_of(c, i);

		for (side = 0; side < c->rows.nval; side++)
			c->whole[side] |= of->need[side] == total[side] ||
			    (of->calls && of->in[side] == total[side]);
	}
}

/* Finds the functions that are a first level, as far as all calls were recorded by
 * levels. */
static void
find_first(struct call_source *c)
{
	size_t i;

	recursion_levels_end(&c->levels);
	c->first = mem_alloc(c->rows.n + 1, sizeof *c->first);
	for (i = 0; i < c->rows.n && !c->mixed && !c->propagated; i++)
		c->first[i] = recursion_levels_first(&c->levels, *sums_key(&c->rows, i));
}

int
calls_finish(struct call_source *c, const num *total)
{
	const size_t n = c->rows.n;
	size_t side;

	c->cycle = mem_alloc(n + 1, sizeof *c->cycle);
	c->of = mem_alloc(n + 1, sizeof *c->of);
	c->calls_itself = mem_alloc(n + 1, sizeof *c->calls_itself);
	c->stamp = mem_alloc(n + 1, sizeof *c->stamp);
	c->edge = mem_alloc(c->edges.n + 1, sizeof *c->edge);
	c->inner = mem_alloc(c->edges.n + 1, sizeof *c->inner);
	c->weight = mem_alloc(c->edges.n + 2, sizeof *c->weight);
	for (side = 0; side < SIDES; side++) {
		c->part[side] = mem_alloc(c->edges.n + 2, sizeof *c->part[side]);
		c->uneven[side] = mem_alloc(n + 1, sizeof *c->uneven[side]);
	}
	find_first(c);
	graph_cycles(&c->edges, n, is_call, c, c->cycle);
	c->out = adjacency_make(&c->edges, EDGE_FROM, n, is_other_call, c);
	c->into = adjacency_make(&c->edges, EDGE_TO, n, is_other_call, c);
	if (sum_cycles(c) < 0 || find_heads(c) < 0)
		return -1;
	find_whole(c, total);
	return 0;
}
