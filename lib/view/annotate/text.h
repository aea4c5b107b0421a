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
	struct text_table numbers;	/* of lines, in all files */
	size_t digits;		/* of the line's number */
	size_t room;		/* for text; 0: any */
	uint64_t place;		/* of the instruction printed last; 0: none */
	uint32_t file;		/* and its file */
	bool some_inlined;	/* of them */
};

/* ---- columns.c: of a struct costs ---- */

/* Those of lines, without sums where nothing costs anything, and of calls, which have no
 * row; and those of sums. */
void annotate_line_columns(struct text_table *tt, const struct table *t);
void annotate_sum_columns(struct text_table *tt, const struct table *t);

#endif
