/* SPDX-License-Identifier: ISC */
/*
 * The calls of a function as a table: its callers or its callees.
 *
 *	calls.c		which calls, in which order
 *	calls_text.c	for people
 *	calls_rows.c	for programs
 */
#ifndef PROF_VIEW_CALLS_H
#define PROF_VIEW_CALLS_H

#include "view/page.h"

/* One block: the other ends of a function's calls, the most expensive first. */
struct block {
	struct page *p;
	enum page_side side;	/* which ends */
	size_t of;		/* the row */
	struct value *edge;
	size_t n;
};

static inline size_t
calls_other_end(const struct block *b, size_t edge)
{
	const uint64_t *key = sums_key(&b->p->t->r->edges, edge);

	return (size_t)key[b->side == PAGE_CALLERS ? EDGE_FROM : EDGE_TO];
}

static inline struct value
calls_edge_cost(const struct block *b, size_t edge, size_t metric)
{
	return table_value(&b->p->t->metric[metric],
	    sums_val(&b->p->t->r->edges, edge) + 1);
}

/* Stacks do not tell how often one frame called another; a difference has two
 * counts, which are events of it. */
static inline struct value
calls_edge_count(const struct block *b, uint32_t edge)
{
	const struct rank *r = b->p->t->r;

	return (struct value){ .kind = r->counts_known && !r->ndelta ? WHOLE : ABSENT,
	    .n = sums_val(&r->edges, edge)[0] };
}

/* ---- calls_text.c ---- */

/* Writes a block; callers, the function and callees as one. */
void calls_text(const struct block *b);
void calls_text_both(const struct block *callers, const struct block *callees);

/* ---- calls_rows.c ---- */

/* Begins a table with its header; writes the rows of a block. */
void calls_rows_begin(struct data_table *d, const struct block *b);
void calls_rows(struct data_table *d, const struct block *b);

#endif
