/* SPDX-License-Identifier: ISC */
/*
 * Printing a ranking.  Each of these calls only those after it:
 *
 *	print.c			the choice of a page
 *	rank_text.c		the rows of a ranking as text
 *	notes.c			lines below these rows
 *	calls.[ch]		callers and callees, with calls_text.c, calls_data.c
 *	rank_diff_text.c	the rows of a difference as text
 *	rank_data.c		the rows of both as TSV and JSON
 *	value_profile.c		values at sites
 *	growth_columns.c	columns of how costs grow
 *	hints.c			how to get names
 *	sampling_error.c	the sampling error of few samples
 *	rank_lines.[ch]		lines of numbers and names, as text
 *	row_names.[ch]		names in the width of the page
 *	paths.[ch]		shortened paths
 *	row_costs.[ch]		columns of costs and changes
 *	heading_text.[ch]	the lines above a table
 *	text_table.[ch]		text tables
 *	data_columns.[ch]	columns that several TSV and JSON tables share
 *	data_table.[ch]		TSV and JSON tables
 *	page.[ch]		lines in the width of a page
 *	metric.[ch]		numbers; metric_scale.c: their units
 */
#ifndef PROF_VIEW_RANK_PAGE_H
#define PROF_VIEW_RANK_PAGE_H

#include "view/data_columns.h"
#include "view/heading_text.h"
#include "view/rank_lines.h"

/* ---- growth_columns.c: for --growth, after other columns ---- */

/* As text; a note below the first `limit` rows. */
void growth_text_columns(struct text_table *tt);
void growth_line(struct page *p, const struct table *t, size_t limit);
/* As TSV and JSON. */
void growth_columns(struct data_table *d);

/* ---- the pages ---- */

/* Are there no values?  If so, sets the diag. */
bool page_no_values(const struct table *t);
void page_values(struct page *p, const struct table *t);

void page_rows(struct output *out, const struct table *t);
void page_diff(struct page *p, const struct table *t);
void page_text(struct page *p, const struct table *t);

/* Does no function match, if `match` is not NULL?  If so, sets the diag. */
bool page_no_match(const struct table *t, const struct match *match, const char *option);
enum page_side { PAGE_CALLERS, PAGE_CALLEES };
void page_blocks(struct page *p, const struct table *t, const struct match *match,
    enum page_side side);
/* Prints both as text: for each function its callers above it, and its callees below. */
void page_both(struct page *p, const struct table *t, const struct match *callers,
    const struct match *callees);

/* ---- rank_diff_text.c ---- */

/* Numbers of rows: with significant changes; with other changes; without a change in
 * numbers, but possibly changed. */
struct changes {
	size_t some, noise, maybe;
};

/* Sets the rows of a difference that are shown, in order, and returns their number. */
size_t page_changed_rows(const struct table *t, uint32_t *rows, struct changes *of);

/* Cells of a struct costs, by the number of a metric that is a change: the self cost's change
 * in percent; the inclusive cost's change, and that in percent; what a run's self cost
 * differs by, in percent. */
text_cell change_self_share_cell, change_incl_cell, change_incl_share_cell,
    change_noise_cell;
/* Sets the last one's number: false if it is not known. */
bool change_noise(const struct costs *of, size_t metric, double *percent);

/* ---- hints.c ---- */

/* Prints how to get names if functions with cost have none. */
void page_hint_names(const struct table *t);

/* ---- sampling_error.c ---- */

/* The range that has a share of 10 %, and of 1 %, in 95 of 100 profiles: false if there are
 * many samples, or hardly any. */
#define SAMPLING_SHARES 2
struct sampling_range {
	double percent, low, high;
};
bool sampling_ranges(num samples, struct sampling_range r[SAMPLING_SHARES]);
/* Adds it as text; otherwise returns false. */
bool sampling_error_add(struct buf *b, num samples);
/* For few samples: prints the 95% range of shares. */
void page_samples_line(struct page *p, const struct table *t);

/* For a difference between two runs of few samples: by how much of itself, in percent, such
 * a share may change by random variation; otherwise false. */
struct sampling_changes {
	num old, new;		/* samples */
	struct { double percent, by; } of[SAMPLING_SHARES];
};
bool sampling_changes(const struct table *t, struct sampling_changes *c);
/* Add it as text; print that, if there are few samples. */
void sampling_changes_add(struct buf *b, const struct sampling_changes *c);
void page_samples_change_line(struct page *p, const struct table *t);

/* ---- notes.c ---- */

/* Omissions of a table, and explanations below it. */
struct notes {
	size_t limit;		/* the number of rows that are shown */
	struct text object;	/* the object of all rows, which then has no column; absent:
				 * it has one, or none is known */
	bool no_incl;		/* inclusive costs are known, but have no columns */
	unsigned marks;		/* the marks in cells */
};

void page_notes(struct page *p, const struct table *t, const struct notes *n);
/* Prints a line for each mark, with its meaning. */
void page_mark_lines(struct page *p, const struct table *t, unsigned marks);

#endif
