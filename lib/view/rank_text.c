/* SPDX-License-Identifier: ISC */
/* The table of a ranking as text. */
#include "view/rank_page.h"

/* A row, and the self cost of all rows up to it. */
struct top_row {
	struct costs of;
	struct value sum;
};

/* ---- cells ---- */

static void
sum_cell(struct cell *c, const void *row, size_t metric)
{
	const struct top_row *r = row;

	value_add_share(&c->b, r->sum, r->of.t->metric[metric].total);
}

static void
incl_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;

	cell_add_mark(c, table_mark(of->t, of->row, metric));
	metric_add_value(&c->b, &of->t->metric[metric], table_incl(of->t, of->row, metric));
}

/* ---- columns ---- */

static bool
sorts_by(const struct table *t, enum sort_by what, size_t i)
{
	return t->nsort && t->sort[0].what == what && t->sort[0].i == i;
}

/* Adds a cost and its share, which a ratio does not have.  If rows are sorted by inclusive
 * cost, self cost is dropped first. */
static void
add_costs(struct lines *l, size_t metric, const char *head, bool incl)
{
	const struct table *t = l->t;
	const bool by_incl = t->growth || sorts_by(t, SORT_INCL, metric);
	const bool first = incl == by_incl;
	const bool sorted = incl ? by_incl : sorts_by(t, SORT_SELF, metric);
	const enum column_kind kind = sorted ? COLUMN_SORTED : first ? COLUMN_COST :
	    COLUMN_INCL;
	const struct metric *m = &t->metric[metric];

	if (incl)
		text_table_column(&l->numbers, head, kind, incl_cell, metric);
	else
		text_table_costs(&l->numbers, head, kind, costs_self, metric, m);
	if (!m->ratio)
		text_table_shares(&l->numbers, first ? COLUMN_SHARE : COLUMN_INCL_SHARE,
		    incl ? costs_incl : costs_self, metric, m->total);
}

static void
add_sizes(struct lines *l)
{
	static const char *const head[SIZES] = { "sizes", "smallest", "largest" };
	size_t i;

	for (i = 0; i < SIZES && l->t->r->sizes; i++)
		text_table_values(&l->numbers, head[i], sorts_by(l->t, SORT_SIZE, i) ?
		    COLUMN_SORTED : COLUMN_SIZES, costs_size, i);
}

/* Adds columns; those of calls or points only if the profile can have any.  Growth is that
 * of inclusive cost. */
static void
add_columns(struct lines *l, bool sum, bool incl)
{
	const struct table *t = l->t;
	struct buf head = { 0 };
	size_t i;

	for (i = 0; i < t->v->nshow; i++) {
		head.n = 0;
		buf_puts(&head, "self ");
		metric_add_name(&head, &t->metric[i]);
		if (!t->growth)
			add_costs(l, i, buf_str(&head), false);
		if (sum)
			text_table_column(&l->numbers, "sum %", COLUMN_SUM, sum_cell, i);
		if (incl)
			add_costs(l, i, "inclusive", true);
	}
	if (t->r->counts_known && !t->r->fine && !t->r->ndelta)
		text_table_values(&l->numbers, "calls", sorts_by(t, SORT_CALLS, 0) ?
		    COLUMN_SORTED : COLUMN_CALLS, costs_calls, 0);
	add_sizes(l);
	if (t->growth)
		growth_text_columns(&l->numbers);
	buf_free(&head);
}

/* Does a row that is shown have a name in this column? */
static bool
is_named(const struct table *t, size_t column, size_t limit)
{
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	for (i = table_first(t); i < limit; i++) {
		table_key_texts(t->q, sums_key(&t->r->rows, t->order[i].of), name, tmp);
		if (name[column].s)
			return true;
	}
	return false;
}

/* Returns the text that all rows of the profile have in this column; absent: they
 * differ. */
static struct text
everywhere(const struct table *t, size_t column)
{
	const struct sums *rows = &t->r->rows;
	struct text name[TABLE_KEYS], first = { 0 };
	char tmp[NUM_TEXT];
	size_t row;

	for (row = 0; row < rows->n; row++) {
		table_key_texts(t->q, sums_key(rows, row), name, tmp);
		if (!row)
			first = name[column];
		if (!first.s || !text_eq(first, name[column]))
			return (struct text){ 0 };
	}
	return first;
}

/* Chooses the columns of names.  A function's file or object is left out if no row has one;
 * in little room its object is also left out if all rows have the same one: *object. */
static void
choose_names(struct lines *l, size_t limit, struct text *object)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(l->t->q, keys);

	*object = (struct text){ 0 };
	for (i = 0; i < n; i++) {
		if (names_accompanies(l->t->q, keys[i])) {
			if (!is_named(l->t, i, limit))
				continue;
			if (keys[i] == BY_OBJECT && l->p->width &&
			    (*object = everywhere(l->t, i)).s)
				continue;
		}
		l->key[l->nkey] = keys[i];
		l->column[l->nkey++] = i;
	}
}

/* Does any inclusive cost differ from the self cost?  If not, the column is left out in
 * little room. */
static bool
incl_differs(const struct page *p, const struct table *t)
{
	size_t row, i;

	if (!t->r->incl_known || !p->width || t->growth)
		return t->r->incl_known;
	for (row = 0; row < t->r->rows.n; row++)
		for (i = 0; i < t->v->nshow; i++) {
			const struct value self = table_self(t, row, i);
			const struct value incl = table_incl(t, row, i);

			if (self.kind != WHOLE || incl.kind != WHOLE || self.n != incl.n)
				return true;
		}
	return false;
}

/* Is the share of all rows so far shown?  It is if rows are sorted by self cost. */
static bool
shows_sum(const struct table *t)
{
	return t->v->nshow == 1 && t->nsort && t->sort[0].what == SORT_SELF &&
	    t->sort[0].i == 0 && !t->metric[0].ratio && !t->metric[0].cumulative &&
	    t->metric[0].total > 0 && !t->growth;
}

/* Returns the next row, in order. */
static const struct costs *
next_row(struct top_row *r, size_t i)
{
	const struct table *t = r->of.t;
	struct value v;

	r->of = costs_of_row(t, t->order[i].of);
	if (t->nmetric) {
		v = table_self(t, r->of.row, 0);
		if (v.kind == WHOLE && num_add(&r->sum.n, v.n) < 0)
			r->sum.kind = ABSENT;
	}
	return &r->of;
}

#define ROWS_AHEAD 8

void
page_text(struct page *p, const struct table *t)
{
	const struct top_row first = { .of.t = t, .sum.kind = WHOLE };
	struct lines l = { .p = p, .t = t };
	struct notes notes = { .limit = table_limit(t) };
	struct top_row before = first, row;
	const bool incl = incl_differs(p, t);
	const size_t from = table_first(t);
	size_t i;

	for (i = 0; i < from; i++)
		next_row(&before, i);
	if (p->items)
		p->items->all = t->kept;

	choose_names(&l, notes.limit, &notes.object);
	page_hint_names(t);
	page_heading(p, t);
	add_columns(&l, shows_sum(t), incl);
	for (i = from, row = before; i < notes.limit; i++) {
		table_prefetch_costs(t, i + ROWS_AHEAD, notes.limit);
		lines_measure(&l, next_row(&row, i));
	}
	lines_add_heads(&l);
	page_flush(p);
	for (i = from, row = before; i < notes.limit; i++) {
		table_prefetch(t, i, notes.limit);
		lines_add_row(&l, next_row(&row, i));
		page_item(p, t->order[i].of);
		page_flush(p);
	}
	notes.no_incl = t->r->incl_known && !incl;
	notes.marks = l.numbers.marks;
	page_notes(p, t, &notes);
	lines_free(&l);
}
