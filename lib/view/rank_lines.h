/* SPDX-License-Identifier: ISC */
/*
 * The lines of a ranking for people: numbers, and names that tell rows apart.
 */
#ifndef PROF_VIEW_RANK_LINES_H
#define PROF_VIEW_RANK_LINES_H

#include "view/row_costs.h"
#include "view/row_names.h"

struct lines {
	struct page *p;
	const struct table *t;
	struct text_table numbers;	/* its user adds the columns */
	enum group_by key[TABLE_KEYS];
	size_t column[TABLE_KEYS], nkey;	/* of those of a key */

	size_t left, longest;	/* columns for names; the longest first one */
	size_t nshown;		/* the most names that a row shows */
	struct paths paths;	/* of the rows, where names have to fit */
	uint32_t *row;		/* those of lines_measure() */
	size_t nrow, caprow;
	struct names *names;	/* of each, how its names are shown */
	size_t next;		/* the one that lines_add_row() adds next */
};

/* Makes room for a row that will be shown, with its names; without, if it is of no row. */
void lines_measure(struct lines *l, const struct costs *row);
/* To p->line; heads first, when all rows are known. */
void lines_add_heads(struct lines *l);
void lines_add_row(struct lines *l, const struct costs *row);
void lines_free(struct lines *l);

#endif
