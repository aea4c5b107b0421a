/* SPDX-License-Identifier: ISC */
/*
 * What tables show of the rows of a ranking.
 */
#ifndef PROF_VIEW_ROW_COSTS_H
#define PROF_VIEW_ROW_COSTS_H

#include "view/rank_table.h"
#include "view/text_table.h"

/* The costs of a row, a call or a sum.  What a table has more of its rows is after it. */
struct costs {
	const struct table *t;
	size_t row;		/* of the ranking; NO_ROW: of none */
	const num *sums;	/* by slot, of its own; NULL: it has none */
};

static inline struct costs
costs_of_row(const struct table *t, size_t row)
{
	return (struct costs){ t, row, sums_val(&t->r->rows, row) };
}

/* Columns of rows, by the number of the metric or of the size. */
cell_value costs_self, costs_incl, costs_calls, costs_size;

/* Adds the mark of a number that is made. */
void cell_add_mark(struct cell *c, unsigned mark);

/* The old cost, the new one and the change of a metric that is one; and what this is in percent
 * of the old cost.  `of` is before the name. */
void side_columns(struct text_table *tt, const struct table *t, size_t metric, const char *of);
void change_columns(struct text_table *tt, const struct table *t, size_t metric);

#endif
