/* SPDX-License-Identifier: ISC */
/*
 * The lines of a ranking as text: numbers, and names by which rows differ.
 */
#ifndef PROF_VIEW_RANK_LINES_H
#define PROF_VIEW_RANK_LINES_H

#include "view/row_costs.h"
#include "view/row_names.h"

struct lines {
	struct page *p;
	const struct table *t;
	struct text_table numbers;	/* the caller adds the columns */
	enum group_by key[TABLE_KEYS];
	size_t column[TABLE_KEYS], nkey;	/* columns of the key that have names */

	size_t left, longest;	/* columns for names; length of the longest first name */
	size_t nshown;		/* the most names that a row shows */
	struct paths paths;	/* of the rows, if names have to fit */
	uint32_t *row;		/* the rows passed to lines_measure() */
	size_t nrow, caprow;
	struct names *names;	/* by row: how its names are shown */
	size_t next;		/* the row that lines_add_row() adds next */
};

/* Makes room for a row that will be shown, with its names; without names if it is
 * NO_ROW. */
void lines_measure(struct lines *l, const struct costs *row);
/* Add to p->line: headings first, when all rows were measured. */
void lines_add_heads(struct lines *l);
void lines_add_row(struct lines *l, const struct costs *row);
void lines_free(struct lines *l);

#endif
