/* SPDX-License-Identifier: ISC */
/* The numbers of a call. */
#include "view/calls.h"

struct value
calls_cost(const void *row, size_t metric)
{
	const struct costs *of = row;

	return of->row == NO_ROW ? table_value(&of->t->metric[metric], of->sums) :
	    costs_incl(of, metric);
}

/* Stacks do not show how often one frame called another; a difference has two counts, which
 * are events. */
struct value
calls_count(const void *row, size_t i)
{
	const struct call_costs *c = row;
	const struct rank *r = c->of.t->r;

	if (c->of.row != NO_ROW)
		return costs_calls(row, i);
	return (struct value){ .kind = r->counts_known && !r->ndelta ? WHOLE : ABSENT,
	    .n = sums_val(&r->edges, c->edge)[0] };
}
