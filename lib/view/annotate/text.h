/* SPDX-License-Identifier: ISC */
/*
 * The state of printing annotated source as text.
 */
#ifndef PROF_VIEW_ANNOTATE_TEXT_H
#define PROF_VIEW_ANNOTATE_TEXT_H

#include "pages.h"

#define INLINED_MARK "*"		/* the mark after a line's number */

struct annotate_text {
	struct page *p;
	const struct listing *l;
	const struct listed_file *f;	/* the current file */
	const struct source *s;
	struct text_table numbers;	/* of lines, for all files */
	size_t digits;		/* of a line's number */
	size_t room;		/* for source; 0: unlimited */
	uint64_t place;		/* the source line of the last instruction; 0: none */
	uint32_t file;		/* and its file */
	bool some_inlined;	/* some lines are marked as inlined */
};

/* ---- columns.c: of a struct costs ---- */

/* Is every event that is shown 0: each term of a formula, both sides of a change? */
bool annotate_costs_nothing(const struct table *t, const num *sums);
/* Add the columns of lines and calls (a call has no row), which leave out sums that are 0
 * everywhere; and the columns of sums. */
void annotate_line_columns(struct text_table *tt, const struct table *t);
void annotate_sum_columns(struct text_table *tt, const struct table *t);

#endif
