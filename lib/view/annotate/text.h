/* SPDX-License-Identifier: ISC */
/*
 * Annotated source for people while it is printed.
 */
#ifndef PROF_VIEW_ANNOTATE_TEXT_H
#define PROF_VIEW_ANNOTATE_TEXT_H

#include "pages.h"

#define INLINED_MARK "*"		/* the mark after a line's number */

struct annotate_text {
	struct page *p;
	const struct listing *l;
	const struct listed_file *f;	/* the file that is being printed */
	const struct source *s;
	struct numbers numbers;	/* of lines, in all files; then of sums */
	size_t digits;		/* of the line's number */
	size_t room;		/* for text; 0: any */
	uint64_t place;		/* of the instruction printed last; 0: none */
	uint32_t file;		/* and its file */
	bool some_inlined;	/* of them */
};

/* ---- columns.c: to b->numbers.c ---- */

/* The cells of a line; NULL: it has no costs. */
void annotate_line_cells(struct annotate_text *b, const struct listed_line *line);
/* Those of a call, whose cost is part of the line's inclusive cost. */
void annotate_call_cells(struct annotate_text *b, uint32_t call);
/* Costs by slot, with their percentages. */
void annotate_sum_cells(struct annotate_text *b, const num *sums);

/* The name of each metric and "%"; or what a difference has. */
void annotate_head_cells(struct annotate_text *b, bool inclusive);
/* Begins new columns with these heads. */
void annotate_begin_columns(struct annotate_text *b, bool inclusive);

#endif
