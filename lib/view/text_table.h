/* SPDX-License-Identifier: ISC */
/*
 * A table for people: columns of numbers, each a heading and what gives its cells, in the
 * width of a page.  What comes after the numbers of a line, such as names, its user adds.
 *
 *	text_table_column()	for each column, from left to right
 *	text_table_measure()	for each row that will be shown
 *	text_table_fit()	then columns leave, where there is too little room
 *	text_table_heads(), text_table_row()	the lines
 */
#ifndef PROF_VIEW_TEXT_TABLE_H
#define PROF_VIEW_TEXT_TABLE_H

#include "view/metric.h"
#include "view/page.h"

/* What a column has, in the order in which columns leave where there is too little room: of
 * those of several events the last one's first.  Before all of them leaves a column that has
 * no number. */
enum column_kind {
	COLUMN_SUM,		/* the share of all rows so far */
	COLUMN_FIT,		/* how well a law fits */
	COLUMN_SIZES,
	COLUMN_CALLS,
	COLUMN_OWN,		/* the cost of a function of its own, in a tree */
	COLUMN_INCL_NOISE,
	COLUMN_INCL_SHARE,
	COLUMN_INCL,
	COLUMN_NOISE,
	COLUMN_SIDE,		/* the old and the new cost of a change */
	COLUMN_SHARE,
	COLUMN_COST,
	COLUMN_SORTED		/* what rows are sorted by */
};

/* A cell that is being made. */
struct cell {
	struct buf b;		/* its text */
	unsigned marks;		/* in it, to be explained where it is shown */
	bool shown;		/* or its column has left */
};

/* Makes the cell of a row, where that is more than a value; i is as that of a cell_value, of
 * several events the number of one. */
typedef void text_cell(struct cell *c, const void *row, size_t i);

struct text_table {
	bool changes;		/* numbers with a sign are painted, not shares that are large */
	struct text_column {
		struct buf head;
		enum column_kind kind;
		text_cell *cell;
		cell_value *get;	/* instead of cell: */
		const struct metric *metric;	/* it is a cost of this; */
		bool share;		/* it is a share of the total; or a number or a name */
		num total;
		size_t i;
		size_t body;	/* how wide its cells are */
		size_t width;
		bool filled, gone;	/* does it have a number? */
	} *column;
	size_t n, cap;
	size_t used;		/* how wide all are, with two blanks after each */
	unsigned marks;		/* in the cells that were shown */
	struct cell cell;
};

/* Adds a column of cells; of numbers or names; of costs; of their shares of a total. */
void text_table_column(struct text_table *t, const char *head, enum column_kind kind,
    text_cell *cell, size_t i);
void text_table_values(struct text_table *t, const char *head, enum column_kind kind,
    cell_value *get, size_t i);
void text_table_costs(struct text_table *t, const char *head, enum column_kind kind,
    cell_value *get, size_t i, const struct metric *m);
void text_table_shares(struct text_table *t, enum column_kind kind, cell_value *get, size_t i,
    num total);
void text_table_free(struct text_table *t);

/* Makes columns as wide as the cells of a row; begins again with the columns that are left. */
void text_table_measure(struct text_table *t, const void *row);
void text_table_clear(struct text_table *t);

/* When all is known: columns leave until `least` are left of the width, 0: of any, for what
 * comes after them; headings are cut before that. */
void text_table_fit(struct text_table *t, size_t width, size_t least);

/* To the page's line: changes in their colours, and what costs much. */
void text_table_heads(struct text_table *t, struct page *p);
void text_table_row(struct text_table *t, struct page *p, const void *row);

#endif
