/* SPDX-License-Identifier: ISC */
/* Callers and callees for people. */
#include "view/calls.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- cells ---- */

/* The numbers of an edge, as text: cost and share of each metric, calls; or the change of
 * each.  A ratio has no share, nor has a call's cost that is more than all there is:
 * recursion has counted it once for each level. */
static void
edge_cells(const struct block *b, uint32_t edge, struct cells *c)
{
	const struct page *p = b->p;
	const struct table *t = p->t;
	struct buf cell = { 0 };
	struct value v;
	size_t k;

	c->n = 0;
	if (table_is_diff(t)) {
		for (k = 0; k < t->v->nshow; k++)
			page_change_cells(c, &t->metric[k],
			    sums_val(&t->r->edges, edge) + 1);
		return;
	}
	for (k = 0; k < t->v->nshow; k++) {
		v = calls_edge_cost(b, edge, k);
		cell.n = 0;
		page_add_shown(&cell, &t->metric[k], v);
		page_set_cell(c, &cell);
		if (t->metric[k].under)
			continue;
		cell.n = 0;
		page_add_percent(&cell, v, table_is_over(&t->metric[k], v) ? 0 :
		    t->metric[k].total);
		page_set_cell(c, &cell);
	}
	v = calls_edge_count(b, edge);
	cell.n = 0;
	page_add_value(&cell, v, DIGITS_GROUPED);
	page_set_cell(c, &cell);
	buf_free(&cell);
}

static void
head_cells(const struct block *b, struct cells *c)
{
	const struct page *p = b->p;
	const struct table *t = p->t;
	struct buf cell = { 0 };
	size_t k;

	c->n = 0;
	if (table_is_diff(t)) {
		for (k = 0; k < t->v->nshow; k++)
			page_change_heads(c, &t->metric[k], "");
		return;
	}
	for (k = 0; k < t->v->nshow; k++) {
		cell.n = 0;
		page_add_name(&cell, &t->metric[k]);
		page_set_cell(c, &cell);
		if (!t->metric[k].under)
			strcpy(c->s[c->n++], "%");
	}
	cell.n = 0;
	buf_puts(&cell, "calls");
	page_set_cell(c, &cell);
	buf_free(&cell);
}

/* What the function costs with its callees, and how often it was called. */
static void
own_cells(const struct page *p, size_t row, struct cells *c)
{
	const struct table *t = p->t;
	struct buf cell = { 0 };
	size_t k;

	c->n = 0;
	for (k = 0; k < t->v->nshow; k++) {
		const struct value v = table_incl(t, row, k);

		cell.n = 0;
		buf_puts(&cell, table_mark(t, row, k));
		page_add_shown(&cell, &t->metric[k], v);
		page_set_cell(c, &cell);
		if (t->metric[k].under)
			continue;
		cell.n = 0;
		page_add_percent(&cell, v, t->metric[k].total);
		page_set_cell(c, &cell);
	}
	cell.n = 0;
	page_add_value(&cell, table_calls(t, row), DIGITS_GROUPED);
	page_set_cell(c, &cell);
	buf_free(&cell);
}

/* ---- names ---- */

/* Adds the paths of a row, if they have to be shortened. */
static void
add_paths(const struct page *p, size_t row, struct paths *paths)
{
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(p->t->q, keys);

	table_key_texts(p->t->q, sums_key(&p->t->r->rows, row), name, tmp);
	for (i = 0; i < n && p->t->v->width; i++)
		if (page_is_path(keys[i]))
			paths_add(paths, name[i]);
}

static void
add_block_paths(const struct block *b, struct paths *paths)
{
	size_t i;

	add_paths(b->p, b->of, paths);
	for (i = 0; i < b->n; i++)
		add_paths(b->p, calls_other_end(b, b->edge[i].of), paths);
}

/* The names of a row in what `used` columns leave of the width. */
static void
row_names(struct page *p, const struct paths *paths, size_t row, size_t used)
{
	const struct table *t = p->t;
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(t->q, keys), width = t->v->width;

	table_key_texts(t->q, sums_key(&t->r->rows, row), name, tmp);
	while (n > 1 && !name[n - 1].s && page_accompanies(p, keys[n - 1]))
		n--;
	for (i = 0; i < n && width; i++)
		if (page_is_path(keys[i]) && name[i].s)
			name[i] = paths_end(paths, name[i]);
	page_names(p, name, keys, n, !width ? 0 : width > used + 20 ? width - used : 20);
}

/* ---- callers or callees ---- */

void
calls_text(const struct block *b)
{
	static const char *const title[] = {
		[PAGE_CALLERS] = "callers of ", [PAGE_CALLEES] = "callees of ",
	};
	struct page *p = b->p;
	size_t ncell = CHANGE_CELLS * p->t->v->nshow + 1, used = 0, i;
	size_t *width = mem_alloc(ncell, sizeof *width);
	struct cells c = { .s = mem_alloc(ncell, CELL) };
	struct paths paths = { 0 };

	add_block_paths(b, &paths);
	paths_sort(&paths);
	page_paint(p, PAINT_BOLD);
	buf_puts(&p->line, title[b->side]);
	row_names(p, &paths, b->of, strlen(title[b->side]));
	page_paint(p, PAINT_PLAIN);
	page_flush(p);
	for (i = 0; i < b->n; i++) {
		edge_cells(b, b->edge[i].of, &c);
		page_widen(width, &c);
	}
	head_cells(b, &c);
	page_widen(width, &c);
	for (i = 0; i < c.n; i++)
		used += width[i] + 2;
	page_add_cells(p, &c, width);
	buf_puts(&p->line, b->side == PAGE_CALLERS ? "caller" : "callee");
	page_flush(p);
	for (i = 0; i < b->n; i++) {
		edge_cells(b, b->edge[i].of, &c);
		page_add_cells(p, &c, width);
		row_names(p, &paths, calls_other_end(b, b->edge[i].of), used);
		page_flush(p);
	}
	page_flush(p);
	paths_free(&paths);
	free(width);
	free(c.s);
}

/* ---- callers, the function, callees ---- */

#define INDENT 4		/* of callers and callees, as gprof has it */

static void
end_line(struct page *p, const struct paths *paths, const struct cells *c,
    const size_t *width, size_t row, size_t indent)
{
	size_t used = indent, i;

	for (i = 0; i < c->n; i++)
		used += width[i] + 2;
	page_add_cells(p, c, width);
	buf_printf(&p->line, "%*s", (int)indent, "");
	row_names(p, paths, row, used);
	page_flush(p);
}

static void
add_line(const struct block *b, const struct paths *paths, size_t i, struct cells *c,
    const size_t *width)
{
	edge_cells(b, b->edge[i].of, c);
	end_line(b->p, paths, c, width, calls_other_end(b, b->edge[i].of), INDENT);
}

/* The most expensive caller and callee are next to the function. */
void
calls_text_both(const struct block *callers, const struct block *callees)
{
	struct page *p = callers->p;
	const size_t ncell = 2 * p->t->v->nshow + 1;
	size_t *width = mem_alloc(ncell, sizeof *width), i;
	struct cells c = { .s = mem_alloc(ncell, CELL) };
	struct paths paths = { 0 };

	add_block_paths(callers, &paths);
	add_block_paths(callees, &paths);
	paths_sort(&paths);
	head_cells(callers, &c);
	page_widen(width, &c);
	own_cells(p, callers->of, &c);
	page_widen(width, &c);
	for (i = 0; i < callers->n; i++) {
		edge_cells(callers, callers->edge[i].of, &c);
		page_widen(width, &c);
	}
	for (i = 0; i < callees->n; i++) {
		edge_cells(callees, callees->edge[i].of, &c);
		page_widen(width, &c);
	}
	head_cells(callers, &c);
	page_add_cells(p, &c, width);
	buf_puts(&p->line, "caller, function, callee");
	page_flush(p);
	for (i = callers->n; i-- > 0; )
		add_line(callers, &paths, i, &c, width);
	own_cells(p, callers->of, &c);
	page_paint(p, PAINT_BOLD);
	end_line(p, &paths, &c, width, callers->of, 0);
	page_paint(p, PAINT_PLAIN);
	for (i = 0; i < callees->n; i++)
		add_line(callees, &paths, i, &c, width);
	page_flush(p);
	paths_free(&paths);
	free(width);
	free(c.s);
}
