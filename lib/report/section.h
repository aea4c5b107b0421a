/* SPDX-License-Identifier: ISC */
/*
 * The sections of a report.  Each is Markdown of a requested number of rows, and states
 * how much is omitted and which command shows it.
 */
#ifndef PROF_REPORT_SECTION_H
#define PROF_REPORT_SECTION_H

#include "report/markdown.h"
#include "report/report.h"
#include "view/rank_page.h"

/* The tables that sections share; rows are sorted by self cost. */
struct page_data {
	const struct report *r;
	struct text event;
	struct view view;
	struct table functions, places;
	size_t *hottest;	/* by function: its row in `places` + 1; 0: it has none */
	size_t caphottest;
	bool lines;		/* some row of `places` has a line */
	struct paths paths;	/* of all files and objects */
	/* Of a difference: the rows of `functions` that have changed, in order; otherwise
	 * NULL. */
	uint32_t *changed;
	size_t nchanged;
	struct changes changes;
};

int page_data_init(struct page_data *d, const struct report *r);
void page_data_free(struct page_data *d);

/* ---- the sections ---- */

/* Return how many rows a section can have. */
size_t rows_of_functions(const struct page_data *d);
size_t rows_of_changes(const struct page_data *d);
size_t rows_of_paths(const struct page_data *d);
size_t rows_of_lines(const struct page_data *d);
size_t rows_of_callers(const struct page_data *d);

/* Add a section with this number of rows; those without rows to choose ignore it. */
void section_measured(const struct page_data *d, size_t rows, struct buf *b);
void section_functions(const struct page_data *d, size_t rows, struct buf *b);
void section_changes(const struct page_data *d, size_t rows, struct buf *b);
void section_paths(const struct page_data *d, size_t rows, struct buf *b);
void section_lines(const struct page_data *d, size_t rows, struct buf *b);
void section_callers(const struct page_data *d, size_t rows, struct buf *b);
void section_certainty(const struct page_data *d, size_t rows, struct buf *b);
void section_next(const struct page_data *d, size_t rows, struct buf *b);

/* The rows of a page's sections; 0: it has no room for one. */
struct report_rows {
	size_t measured, functions, changes, paths, lines, callers, certainty, next;
};

/* Adds the report as JSON: 0, or -1 with the diag set. */
int report_json(const struct page_data *d, const struct report_rows *rows, struct buf *b);

/* ---- their parts ---- */

/* Adds a command as code: the tool, arguments, and the options and operands of the report. */
void add_command(const struct page_data *d, struct buf *b, const char *tool,
    const char *arguments);
/* The same; of a difference, behind one with lines. */
void add_command_of_lines(const struct page_data *d, struct buf *b, const char *tool,
    const char *arguments);

/* Adds the name of a column. */
void add_head(struct markdown_table *m, const char *name);

/* Adds the columns of a function's names: the heads; those of a row of `functions`. */
void add_name_heads(const struct page_data *d, struct markdown_table *m);
void add_names(const struct page_data *d, struct markdown_table *m, size_t row);

/* Adds a function's name; the template arguments of a long one are left out. */
void add_function(struct buf *b, struct text name);

/* Adds "file:line" with the end of the path that no other path has; line NO_LINE: the file
 * alone. */
void add_place(const struct page_data *d, struct buf *b, struct text path, uint64_t line);
/* The same with the whole path. */
void add_whole_place(struct buf *b, struct text path, uint64_t line);

/* Adds a share of the total, "12.34". */
void add_share(const struct table *t, struct buf *b, struct value v);

#endif
