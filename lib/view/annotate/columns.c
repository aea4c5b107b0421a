/* SPDX-License-Identifier: ISC */
/* The numbers of annotated source: of lines, calls and sums. */
#include "text.h"

static void
add_cell(struct cells *c, const char *s)
{
	strcpy(c->s[c->n++], s);
}

/* Instead of a cost and its percentage. */
static void
add_pair(struct cells *c, const char *s)
{
	add_cell(c, s);
	add_cell(c, s);
}

/* A cost and its percentage; where there is none, so that costs stand out, a point. */
static void
add_cost(const struct annotate_text *b, struct cells *c, size_t metric, struct value v,
    unsigned mark)
{
	const struct metric *m = &b->p->t->metric[metric];
	struct buf cell = { 0 };

	if (v.kind == WHOLE && v.n == 0) {
		add_pair(c, ".");
		return;
	}
	page_add_mark(b->p, c, &cell, mark);
	page_add_shown(&cell, m, v);
	page_set_cell(c, &cell);
	cell.n = 0;
	page_add_percent(&cell, v, m->under || table_is_over(m, v) ||
	    (m->cumulative && v.n > m->total) ? 0 : m->total);
	page_set_cell(c, &cell);
	buf_free(&cell);
}

void
annotate_line_cells(struct annotate_text *b, const struct listed_line *line)
{
	static const struct value none = { .kind = WHOLE };
	const struct table *t = b->p->t;
	struct cells *c = &b->numbers.c;
	size_t i;

	c->n = 0;
	for (i = 0; i < t->v->nshow; i++) {
		const size_t from = c->n;

		if (table_is_diff(t)) {
			if (line && page_change_cells(c, &t->metric[i],
			    sums_val(&t->r->rows, line->row)))
				continue;
			while (!line && t->metric[i].delta && c->n < from + CHANGE_CELLS)
				add_cell(c, c->n < from + CHANGE_CELLS - 1 ? "." : "");
			continue;
		}
		add_cost(b, c, i, line ? table_self(t, line->row, i) : none, 0);
		if (t->r->incl_known)
			add_cost(b, c, i, line ? table_incl(t, line->row, i) : none,
			    line ? table_mark(t, line->row, i) : 0);
	}
}

void
annotate_call_cells(struct annotate_text *b, uint32_t call)
{
	const struct table *t = b->p->t;
	const num *sums = listing_cost_of(b->l, call);
	struct cells *c = &b->numbers.c;
	size_t i;

	c->n = 0;
	for (i = 0; i < t->v->nshow; i++) {
		if (table_is_diff(t)) {
			page_change_cells(c, &t->metric[i], sums);
			continue;
		}
		add_pair(c, "");
		if (t->r->incl_known)
			add_cost(b, c, i, table_value(&t->metric[i], sums), 0);
	}
}

void
annotate_head_cells(struct annotate_text *b, bool inclusive)
{
	const struct table *t = b->p->t;
	struct cells *c = &b->numbers.c;
	struct buf cell = { 0 };
	size_t i;

	c->n = 0;
	for (i = 0; i < t->v->nshow; i++) {
		if (table_is_diff(t)) {
			page_change_heads(c, &t->metric[i], i, "");
			continue;
		}
		cell.n = 0;
		page_add_name(&cell, &t->metric[i]);
		cells_head(c, buf_str(&cell), COLUMN_SORTED, i);
		cells_head(c, "%", COLUMN_SHARE, i);
		if (!inclusive)
			continue;
		cells_head(c, "inclusive", COLUMN_COST, i);
		cells_head(c, "%", COLUMN_INCL_SHARE, i);
	}
	buf_free(&cell);
}

void
annotate_sum_cells(struct annotate_text *b, const num *sums)
{
	const struct table *t = b->p->t;
	struct cells *c = &b->numbers.c;
	size_t i;

	c->n = 0;
	for (i = 0; i < t->v->nshow; i++)
		if (!table_is_diff(t))
			add_cost(b, c, i, table_value(&t->metric[i], sums), 0);
		else
			page_change_cells(c, &t->metric[i], sums);
}

void
annotate_begin_columns(struct annotate_text *b, bool inclusive)
{
	numbers_free(&b->numbers);
	numbers_begin(&b->numbers, CHANGE_CELLS * b->p->t->v->nshow + 1);
	annotate_head_cells(b, inclusive);
}
