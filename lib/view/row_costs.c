/* SPDX-License-Identifier: ISC */
#include "view/row_costs.h"

struct value
costs_self(const void *row, size_t metric)
{
	const struct costs *of = row;

	return table_self(of->t, of->row, metric);
}

struct value
costs_incl(const void *row, size_t metric)
{
	const struct costs *of = row;

	return table_incl(of->t, of->row, metric);
}

struct value
costs_calls(const void *row, size_t i)
{
	const struct costs *of = row;

	(void)i;
	return table_calls(of->t, of->row);
}

struct value
costs_size(const void *row, size_t which)
{
	const struct costs *of = row;

	return table_size(of->t, of->row, which);
}

void
cell_add_mark(struct cell *c, unsigned mark)
{
	buf_puts(&c->b, table_mark_text(mark));
	c->marks |= table_mark_bit(mark);
}

void
cost_columns(struct text_table *tt, const struct table *t, size_t metric, enum column_kind kind,
    text_cell *cost, text_cell *share)
{
	struct buf head = { 0 };

	metric_add_name(&head, &t->metric[metric]);
	text_table_column(tt, buf_str(&head), kind, cost, metric);
	if (share)
		text_table_column(tt, "%", COLUMN_SHARE, share, metric);
	buf_free(&head);
}

/* ---- a change ---- */

enum { OLD, NEW, CHANGE };

static void
add_side(struct cell *c, const struct costs *row, size_t metric, int side)
{
	const struct metric *m = &row->t->metric[metric];
	const struct rank_delta *d = m->delta;

	if (!row->sums)
		buf_putc(&c->b, '.');
	else if (side == CHANGE)
		metric_add_change(&c->b, m, row->sums[d->change]);
	else
		metric_add_whole(&c->b, m, row->sums[side == OLD ? d->old : d->new]);
}

static void
old_cell(struct cell *c, const void *row, size_t metric)
{
	add_side(c, row, metric, OLD);
}

static void
new_cell(struct cell *c, const void *row, size_t metric)
{
	add_side(c, row, metric, NEW);
}

static void
change_cell(struct cell *c, const void *row, size_t metric)
{
	add_side(c, row, metric, CHANGE);
}

static void
percent_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;
	const struct rank_delta *d = of->t->metric[metric].delta;

	if (of->sums)
		num_add_change(&c->b, of->sums[d->old], of->sums[d->change]);
}

void
side_columns(struct text_table *tt, const struct table *t, size_t metric, const char *of)
{
	struct buf head = { 0 };

	buf_printf(&head, "old %s", of);
	metric_add_name(&head, &t->metric[metric]);
	text_table_column(tt, buf_str(&head), COLUMN_SIDE, old_cell, metric);
	text_table_column(tt, "new", COLUMN_SIDE, new_cell, metric);
	text_table_column(tt, "change", COLUMN_COST, change_cell, metric);
	buf_free(&head);
}

void
change_columns(struct text_table *tt, const struct table *t, size_t metric)
{
	if (!t->metric[metric].change)
		return;
	side_columns(tt, t, metric, "");
	text_table_column(tt, "%", COLUMN_SHARE, percent_cell, metric);
}
