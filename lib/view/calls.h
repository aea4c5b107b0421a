/* SPDX-License-Identifier: ISC */
/*
 * The calls of a function as a table: its callers or its callees.
 *
 *	calls.c		the calls and their order
 *	calls_text.c	text
 *	calls_data.c	TSV, JSON
 *	calls_costs.c	columns of either
 */
#ifndef PROF_VIEW_CALLS_H
#define PROF_VIEW_CALLS_H

#include "view/rank_page.h"

/* One block: the other ends of a function's calls, the most expensive first. */
struct block {
	struct page *p;
	const struct table *t;
	enum page_side side;	/* which ends are listed */
	size_t of;		/* the function's row */
	struct value *edge;
	size_t n;		/* calls that are listed; after them there are */
	size_t more;
};

static inline size_t
calls_other_end(const struct block *b, size_t edge)
{
	const uint64_t *key = sums_key(&b->t->r->edges, edge);

	return (size_t)key[b->side == PAGE_CALLERS ? EDGE_FROM : EDGE_TO];
}

static inline struct value
calls_edge_cost(const struct block *b, size_t edge, size_t metric)
{
	return table_value(&b->t->metric[metric],
	    sums_val(&b->t->r->edges, edge) + 1);
}

/* A call as a row of a table; or, with its row known, the function with all of its
 * calls. */
struct call_costs {
	struct costs of;
	uint32_t edge;
};

static inline struct call_costs
calls_row(const struct block *b, uint32_t edge)
{
	const num *sums = sums_val(&b->t->r->edges, edge);

	return (struct call_costs){ { b->t, NO_ROW, sums + 1 }, edge };
}

/* Does the function of a row get a block of callers or callees? */
bool calls_wanted(const struct table *t, size_t row);

/* ---- calls_text.c ---- */

/* Write a block; callers, the function and callees as one, which returns its marks. */
void calls_text(const struct block *b);
unsigned calls_text_both(const struct block *callers, const struct block *callees);

/* ---- calls_data.c ---- */

/* Begin a table with its header; write the rows of a block. */
void calls_rows_begin(struct data_table *d, const struct block *b);
void calls_rows(struct data_table *d, const struct block *b);

/* ---- calls_costs.c ---- */

/* The inclusive cost of a struct call_costs, and the number of calls. */
cell_value calls_cost, calls_count;

#endif
