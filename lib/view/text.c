/* SPDX-License-Identifier: ISC */
/* The table for people. */
#include "view/page.h"

#include <stdlib.h>

#include "util/mem.h"

/* A cost and its share of the total; a ratio has none. */
static void
add_cost(struct page *p, struct cells *c, size_t metric, unsigned mark,
    struct value v)
{
	const struct metric *m = &p->t->metric[metric];
	struct buf b = { 0 };

	page_add_mark(p, c, &b, mark);
	page_add_shown(&b, m, v);
	page_set_cell(c, &b);
	b.n = 0;
	page_add_percent(&b, v, m->total);
	if (!m->under)
		page_set_cell(c, &b);
	buf_free(&b);
}

/* self, %, incl, % of each metric, then calls and sizes: what comes of calls or
 * points only if there can be any.  Growth is that of inclusive cost. */
static void
fill_cells(struct page *p, struct cells *c, const struct value *self,
    const struct value *incl, const unsigned *mark, const struct value *counts)
{
	const struct table *t = p->t;
	struct buf b = { 0 };
	size_t i;

	c->n = 0;
	for (i = 0; i < t->v->nshow; i++) {
		if (!t->growth)
			add_cost(p, c, i, 0, self[i]);
		if (p->summed) {
			b.n = 0;
			page_add_percent(&b, p->sum, t->metric[i].total);
			page_set_cell(c, &b);
		}
		if (p->incl)
			add_cost(p, c, i, mark[i], incl[i]);
	}
	for (i = 0; i < 1 + SIZES; i++) {
		if (i == 0 ? !p->calls : !t->r->sizes)
			continue;
		b.n = 0;
		page_add_value(&b, counts[i], DIGITS_GROUPED);
		page_set_cell(c, &b);
	}
	buf_free(&b);
}

static void
row_cells(struct page *p, struct cells *c, size_t row)
{
	const struct table *t = p->t;
	struct value *v = mem_alloc(2 * t->v->nshow + 1, sizeof *v);
	unsigned *mark = mem_alloc(t->v->nshow + 1, sizeof *mark);
	struct value counts[1 + SIZES] = { table_calls(t, row) };
	size_t i, n = t->v->nshow;

	for (i = 0; i < n; i++) {
		v[i] = table_self(t, row, i);
		v[n + i] = table_incl(t, row, i);
		mark[i] = table_mark(t, row, i);
	}
	for (i = 0; i < SIZES; i++)
		counts[1 + i] = table_size(t, row, i);
	fill_cells(p, c, v, v + n, mark, counts);
	if (t->growth)
		page_growth_cells(p, c, row);
	free(mark);
	free(v);
}

static bool
sorts_by(const struct table *t, enum sort_by what, size_t i)
{
	return t->nsort && t->sort[0].what == what && t->sort[0].i == i;
}

/* A cost and its share.  Where rows are sorted by inclusive cost, self cost leaves first. */
static void
add_cost_heads(const struct table *t, struct cells *c, size_t metric, const char *head,
    bool incl)
{
	const bool by_incl = t->growth || sorts_by(t, SORT_INCL, metric);
	const bool first = incl == by_incl;
	const bool sorted = incl ? by_incl : sorts_by(t, SORT_SELF, metric);

	cells_head(c, head, sorted ? COLUMN_SORTED : first ? COLUMN_COST : COLUMN_INCL, metric);
	if (!t->metric[metric].under)
		cells_head(c, "%", first ? COLUMN_SHARE : COLUMN_INCL_SHARE, metric);
}

static void
add_size_heads(const struct table *t, struct cells *c)
{
	static const char *const head[SIZES] = { "sizes", "smallest", "largest" };
	size_t i;

	for (i = 0; i < SIZES && t->r->sizes; i++)
		cells_head(c, head[i], sorts_by(t, SORT_SIZE, i) ? COLUMN_SORTED :
		    COLUMN_SIZES, 0);
}

static void
head_cells(struct page *p, struct cells *c)
{
	const struct table *t = p->t;
	struct buf b = { 0 };
	size_t i;

	c->n = 0;
	for (i = 0; i < t->v->nshow; i++) {
		b.n = 0;
		buf_puts(&b, "self ");
		page_add_name(&b, &t->metric[i]);
		if (!t->growth)
			add_cost_heads(t, c, i, buf_str(&b), false);
		if (p->summed)
			cells_head(c, "sum %", COLUMN_SUM, i);
		if (p->incl)
			add_cost_heads(t, c, i, "inclusive", true);
	}
	if (p->calls)
		cells_head(c, "calls", sorts_by(t, SORT_CALLS, 0) ? COLUMN_SORTED : COLUMN_CALLS,
		    0);
	add_size_heads(t, c);
	if (t->growth)
		page_growth_heads(c);
	buf_free(&b);
}

/* Does a row that is shown have a name in this column? */
static bool
is_named(const struct page *p, size_t column, size_t limit)
{
	const struct table *t = p->t;
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i;

	for (i = 0; i < limit; i++) {
		table_key_texts(t->q, sums_key(&t->r->rows, t->order[i].of), name, tmp);
		if (name[column].s)
			return true;
	}
	return false;
}

/* What all rows of the profile have in this column; absent: they differ. */
static struct text
everywhere(const struct page *p, size_t column)
{
	const struct sums *rows = &p->t->r->rows;
	struct text name[TABLE_KEYS], first = { 0 };
	char tmp[NUM_TEXT];
	size_t row;

	for (row = 0; row < rows->n; row++) {
		table_key_texts(p->t->q, sums_key(rows, row), name, tmp);
		if (!row)
			first = name[column];
		if (!first.s || !text_eq(first, name[column]))
			return (struct text){ 0 };
	}
	return first;
}

/* The columns of names.  A function's file or object is left out if no row has one; its
 * object, where there is little room, also if it is the same in all rows: *object. */
static void
choose_names(struct lines *l, size_t limit, struct text *object)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(l->p->t->q, keys);

	*object = (struct text){ 0 };
	for (i = 0; i < n; i++) {
		if (page_accompanies(l->p, keys[i])) {
			if (!is_named(l->p, i, limit))
				continue;
			if (keys[i] == BY_OBJECT && l->p->t->v->width &&
			    (*object = everywhere(l->p, i)).s)
				continue;
		}
		l->key[l->nkey] = keys[i];
		l->column[l->nkey++] = i;
	}
}

/* Does any inclusive cost differ from the self cost?  If not, it is left out where there
 * is little room. */
static bool
says_more(const struct page *p)
{
	const struct table *t = p->t;
	size_t row, i;

	if (!t->r->incl_known || !t->v->width || t->growth)
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

/* Is that shown?  Rows are sorted by self cost then. */
static bool
says_sum(const struct page *p)
{
	const struct table *t = p->t;

	return t->v->nshow == 1 && t->nsort && t->sort[0].what == SORT_SELF &&
	    t->sort[0].i == 0 && !t->metric[0].under && !t->metric[0].cumulative &&
	    t->metric[0].total > 0 && !t->growth;
}

/* Adds the self cost of a row to those before it. */
static void
add_sum(struct page *p, size_t row)
{
	struct value v;

	if (!p->summed)
		return;
	v = table_self(p->t, row, 0);
	if (v.kind == WHOLE && num_add(&p->sum.n, v.n) < 0)
		p->sum.kind = ABSENT;
}

void
page_text(struct page *p)
{
	const struct table *t = p->t;
	struct lines l = { .p = p, .heads = head_cells, .fill = row_cells };
	size_t limit = table_limit(t), i;
	struct text object;

	p->incl = says_more(p);
	p->calls = t->r->counts_known && !t->r->fine && !t->r->ndelta;
	p->summed = says_sum(p);
	choose_names(&l, limit, &object);
	page_hint_names(p);
	page_heading(p);
	lines_begin(&l, 4 * t->v->nshow + 2 + SIZES + GROWTH_CELLS);
	p->sum = (struct value){ .kind = WHOLE };
	for (i = 0; i < limit; i++) {
		add_sum(p, t->order[i].of);
		lines_widen(&l, t->order[i].of);
	}
	lines_add_heads(&l);
	page_flush(p);
	p->sum = (struct value){ .kind = WHOLE };
	for (i = 0; i < limit; i++) {
		add_sum(p, t->order[i].of);
		lines_add_row(&l, t->order[i].of);
		page_flush(p);
	}
	page_notes(p, limit, object);
	lines_free(&l);
}
