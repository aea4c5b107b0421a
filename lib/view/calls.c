/* SPDX-License-Identifier: ISC */
/* Blocks of callers and callees. */
#include "view/page.h"

#include <stdlib.h>

#include "util/json.h"
#include "util/mem.h"

/* One block: the other ends of a function's calls, the most expensive first. */
struct block {
	struct page *p;
	bool callers;
	size_t of;		/* the row */
	struct value *edge;
	size_t n;
};

static size_t
other_end(const struct block *b, size_t edge)
{
	const uint64_t *key = sums_key(&b->p->t->r->edges, edge);

	return (size_t)key[b->callers ? EDGE_FROM : EDGE_TO];
}

static struct value
edge_cost(const struct block *b, size_t edge, size_t metric)
{
	return table_value(&b->p->t->metric[metric],
	    sums_val(&b->p->t->r->edges, edge) + 1);
}

static struct value
edge_value(const void *arg, uint32_t edge, const struct sort *s)
{
	const struct block *b = arg;
	struct value v;

	if (s->what == SORT_KEY)
		return table_key(b->p->t, other_end(b, edge), s->i);
	v = edge_cost(b, edge, s->i);
	if (s->what == SORT_CHANGE && v.kind == WHOLE)
		v.n = table_magnitude(v.n);
	return v;
}

/* The most expensive first; of a difference, the largest change. */
static void
sort_edges(struct block *b)
{
	const struct table *t = b->p->t;
	struct sort sort[1 + TABLE_KEYS] = { {
		.what = table_is_diff(t) ? SORT_CHANGE : SORT_INCL, .down = true } };
	struct order order = { sort, t->nmetric != 0, edge_value, b };
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(t->q, keys);

	for (i = 0; i < n; i++)
		sort[order.nsort++] = (struct sort){ .what = SORT_KEY, .i = i };
	order_sort(&order, b->edge, b->n, b->n);
}

/* Stacks do not tell how often one frame called another; a difference has two
 * counts, which are events of it. */
static struct value
edge_count(const struct block *b, uint32_t edge)
{
	const struct rank *r = b->p->t->r;

	return (struct value){ .kind = r->counts_known && !r->ndelta ? WHOLE : ABSENT,
	    .n = sums_val(&r->edges, edge)[0] };
}

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
		v = edge_cost(b, edge, k);
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
	v = edge_count(b, edge);
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
		add_paths(b->p, other_end(b, b->edge[i].of), paths);
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

static void
block_text(struct block *b)
{
	static const char *const title[] = { "callees of ", "callers of " };
	struct page *p = b->p;
	size_t ncell = CHANGE_CELLS * p->t->v->nshow + 1, used = 0, i;
	size_t *width = mem_alloc(ncell, sizeof *width);
	struct cells c = { .s = mem_alloc(ncell, CELL) };
	struct paths paths = { 0 };

	add_block_paths(b, &paths);
	paths_sort(&paths);
	page_paint(p, PAINT_BOLD);
	buf_puts(&p->line, title[b->callers]);
	row_names(p, &paths, b->of, strlen(title[b->callers]));
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
	buf_puts(&p->line, b->callers ? "caller" : "callee");
	page_flush(p);
	for (i = 0; i < b->n; i++) {
		edge_cells(b, b->edge[i].of, &c);
		page_add_cells(p, &c, width);
		row_names(p, &paths, other_end(b, b->edge[i].of), used);
		page_flush(p);
	}
	page_flush(p);
	paths_free(&paths);
	free(width);
	free(c.s);
}

/* The columns of a call as a table has them: the function asked about, the
 * other one, calls, inclusive costs. */
static void
block_rows(struct block *b)
{
	struct page *p = b->p;
	const struct table *t = p->t;
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, k, m, n = table_keys(t->q, keys);
	const char *prefix[2] = { "", b->callers ? "caller." : "callee." };
	bool json = t->v->form == VIEW_JSON;

	for (i = 0; i < b->n; i++) {
		size_t row[2] = { b->of, other_end(b, b->edge[i].of) };
		struct value v;

		buf_puts(&p->line, json ? "{" : "");
		for (k = 0; k < 2; k++) {
			table_key_texts(t->q, sums_key(&t->r->rows, row[k]), name, tmp);
			for (m = 0; m < n; m++) {
				if (json) {
					page_json_member(&p->line, text_of(prefix[k]),
					    group_by_name[keys[m]]);
					json_string(&p->line, name[m]);
				} else {
					field_escape(&p->line, name[m]);
					buf_putc(&p->line, '\t');
				}
			}
		}
		v = edge_count(b, b->edge[i].of);
		if (json) {
			page_json_member(&p->line, TEXT("calls"), "");
			page_json_value(&p->line, v);
		} else {
			page_add_value(&p->line, v, DIGITS_PLAIN);
		}
		for (k = 0; k < t->v->nshow; k++) {
			v = edge_cost(b, b->edge[i].of, k);
			if (json) {
				page_json_member(&p->line, t->metric[k].name, ".incl");
				page_json_value(&p->line, v);
				page_json_unit(p, k);
			} else {
				buf_putc(&p->line, '\t');
				page_add_value(&p->line, v, DIGITS_PLAIN);
				page_tsv_unit(p, k);
			}
		}
		buf_puts(&p->line, json ? "}" : "");
		page_flush(p);
	}
}

static void
block_head(struct page *p, bool callers)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(p->t->q, keys);

	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s\t", group_by_name[keys[i]]);
	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s.%s\t", callers ? "caller" : "callee",
		    group_by_name[keys[i]]);
	buf_puts(&p->line, "calls");
	for (i = 0; i < p->t->v->nshow; i++) {
		page_tsv_event(p, i, ".incl");
		page_tsv_unit_head(p, i);
	}
	page_flush(p);
}

static bool
matches(const struct page *p, const struct match *match, size_t row)
{
	return match_text(match, dict_func_name(p->t->q->dict,
	    (uint32_t)sums_key(&p->t->r->rows, row)[0]));
}

bool
page_no_match(struct page *p, const struct match *match, const char *option)
{
	size_t i;

	for (i = 0; match && i < p->t->r->rows.n; i++)
		if (matches(p, match, i))
			return false;
	if (match)
		diag_fail_plain(p->t->q->diag, "no function matches --%s %s", option,
		    diag_quote(match_pattern(match).s, match_pattern(match).n));
	return match != NULL;
}

/* The edges of each row, lists: numbers + 1. */
struct ends {
	uint32_t *first, *next;
};

static struct ends
find_ends(const struct page *p, bool callers)
{
	const struct sums *edges = &p->t->r->edges;
	struct ends ends = { mem_alloc(p->t->r->rows.n + 1, sizeof *ends.first),
	    mem_alloc(edges->n + 1, sizeof *ends.next) };
	size_t e;

	for (e = 0; e < edges->n; e++) {
		const size_t end = sums_key(edges, e)[callers ? EDGE_TO : EDGE_FROM];

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
	const uint64_t most = b->p->t->v->most;
	size_t e;

	b->of = row;
	for (b->n = 0, e = ends->first[row]; e; e = ends->next[e - 1])
		b->edge[b->n++].of = (uint32_t)e - 1;
	sort_edges(b);
	if (most && most < b->n)
		b->n = (size_t)most;
}

static struct block
make_block(struct page *p, bool callers)
{
	return (struct block){ .p = p, .callers = callers,
	    .edge = mem_alloc(p->t->r->edges.n + 1, sizeof (struct value)) };
}

void
page_blocks(struct page *p, const struct match *match, enum page_side side)
{
	const struct table *t = p->t;
	struct block b = make_block(p, side == PAGE_CALLERS);
	struct ends ends = find_ends(p, b.callers);
	size_t i;

	if (t->v->form == VIEW_TSV)
		block_head(p, b.callers);
	for (i = 0; i < t->r->rows.n; i++) {
		if (!matches(p, match, t->order[i].of))
			continue;
		fill_block(&b, &ends, t->order[i].of);
		if (t->v->form == VIEW_TEXT)
			block_text(&b);
		else
			block_rows(&b);
	}
	free(b.edge);
	free_ends(&ends);
}

/* ---- callers, the function, callees ---- */

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
	end_line(b->p, paths, c, width, other_end(b, b->edge[i].of), INDENT);
}

/* The most expensive caller and callee are next to the function. */
static void
block_both(const struct block *callers, const struct block *callees)
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

void
page_both(struct page *p, const struct match *callers, const struct match *callees)
{
	const struct table *t = p->t;
	struct block up = make_block(p, true), down = make_block(p, false);
	struct ends above = find_ends(p, true), below = find_ends(p, false);
	size_t i;

	for (i = 0; i < t->r->rows.n; i++) {
		const size_t row = t->order[i].of;
		const bool is_up = matches(p, callers, row), is_down = matches(p, callees, row);

		if (!is_up && !is_down)
			continue;
		fill_block(&up, &above, row);
		fill_block(&down, &below, row);
		up.n = is_up ? up.n : 0;
		down.n = is_down ? down.n : 0;
		block_both(&up, &down);
	}
	free(up.edge);
	free(down.edge);
	free_ends(&above);
	free_ends(&below);
}
