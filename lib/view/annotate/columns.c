/* SPDX-License-Identifier: ISC */
/* The numbers of annotated source: of lines, calls and sums. */
#include "text.h"

/* ---- cells: a cost, or its percentage; a point if there is none, so that costs are easy
 * to see; 0 if the whole line is known to cost nothing ---- */

static bool
are_zero(const struct terms *t, const num *sums)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		if (sums[t->v[i].slot])
			return false;
	return true;
}

bool
annotate_costs_nothing(const struct table *t, const num *sums)
{
	const struct metric *m = t->metric, *const end = m + t->v->nshow;

	for (; m < end; m++)
		if (!are_zero(&m->over, sums) || !are_zero(&m->under, sums) ||
		    (m->delta && (sums[m->delta->old] || sums[m->delta->new])))
			return false;
	return true;
}

/* Is it a line that cost nothing, such as one that a test run did not execute?  The profile
 * knows of it all the same. */
static bool
is_free_line(const struct costs *of)
{
	const struct rank *r = of->t->r;

	return of->row != NO_ROW && annotate_costs_nothing(of->t, of->sums) && (!r->incl_known ||
	    annotate_costs_nothing(of->t, r->incl + of->row * r->rows.nval));
}

static bool
is_zero(struct cell *c, struct value v, char zero)
{
	if (v.kind != WHOLE || v.n)
		return false;
	buf_putc(&c->b, zero);
	return true;
}

static void
add_cost(struct cell *c, const struct costs *of, size_t metric, struct value v, unsigned mark)
{
	if (is_zero(c, v, is_free_line(of) ? '0' : '.'))
		return;
	cell_add_mark(c, mark);
	metric_add_value(&c->b, &of->t->metric[metric], v);
}

static void
add_share(struct cell *c, const struct metric *m, struct value v)
{
	if (!is_zero(c, v, '.'))
		value_add_share(&c->b, v, m->ratio || table_is_over(m, v) ||
		    (m->cumulative && v.n > m->total) ? 0 : m->total);
}

/* ---- sums ---- */

static struct value
sum_of(const struct costs *of, size_t metric)
{
	return table_value(&of->t->metric[metric], of->sums);
}

static void
sum_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;

	add_cost(c, of, metric, sum_of(of, metric), 0);
}

static void
sum_share_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;

	add_share(c, &of->t->metric[metric], sum_of(of, metric));
}

/* ---- lines, and calls, whose cost is part of the line's inclusive cost ---- */

static bool
is_call(const struct costs *of)
{
	return of->row == NO_ROW && of->sums;
}

static struct value
self_of(const struct costs *of, size_t metric)
{
	return of->sums ? table_self(of->t, of->row, metric) : (struct value){ .kind = WHOLE };
}

static struct value
incl_of(const struct costs *of, size_t metric)
{
	return is_call(of) ? sum_of(of, metric) : of->sums ?
	    table_incl(of->t, of->row, metric) : (struct value){ .kind = WHOLE };
}

static void
self_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;

	if (!is_call(of))
		add_cost(c, of, metric, self_of(of, metric), 0);
}

static void
self_share_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;

	if (!is_call(of))
		add_share(c, &of->t->metric[metric], self_of(of, metric));
}

static void
incl_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;

	add_cost(c, of, metric, incl_of(of, metric), of->row == NO_ROW ? 0 :
	    table_mark(of->t, of->row, metric));
}

static void
incl_share_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;

	add_share(c, &of->t->metric[metric], incl_of(of, metric));
}

/* ---- columns ---- */

/* Adds the name of each metric and "%"; or the columns of a difference. */
static void
add_columns(struct text_table *tt, const struct table *t, text_cell *cost, text_cell *share,
    bool inclusive)
{
	size_t i;

	tt->changes = table_is_diff(t);
	for (i = 0; i < t->v->nshow; i++) {
		if (tt->changes) {
			change_columns(tt, t, i);
			continue;
		}
		cost_columns(tt, t, i, COLUMN_SORTED, cost, share);
		if (!inclusive)
			continue;
		text_table_column(tt, "inclusive", COLUMN_COST, incl_cell, i);
		text_table_column(tt, "%", COLUMN_INCL_SHARE, incl_share_cell, i);
	}
}

void
annotate_line_columns(struct text_table *tt, const struct table *t)
{
	add_columns(tt, t, self_cell, self_share_cell, t->r->incl_known);
}

void
annotate_sum_columns(struct text_table *tt, const struct table *t)
{
	add_columns(tt, t, sum_cell, sum_share_cell, false);
}
