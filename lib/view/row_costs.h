/* SPDX-License-Identifier: ISC */
/*
 * The numbers of a ranking's rows in tables.
 */
#ifndef PROF_VIEW_ROW_COSTS_H
#define PROF_VIEW_ROW_COSTS_H

#include "view/rank_table.h"
#include "view/text_table.h"

/* The costs of a row, a call or a sum.  Structures of tables begin with it. */
struct costs {
	const struct table *t;
	size_t row;		/* of the ranking; NO_ROW: none */
	const num *sums;	/* its sums by slot; NULL: it has none */
};

static inline struct costs
costs_of_row(const struct table *t, size_t row)
{
	return (struct costs){ t, row, sums_val(&t->r->rows, row) };
}

/* The values of rows, by the number of the metric or of the size. */
cell_value costs_self, costs_incl, costs_calls, costs_size;

/* Adds a mark to a cell. */
void cell_add_mark(struct cell *c, unsigned mark);

/* Adds columns for a metric: its costs, headed by its name, and their shares (NULL: none). */
void cost_columns(struct text_table *tt, const struct table *t, size_t metric,
    enum column_kind kind, text_cell *cost, text_cell *share);

/* Add columns for a metric that is a change: the old cost, the new one and the change; the
 * change in percent of the old cost.  `of` comes before the names. */
void side_columns(struct text_table *tt, const struct table *t, size_t metric, const char *of);
void change_columns(struct text_table *tt, const struct table *t, size_t metric);

#endif
