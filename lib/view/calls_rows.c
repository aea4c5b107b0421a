/* SPDX-License-Identifier: ISC */
/* Callers and callees for programs. */
#include "view/calls.h"

/* A call: the function asked about, and the other one. */
struct call_row {
	const struct block *b;
	uint32_t edge;
	struct named_row of, other;
};

static struct value
name(const void *row, size_t i)
{
	return named_row_value(&((const struct call_row *)row)->of, i);
}

static struct value
other_name(const void *row, size_t i)
{
	return named_row_value(&((const struct call_row *)row)->other, i);
}

static struct value
count(const void *row, size_t i)
{
	const struct call_row *r = row;

	(void)i;
	return calls_edge_count(r->b, r->edge);
}

static struct value
cost(const void *row, size_t metric)
{
	const struct call_row *r = row;

	return calls_edge_cost(r->b, r->edge, metric);
}

void
calls_rows_begin(struct data_table *d, const struct block *b)
{
	const struct table *t = b->p->t;
	size_t i;

	data_table_init(d, b->p->out, t->v->form);
	data_name_columns(d, t->q, "", name);
	data_name_columns(d, t->q, b->side == PAGE_CALLERS ? "caller." : "callee.",
	    other_name);
	data_table_column(d, TEXT("calls"), "", count, 0);
	for (i = 0; i < t->v->nshow; i++) {
		data_table_column(d, t->metric[i].name, ".incl", cost, i);
		data_unit_column(d, &t->metric[i]);
	}
	data_table_head(d);
}

void
calls_rows(struct data_table *d, const struct block *b)
{
	const struct table *t = b->p->t;
	struct call_row row = { .b = b, .of.t = t, .other.t = t };
	size_t i;

	named_row_read(&row.of, sums_key(&t->r->rows, b->of));
	for (i = 0; i < b->n; i++) {
		row.edge = b->edge[i].of;
		named_row_read(&row.other,
		    sums_key(&t->r->rows, calls_other_end(b, row.edge)));
		data_table_row(d, &row);
	}
}
