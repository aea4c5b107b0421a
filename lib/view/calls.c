/* SPDX-License-Identifier: ISC */
/* Blocks of callers and callees: their calls, in order. */
#include "view/calls.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- order ---- */

static struct value
edge_value(const void *arg, uint32_t edge, const struct sort *s)
{
	const struct block *b = arg;
	struct value v;

	if (s->what == SORT_KEY)
		return table_key(b->t, calls_other_end(b, edge), s->i);
	v = calls_edge_cost(b, edge, s->i);
	if (s->what == SORT_CHANGE && v.kind == WHOLE)
		v.n = table_magnitude(v.n);
	return v;
}

/* Sorts the most expensive first; in a difference, the largest change. */
static void
sort_edges(struct block *b)
{
	const struct table *t = b->t;
	struct sort sort[1 + TABLE_KEYS] = { {
		.what = table_is_diff(t) ? SORT_CHANGE : SORT_INCL, .down = true } };
	struct order order = { sort, t->nmetric != 0, edge_value, b };
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(t->q, keys);

	for (i = 0; i < n; i++)
		sort[order.nsort++] = (struct sort){ .what = SORT_KEY, .i = i };
	order_sort(&order, b->edge, b->n, 0, b->n);
}

/* ---- functions that match ---- */

static bool
matches(const struct table *t, const struct match *match, size_t row)
{
	return match && match_text(match, dict_func_name(t->q->dict,
	    (uint32_t)sums_key(&t->r->rows, row)[0]));
}

bool
calls_wanted(const struct table *t, size_t row)
{
	return matches(t, t->v->callers, row) || matches(t, t->v->callees, row);
}

bool
page_no_match(const struct table *t, const struct match *match, const char *option)
{
	size_t i;

	for (i = 0; match && i < t->r->rows.n; i++)
		if (matches(t, match, i))
			return false;
	if (match)
		diag_fail_plain(t->q->diag, "no function matches --%s %s", option,
		    diag_quote(match_pattern(match).s, match_pattern(match).n));
	return match != NULL;
}

/* ---- blocks ---- */

/* The edges of each row, as lists of numbers + 1. */
struct ends {
	uint32_t *first, *next;
};

static struct ends
find_ends(const struct table *t, enum page_side side)
{
	const struct sums *edges = &t->r->edges;
	struct ends ends = { mem_alloc(t->r->rows.n + 1, sizeof *ends.first),
	    mem_alloc(edges->n + 1, sizeof *ends.next) };
	size_t e;

	for (e = 0; e < edges->n; e++) {
		const size_t end = sums_key(edges, e)[side == PAGE_CALLERS ? EDGE_TO : EDGE_FROM];

		ends.next[e] = ends.first[end];
		ends.first[end] = (uint32_t)e + 1;
	}
	return ends;
}

static void
free_ends(struct ends *ends)
{
	free(ends->first);
	free(ends->next);
}

/* Lists the calls of a row. */
static void
fill_block(struct block *b, const struct ends *ends, size_t row)
{
	const uint64_t most = b->t->v->most;
	size_t e;

	b->of = row;
	for (b->n = 0, e = ends->first[row]; e; e = ends->next[e - 1])
		b->edge[b->n++].of = (uint32_t)e - 1;
	sort_edges(b);
	b->more = most && most < b->n ? b->n - (size_t)most : 0;
	b->n -= b->more;
}

static struct block
make_block(struct page *p, const struct table *t, enum page_side side)
{
	return (struct block){ .p = p, .t = t, .side = side,
	    .edge = mem_alloc(t->r->edges.n + 1, sizeof (struct value)) };
}

void
page_blocks(struct page *p, const struct table *t, const struct match *match,
    enum page_side side)
{
	struct block b = make_block(p, t, side);
	struct ends ends = find_ends(t, side);
	struct data_table d = { 0 };
	size_t i;

	if (t->v->form != VIEW_TEXT)
		calls_rows_begin(&d, &b);
	for (i = 0; i < t->kept; i++) {
		if (!matches(t, match, t->order[i].of))
			continue;
		fill_block(&b, &ends, t->order[i].of);
		if (t->v->form == VIEW_TEXT)
			calls_text(&b);
		else
			calls_rows(&d, &b);
	}
	data_table_free(&d);
	free(b.edge);
	free_ends(&ends);
}

void
page_both(struct page *p, const struct table *t, const struct match *callers,
    const struct match *callees)
{
	struct block up = make_block(p, t, PAGE_CALLERS);
	struct block down = make_block(p, t, PAGE_CALLEES);
	struct ends above = find_ends(t, PAGE_CALLERS), below = find_ends(t, PAGE_CALLEES);
	unsigned marks = 0;
	size_t i;

	for (i = 0; i < t->kept; i++) {
		const size_t row = t->order[i].of;
		const bool is_up = matches(t, callers, row), is_down = matches(t, callees, row);

		if (!is_up && !is_down)
			continue;
		fill_block(&up, &above, row);
		fill_block(&down, &below, row);
		if (!is_up)
			up.n = up.more = 0;
		if (!is_down)
			down.n = down.more = 0;
		marks |= calls_text_both(&up, &down);
	}
	page_mark_lines(p, t, marks);
	free(up.edge);
	free(down.edge);
	free_ends(&above);
	free_ends(&below);
}
