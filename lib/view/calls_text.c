/* SPDX-License-Identifier: ISC */
/* Callers and callees as text. */
#include "view/calls.h"

#include "util/printable.h"

/* ---- cells ---- */

static void
cost_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;

	if (of->row != NO_ROW)
		cell_add_mark(c, table_mark(of->t, of->row, metric));
	metric_add_value(&c->b, &of->t->metric[metric], calls_cost(of, metric));
}

/* A cost of a call above the total has no share: recursion has counted it once for each
 * level. */
static void
share_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;
	const struct metric *m = &of->t->metric[metric];
	const struct value v = calls_cost(of, metric);

	value_add_share(&c->b, v, of->row == NO_ROW && table_is_over(m, v) ? 0 : m->total);
}

/* Adds cost and share of each metric (a ratio has no share) and calls; or the change of
 * each metric. */
static void
add_columns(struct text_table *tt, const struct table *t)
{
	size_t i;

	tt->changes = table_is_diff(t);
	for (i = 0; i < t->v->nshow; i++)
		if (tt->changes)
			change_columns(tt, t, i);
		else
			cost_columns(tt, t, i, COLUMN_COST, cost_cell,
			    t->metric[i].ratio ? NULL : share_cell);
	if (!tt->changes)
		text_table_values(tt, "calls", COLUMN_CALLS, calls_count, 0);
}

/* ---- names ---- */

/* Adds the paths of a row, if they must be shortened. */
static void
add_paths(const struct block *b, size_t row, struct paths *paths)
{
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(b->t->q, keys);

	table_key_texts(b->t->q, sums_key(&b->t->r->rows, row), name, tmp);
	for (i = 0; i < n && b->p->width; i++)
		if (names_is_path(keys[i]))
			paths_add(paths, name[i]);
}

static void
add_block_paths(const struct block *b, struct paths *paths)
{
	size_t i;

	add_paths(b, b->of, paths);
	for (i = 0; i < b->n; i++)
		add_paths(b, calls_other_end(b, b->edge[i].of), paths);
}

#define NAMES 20		/* the fewest columns of names */

/* Adds the names of a row in the rest of the line. */
static void
row_names(const struct block *b, const struct paths *paths, size_t row)
{
	const struct table *t = b->t;
	struct page *p = b->p;
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(t->q, keys);

	table_key_texts(t->q, sums_key(&t->r->rows, row), name, tmp);
	while (n > 1 && !name[n - 1].s && names_accompanies(t->q, keys[n - 1]))
		n--;
	for (i = 0; i < n && p->width; i++)
		if (names_is_path(keys[i]) && name[i].s)
			name[i] = paths_end(paths, name[i]);
	names_put(p, t->q, (struct names){ 0 }, name, keys, n, page_room(p, 1));
}

static void
measure_block(const struct block *b, struct text_table *tt)
{
	struct call_costs row;
	size_t i;

	for (i = 0; i < b->n; i++) {
		row = calls_row(b, b->edge[i].of);
		text_table_measure(tt, &row);
	}
}

static void
put_heads(const struct block *b, struct text_table *tt, const char *names)
{
	text_table_fit(tt, b->p->width, NAMES);
	text_table_heads(tt, b->p);
	printable_cut(&b->p->line, text_of(names), page_room(b->p, 1));
	page_flush(b->p);
}

static void
put_call(const struct block *b, const struct paths *paths, size_t i, struct text_table *tt,
    int indent)
{
	const struct call_costs row = calls_row(b, b->edge[i].of);

	text_table_row(tt, b->p, &row);
	buf_pad(&b->p->line, (size_t)indent);
	row_names(b, paths, calls_other_end(b, row.edge));
	page_item(b->p, calls_other_end(b, row.edge));
	page_flush(b->p);
}

/* Prints "... 12 more, 3.10 %", if calls are not listed: their share by the metric in the order
 * of which the others are. */
static void
put_more(const struct block *b)
{
	const struct metric *m = b->t->metric;
	struct buf *line = &b->p->line;
	struct value sum = { .kind = WHOLE };
	size_t i;

	if (!b->more)
		return;
	for (i = b->n; i < b->n + b->more && b->t->nmetric; i++) {
		const struct value v = calls_edge_cost(b, b->edge[i].of, 0);

		if (v.kind != WHOLE || num_add(&sum.n, v.n) < 0)
			sum.kind = ABSENT;
	}
	buf_puts(line, "\xe2\x80\xa6 ");
	num_add_grouped(line, (num)b->more);
	buf_puts(line, " more");
	if (b->t->nmetric && !table_is_diff(b->t) && sum.kind == WHOLE && m->total &&
	    !m->ratio && !table_is_over(m, sum)) {
		buf_puts(line, ", ");
		value_add_share(line, sum, m->total);
		buf_puts(line, " %");
	}
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
	struct text_table tt = { 0 };
	struct paths paths = { 0 };
	size_t i;

	add_block_paths(b, &paths);
	paths_sort(&paths);
	page_bold(p, true);
	buf_puts(&p->line, title[b->side]);
	row_names(b, &paths, b->of);
	page_bold(p, false);
	page_flush(p);
	add_columns(&tt, b->t);
	measure_block(b, &tt);
	put_heads(b, &tt, b->side == PAGE_CALLERS ? "caller" : "callee");
	for (i = 0; i < b->n; i++)
		put_call(b, &paths, i, &tt, 0);
	put_more(b);
	page_flush(p);
	paths_free(&paths);
	text_table_free(&tt);
}

/* ---- callers, the function, callees ---- */

#define INDENT 4		/* of callers and callees, as gprof has it */

/* The most expensive caller and callee are next to the function. */
unsigned
calls_text_both(const struct block *callers, const struct block *callees)
{
	struct page *p = callers->p;
	const struct call_costs own = { costs_of_row(callers->t, callers->of), 0 };
	struct text_table tt = { 0 };
	struct paths paths = { 0 };
	unsigned marks;
	size_t i;

	add_block_paths(callers, &paths);
	add_block_paths(callees, &paths);
	paths_sort(&paths);
	add_columns(&tt, callers->t);
	text_table_measure(&tt, &own);
	measure_block(callers, &tt);
	measure_block(callees, &tt);
	put_heads(callers, &tt, "caller, function, callee");
	put_more(callers);
	for (i = callers->n; i-- > 0; )
		put_call(callers, &paths, i, &tt, INDENT);
	page_bold(p, true);
	text_table_row(&tt, p, &own);
	row_names(callers, &paths, callers->of);
	page_bold(p, false);
	page_item(p, callers->of);
	page_flush(p);
	for (i = 0; i < callees->n; i++)
		put_call(callees, &paths, i, &tt, INDENT);
	put_more(callees);
	page_flush(p);
	paths_free(&paths);
	marks = tt.marks;
	text_table_free(&tt);
	return marks;
}
