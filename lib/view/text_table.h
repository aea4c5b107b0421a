/* SPDX-License-Identifier: ISC */
/*
 * A text table: columns of numbers, each with a heading and a function for its cells, in
 * the width of a page.  The caller adds what follows the numbers of a line, such as names.
 *
 *	text_table_column()	for each column, from left to right
 *	text_table_measure()	for each row that will be shown
 *	text_table_fit()	then, which drops columns that do not fit
 *	text_table_heads(), text_table_row()	the lines
 */
#ifndef PROF_VIEW_TEXT_TABLE_H
#define PROF_VIEW_TEXT_TABLE_H

#include "view/metric.h"
#include "view/page.h"

/* The kinds of columns, in the order in which they are dropped if there is too little room;
 * of those of several events the last one's first.  A column without any number is dropped
 * before these. */
enum column_kind {
	COLUMN_SUM,		/* the share of all rows so far */
	COLUMN_FIT,		/* how well a law fits */
	COLUMN_SIZES,
	COLUMN_CALLS,
	COLUMN_OWN,		/* the self cost of a function, in a tree */
	COLUMN_INCL_NOISE,
	COLUMN_INCL_SHARE,
	COLUMN_INCL,
	COLUMN_NOISE,
	COLUMN_SIDE,		/* the old and the new cost of a change */
	COLUMN_SHARE,
	COLUMN_COST,
	COLUMN_SORTED		/* the value that rows are sorted by */
};

/* A cell under construction. */
struct cell {
	struct buf b;		/* its text, in visible form */
	unsigned marks;		/* the marks in it, to be explained if it is shown */
	bool shown;		/* its column was not dropped */
};

/* Makes the cell of a row, if it is more than a value. i is as in a cell_value; for several
 * events it is the number of one. */
typedef void text_cell(struct cell *c, const void *row, size_t i);

struct text_table {
	bool changes;		/* paints numbers with a sign, instead of large shares */
	struct text_column {
		struct buf head;
		enum column_kind kind;
		text_cell *cell;
		cell_value *get;	/* the cell's value, if `cell` is NULL: */
		const struct metric *metric;	/* it is a cost of this metric; */
		bool share;		/* and its share of the total; without metric a
					 * number or a name */
		num total;
		size_t i;
		size_t body;	/* width of its cells */
		size_t width;
		bool filled, gone;	/* it has a number; it was dropped */
	} *column;
	size_t n, cap;
	size_t used;		/* width of all columns, with two blanks after each */
	unsigned marks;		/* in the cells that were shown */
	struct cell cell;
};

/* Add a column of cells; of numbers or names; of costs; of their shares of a total. */
void text_table_column(struct text_table *t, const char *head, enum column_kind kind,
    text_cell *cell, size_t i);
void text_table_values(struct text_table *t, const char *head, enum column_kind kind,
    cell_value *get, size_t i);
void text_table_costs(struct text_table *t, const char *head, enum column_kind kind,
    cell_value *get, size_t i, const struct metric *m);
void text_table_shares(struct text_table *t, enum column_kind kind, cell_value *get, size_t i,
    num total);
void text_table_free(struct text_table *t);

/* text_table_measure() widens columns to the cells of a row. text_table_clear() sets the
 * widths back to 0, for the columns that were not dropped. */
void text_table_measure(struct text_table *t, const void *row);
void text_table_clear(struct text_table *t);

/* After all rows were measured: drops columns until `least` columns of the width (0:
 * unlimited) remain for what follows them; before that, headings are truncated. */
void text_table_fit(struct text_table *t, size_t width, size_t least);

/* Add to the page's line, with changes and large costs in colour. */
void text_table_heads(struct text_table *t, struct page *p);
void text_table_row(struct text_table *t, struct page *p, const void *row);

#endif
