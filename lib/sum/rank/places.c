/* SPDX-License-Identifier: ISC */
/* A ranking with rows that are places, or several functions: the graph of the functions. */
#include "rows.h"

#include <stdlib.h>

#include "graph/inclusive_places.h"
#include "stream/defs.h"
#include "stream/recursion_suffix.h"
#include "util/mem.h"

/* By metadata alone there is no graph: all calls of a row are its own. */
bool
rank_is_placed(const struct rank_request *q)
{
	bool function = false, object = false, place = false;
	size_t i;

	for (i = 0; i < q->ngroup_by; i++) {
		const enum group_by by = q->group_by[i];

		function |= by == BY_FUNCTION;
		object |= by == BY_OBJECT;
		place |= by == BY_FILE || by == BY_LINE || by == BY_ADDR;
	}
	return place || (object && !function);
}

/* Are all costs of a function in one row? */
static bool
is_whole(const struct rank_request *q)
{
	size_t i;

	for (i = 0; i < q->ngroup_by; i++)
		if (q->group_by[i] == BY_FILE || q->group_by[i] == BY_LINE ||
		    q->group_by[i] == BY_ADDR)
			return false;
	return true;
}

/* Returns the node of a function with the metadata of rows: calls do not go from one part
 * to another. */
uint32_t
rank_node(struct ranker *s, uint64_t func)
{
	const struct rank_request *q = s->q;
	uint64_t key[1 + BY_KINDS];
	bool fresh;
	size_t i;

	key[0] = dict_func_bare(q->dict, func, &fresh);
	for (i = 0; i < q->ngroup_by; i++)
		key[1 + i] = group_by_is_fact(q->group_by[i]) ?
		    s->meta[q->group_by[i]] : 0;
	return (uint32_t)sums_row(&s->r.nodes, key);
}

int
rank_own(struct ranker *s, size_t row, uint64_t func, struct text values)
{
	uint64_t key[MORE_KEYS] = { row };

	if (func != s->node_func) {
		s->node = rank_node(s, func);
		s->node_func = func;
	}
	s->owner = mem_reach(s->owner, &s->capowner, row, sizeof *s->owner, 0xff);
	if (s->owner[row] == PLACES_NONE)
		s->owner[row] = (uint32_t)s->node;
	if (s->owner[row] == s->node)
		return 0;
	key[MORE_NODE] = s->node;
	return rank_add_values(s, values, sums_val(&s->more, sums_row(&s->more, key)),
	    NULL, NULL);
}

/* ---- callees ---- */

/* Returns the row of a function's own file. */
static uint32_t
row_of_node(struct ranker *s, size_t node)
{
	static const struct field none = { .has = 0 };
	const struct rank_request *q = s->q;
	uint32_t meta[BY_KINDS];
	uint64_t func = *sums_key(&s->r.nodes, node);
	uint32_t row;
	size_t i;

	memcpy(meta, s->meta, sizeof meta);
	for (i = 0; i < q->ngroup_by; i++)
		s->meta[q->group_by[i]] = (uint32_t)sums_key(&s->r.nodes, node)[1 + i];
	row = (uint32_t)rank_row_of_callee(s, func, &none, &none);
	memcpy(s->meta, meta, sizeof meta);
	return row;
}

/* Finds the function whose level of recursion this one is, or itself. */
static void
find_family(struct ranker *s, size_t node)
{
	struct rank *r = &s->r;
	uint64_t key[1 + BY_KINDS];
	struct func_def f;
	struct text name;
	size_t n;

	memcpy(key, sums_key(&r->nodes, node), (1 + s->q->ngroup_by) * sizeof *key);
	name = dict_func_name(s->q->dict, (uint32_t)key[0]);
	n = recursion_base(name);
	if (n < name.n) {
		f = dict_func_def(s->q->dict, (uint32_t)key[0]);
		f.name = dict_str(s->q->dict, (struct text){ name.s, n });
		key[0] = dict_define_func(s->q->dict, NO_ID, &f);
	}
	r->family[node] = (uint32_t)sums_row(&r->families, key);
}

void
rank_find_callees(struct ranker *s)
{
	struct rank *r = &s->r;
	const bool whole = is_whole(s->q);
	size_t i, n = r->nodes.n;

	r->family = mem_alloc(n + 1, sizeof *r->family);
	r->callee_row = mem_alloc(n + 1, sizeof *r->callee_row);
	for (i = 0; i < n; i++) {
		find_family(s, i);
		r->callee_row[i] = whole ? row_of_node(s, i) : NO_ROW;
	}
	for (i = 0; i < r->edges.n && !r->fine && !whole; i++) {
		const uint64_t to = sums_key(&r->edges, i)[EDGE_TO];

		if (r->callee_row[to] == NO_ROW)
			r->callee_row[to] = row_of_node(s, to);
	}
	s->owner = mem_reach(s->owner, &s->capowner, r->rows.n, sizeof *s->owner, 0xff);
}

/* ---- inclusive costs ---- */

static int
count_calls(struct rank *r)
{
	size_t i;

	for (i = 0; i < r->edges.n && !r->fine; i++) {
		const uint64_t *key = sums_key(&r->edges, i);
		const uint32_t to = r->callee_row[key[EDGE_TO]];

		if (key[EDGE_ROW] != to &&
		    num_add(&r->calls[to], sums_val(&r->edges, i)[0]) < 0)
			return -1;
	}
	return 0;
}

static bool *
find_first(const struct ranker *s)
{
	const struct rank *r = &s->r;
	bool *first = mem_alloc(r->nodes.n + 1, sizeof *first);
	size_t i;

	for (i = 0; i < r->nodes.n; i++)
		first[i] = recursion_levels_first(&s->recursion_levels, *sums_key(&r->nodes, i));
	/* A function that calls itself has no names for levels. */
	for (i = 0; i < r->edges.n; i++) {
		const uint64_t *key = sums_key(&r->edges, i);

		if (key[EDGE_FROM] == key[EDGE_TO])
			first[key[EDGE_FROM]] = false;
	}
	return first;
}

struct places_side {
	struct rank *r;
	struct places *p;
};

static int
places_side(void *arg, const bool *only, size_t count, unsigned char *flags)
{
	const struct places_side *side = arg;

	side->p->only = only;
	side->p->count = count;
	return places_inclusive(side->p, side->r->incl, flags);
}

int
rank_graph_places(struct ranker *s)
{
	struct rank *r = &s->r;
	bool *first = s->all_levels ? find_first(s) : NULL;
	struct places p = { .rows = &r->rows, .owner = s->owner, .more = &s->more,
	    .edges = &r->edges, .nnodes = r->nodes.n,
	    .whole = is_whole(s->q) ? r->callee_row : NULL,
	    .first = first, .family = r->family,
	    .partial = s->some_partial || s->levels_partial || s->head.h.skipped,
	    .filtered = r->filtered, .once = rank_states_inclusive(r),
	    .averages = !s->estimated, .propagated = s->propagated };
	struct places_side side = { r, &p };
	const int ret = r->ndelta ? rank_graph_sides(r, places_side, &side) :
	    places_inclusive(&p, r->incl, r->flags);

	free(first);
	return ret < 0 ? ret : count_calls(r);
}
