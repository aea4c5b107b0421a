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
	struct cells c;
	size_t *width;		/* of each cell, in all files */
	size_t digits;		/* of the line's number */
	size_t room;		/* for text; 0: any */
	uint64_t place;		/* of the instruction printed last; 0: none */
	uint32_t file;		/* and its file */
	bool percent;		/* costs have their percentages: there is room */
	unsigned marks;		/* of lines that were printed, a bit for each */
	bool some_inlined;	/* of them */
};

/* ---- columns.c: to b->c ---- */

/* The cells of a line; NULL: it has no costs. */
void annotate_line_cells(struct annotate_text *b, const struct listed_line *line);
/* Those of a call, whose cost is part of the line's inclusive cost. */
void annotate_call_cells(struct annotate_text *b, uint32_t call);
/* Costs by slot, with their percentages. */
void annotate_sum_cells(struct annotate_text *b, const num *sums);

/* The name of each metric and, if asked, "%"; or what a difference has. */
void annotate_head_cells(struct annotate_text *b, bool percent, bool inclusive);

void annotate_clear_widths(struct annotate_text *b);

#endif
