/* SPDX-License-Identifier: ISC */
/*
 * Markdown that also reads well as plain text: code, and tables whose numbers are aligned.
 */
#ifndef PROF_REPORT_MARKDOWN_H
#define PROF_REPORT_MARKDOWN_H

#include "util/buf.h"

/* Adds a name as code, "-" if it is absent; control characters are made visible.  In a cell
 * of a table bars are escaped. */
void markdown_code(struct buf *b, struct text name);
void markdown_cell_code(struct buf *b, struct text name);

/* Adds text that has no meaning in Markdown. */
void markdown_text(struct buf *b, struct text t);

/* A table that is filled cell by cell, row by row, the names of columns first.  A column
 * without any other text is left out.  All zeros: empty. */
struct markdown_table {
	const char *align;	/* a letter for each column: "r" right, "l" left */
	struct buf text;	/* all cells */
	size_t *end;		/* of each cell, in text */
	size_t n, cap;
};

/* Returns the buffer to which the text of the next cell is added; then ends the cell. */
struct buf *markdown_cell(struct markdown_table *t);
void markdown_cell_end(struct markdown_table *t);

/* Adds a cell with the name of a column. */
void markdown_head(struct markdown_table *t, const char *name);

/* Adds the table and frees it; b NULL: frees it alone. */
void markdown_table_end(struct markdown_table *t, struct buf *b);

#endif
