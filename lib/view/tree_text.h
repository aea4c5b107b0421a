/* SPDX-License-Identifier: ISC */
/*
 * The state of printing a call tree as text.
 */
#ifndef PROF_VIEW_TREE_TEXT_H
#define PROF_VIEW_TREE_TEXT_H

#include "view/text_table.h"
#include "view/tree_names.h"

/* Marks, and ways of drawing lines, that are explained below the tree. */
enum { MARK_RECURSION, MARK_CYCLE, MARK_ABOVE, MARK_CHAIN, MARK_LOSSY, MARKS };

struct text_page {
	struct tree_page *tp;
	struct tree_names names;
	struct text_table numbers;
	uint32_t *level;	/* by node that begins a line: the level at which it is
				 * drawn */
	bool mark[MARKS];
	size_t lines, guessed;	/* number of lines; of those that have, or begin with, an
				 * estimate */
	bool guesses;		/* all lines have: one note says so */
};

/* ---- tree_columns.c ---- */

/* A line of numbers under construction. */
struct tree_line {
	const struct text_page *x;
	size_t node;		/* its first node */
	bool *marked;		/* does a column of it have the mark of estimates yet? */
};

/* Adds the columns to x->numbers. */
void tree_line_columns(struct text_page *x);

/* Is the cost of a line an estimate?  Or any of its numbers? */
bool tree_line_guesses(const struct text_page *x, size_t node);
bool tree_line_guesses_any(const struct text_page *x, size_t node);

/* ---- tree_rest.c ---- */

/* Adds " (rec)", for any node of the line. */
void tree_line_marks(struct text_page *x, struct buf *b, size_t node);

/* Adds " ... 12 more, 3.20 %, above 1.20 %"; without the 12; only the dots. */
enum tree_rest_words { REST_ALL, REST_COST, REST_DOTS };
void tree_line_rest(struct text_page *x, struct buf *b, size_t node,
    enum tree_rest_words words);

#endif
