/* SPDX-License-Identifier: ISC */
/* Callers and callees as TSV and JSON. */
#include "view/calls.h"

struct named_call {
	struct call_costs of;
	struct named_row function, other;	/* the function of the block, and the other
						 * end */
};

static struct value
function_name(const void *row, size_t i)
{
	return named_row_name(&((const struct named_call *)row)->function, i);
}

static struct value
other_name(const void *row, size_t i)
{
	return named_row_name(&((const struct named_call *)row)->other, i);
}

void
calls_rows_begin(struct data_table *d, const struct block *b)
{
	const struct table *t = b->t;
	size_t i;

	data_table_init(d, b->p->out, t->v->form);
	data_name_columns(d, t->q, "", function_name);
	data_name_columns(d, t->q, b->side == PAGE_CALLERS ? "caller." : "callee.",
	    other_name);
	data_table_column(d, TEXT("calls"), "", calls_count, 0);
	for (i = 0; i < t->v->nshow; i++) {
		data_table_column(d, t->metric[i].name, ".incl", calls_cost, i);
		data_unit_column(d, &t->metric[i]);
	}
	data_table_head(d, t->q->diag);
}

void
calls_rows(struct data_table *d, const struct block *b)
{
	const struct table *t = b->t;
	struct named_call row = { .function.of.t = t, .other.of.t = t };
	size_t i;

	named_row_read(&row.function, sums_key(&t->r->rows, b->of));
	for (i = 0; i < b->n; i++) {
		row.of = calls_row(b, b->edge[i].of);
		named_row_read(&row.other,
		    sums_key(&t->r->rows, calls_other_end(b, b->edge[i].of)));
		data_table_row(d, &row);
	}
}
