/* SPDX-License-Identifier: ISC */
/* Callers and callees for people. */
#include "view/calls.h"

#include "util/vis.h"

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
	const struct table *t = b->p->t;
	struct buf cell = { 0 };
	size_t k;

	c->n = 0;
	for (k = 0; k < t->v->nshow; k++) {
		if (table_is_diff(t)) {
			page_change_heads(c, &t->metric[k], k, "");
			continue;
		}
		cell.n = 0;
		page_add_name(&cell, &t->metric[k]);
		cells_head(c, buf_str(&cell), COLUMN_COST, k);
		if (!t->metric[k].under)
			cells_head(c, "%", COLUMN_SHARE, k);
	}
	if (!table_is_diff(t))
		cells_head(c, "calls", COLUMN_CALLS, 0);
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
		buf_puts(&cell, table_mark_text(table_mark(t, row, k)));
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

#define NAMES 20		/* the least columns of names */

/* The names of a row in what is left of the line. */
static void
row_names(struct page *p, const struct paths *paths, size_t row)
{
	const struct table *t = p->t;
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(t->q, keys);

	table_key_texts(t->q, sums_key(&t->r->rows, row), name, tmp);
	while (n > 1 && !name[n - 1].s && page_accompanies(p, keys[n - 1]))
		n--;
	for (i = 0; i < n && t->v->width; i++)
		if (page_is_path(keys[i]) && name[i].s)
			name[i] = paths_end(paths, name[i]);
	page_names(p, name, keys, n, page_room(p, 1));
}

static void
widen_block(const struct block *b, struct numbers *l)
{
	size_t i;

	for (i = 0; i < b->n; i++) {
		edge_cells(b, b->edge[i].of, &l->c);
		numbers_widen(l);
	}
}

static struct numbers
make_numbers(const struct block *b)
{
	struct numbers l;

	numbers_begin(&l, CHANGE_CELLS * b->p->t->v->nshow + 1);
	head_cells(b, &l.c);
	return l;
}

static void
put_heads(const struct block *b, struct numbers *l, const char *names)
{
	head_cells(b, &l->c);
	numbers_add(b->p, l);
	vis_cut(&b->p->line, text_of(names), page_room(b->p, 1));
	page_flush(b->p);
}

/* ---- callers or callees ---- */

void
calls_text(const struct block *b)
{
	static const char *const title[] = {
		[PAGE_CALLERS] = "callers of ", [PAGE_CALLEES] = "callees of ",
	};
	struct page *p = b->p;
	struct numbers l = make_numbers(b);
	struct paths paths = { 0 };
	size_t i;

	add_block_paths(b, &paths);
	paths_sort(&paths);
	page_bold(p, true);
	buf_puts(&p->line, title[b->side]);
	row_names(p, &paths, b->of);
	page_bold(p, false);
	page_flush(p);
	widen_block(b, &l);
	numbers_fit(&l, p->t->v->width, NAMES);
	put_heads(b, &l, b->side == PAGE_CALLERS ? "caller" : "callee");
	for (i = 0; i < b->n; i++) {
		edge_cells(b, b->edge[i].of, &l.c);
		numbers_add(p, &l);
		row_names(p, &paths, calls_other_end(b, b->edge[i].of));
		page_flush(p);
	}
	page_flush(p);
	paths_free(&paths);
	numbers_free(&l);
}

/* ---- callers, the function, callees ---- */

#define INDENT 4		/* of callers and callees, as gprof has it */

static void
add_line(const struct block *b, const struct paths *paths, size_t i, struct numbers *l)
{
	edge_cells(b, b->edge[i].of, &l->c);
	numbers_add(b->p, l);
	buf_printf(&b->p->line, "%*s", INDENT, "");
	row_names(b->p, paths, calls_other_end(b, b->edge[i].of));
	page_flush(b->p);
}

/* The most expensive caller and callee are next to the function. */
void
calls_text_both(const struct block *callers, const struct block *callees)
{
	struct page *p = callers->p;
	struct numbers l = make_numbers(callers);
	struct paths paths = { 0 };
	size_t i;

	add_block_paths(callers, &paths);
	add_block_paths(callees, &paths);
	paths_sort(&paths);
	own_cells(p, callers->of, &l.c);
	numbers_widen(&l);
	widen_block(callers, &l);
	widen_block(callees, &l);
	numbers_fit(&l, p->t->v->width, NAMES);
	put_heads(callers, &l, "caller, function, callee");
	for (i = callers->n; i-- > 0; )
		add_line(callers, &paths, i, &l);
	own_cells(p, callers->of, &l.c);
	page_bold(p, true);
	numbers_add(p, &l);
	row_names(p, &paths, callers->of);
	page_bold(p, false);
	page_flush(p);
	for (i = 0; i < callees->n; i++)
		add_line(callees, &paths, i, &l);
	page_flush(p);
	paths_free(&paths);
	numbers_free(&l);
}
