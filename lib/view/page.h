/* SPDX-License-Identifier: ISC */
/*
 * A table being printed.  Each of these calls only those after it:
 *
 *	print.c		which page it is
 *	text.c		rows for people
 *	notes.c		lines below these rows
 *	calls.[ch]	callers and callees, with calls_text.c, calls_rows.c
 *	diff.c		rows of a difference, for people
 *	rows.c		rows for programs
 *	values.c	values at sites
 *	growth.c	columns of how costs grow
 *	heading.c	the lines above a table
 *	hints.c		how to get names
 *	samples.c	what chance does to few samples
 *	cells.c		lines of cells and names, for people
 *	numbers.c	columns of cells in the width of the page
 *	paths.c		paths in little room
 *	data_columns.[ch]	columns that several tables for programs have
 *	data_table.[ch]	tables for programs
 *	page.c		numbers, the end of a line; scale.c: their units
 */
#ifndef PROF_VIEW_PAGE_H
#define PROF_VIEW_PAGE_H

#include "view/data_columns.h"
#include "view/table.h"

/* How names of functions are made to fit: abbreviated; where that makes two rows look
 * alike, without their middles; where that does, too, with what they differ in. */
struct names {
	enum { NAMES_ABBREVIATED, NAMES_BOTH_ENDS, NAMES_APART } how;
	size_t from;		/* of the last: the byte from which on they differ */
};

struct page {
	const struct table *t;
	struct output *out;
	struct buf line;	/* the one that is being made */
	bool incl;		/* are inclusive costs shown to people? */
	bool calls;		/* and how often something was called? */
	bool summed;		/* the share of all rows so far, too? */
	struct value sum;	/* their self cost */
	struct names names;
	unsigned marks;		/* those that were put into cells, a bit for each of the legend */
	bool bold;		/* is what follows? */
};

#define CELL 64

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

struct page_column {
	enum column_kind kind;
	size_t event;		/* that it is of, by number */
	size_t head, body;	/* how wide these are */
	size_t width;
	bool filled, gone;	/* does it have a number? */
};

struct cells {			/* a line's numbers, as text */
	char (*s)[CELL];
	struct page_column *column;
	size_t n;
};

/* ---- page.c ---- */

enum page_digits { DIGITS_PLAIN, DIGITS_GROUPED };
void page_add_value(struct buf *b, struct value v, enum page_digits digits);
/* The name of a metric for people, with its unit. */
void page_add_name(struct buf *b, const struct metric *m);
/* A cost in words: "1.57 s of time", "12 Ir". */
void page_add_amount(struct buf *b, const struct metric *m, struct value v);
/* Changes the looks of what follows, if the page has colors. */
#define PAINT_PLAIN "0"		/* bold, where page_bold() says so */
#define PAINT_DIM "2"
/* Orange and blue, which all can tell apart. */
#define PAINT_MORE "38;5;208"
#define PAINT_LESS "38;5;39"
void page_paint(struct page *p, const char *code);
/* All that follows is bold, or no longer, whatever else is painted. */
void page_bold(struct page *p, bool bold);
/* Writes p->line and a newline: what is wider than the page is wrapped. */
void page_flush(struct page *p);
/* The columns that the page has left after p->line, but `least`; SIZE_MAX: it has any. */
size_t page_room(const struct page *p, size_t least);

/* ---- numbers.c ---- */

struct numbers {
	struct cells c;		/* the line that is being made, or was made last */
	size_t used;		/* how wide they are, with two blanks after each */
};

void numbers_begin(struct numbers *l, size_t ncell);
void numbers_free(struct numbers *l);
void page_set_cell(struct cells *c, const struct buf *b);
/* Adds the mark of a number that is made; it is explained if the next cell is shown. */
void page_add_mark(struct page *p, const struct cells *c, struct buf *b, unsigned mark);
/* Adds the heading of a column. */
void cells_head(struct cells *c, const char *head, enum column_kind kind, size_t event);
/* Makes columns as wide as the cells of l->c, which are no heads. */
void numbers_widen(struct numbers *l);
/* When all is known: columns leave until `least` are left of the width, 0: of any, for what
 * comes after them; headings are cut before that.  Has any left now? */
bool numbers_fit(struct numbers *l, size_t width, size_t least);
/* Begins again with the columns that are left. */
void numbers_clear(struct numbers *l);
/* Is the column of the next cell shown? */
bool cells_show_next(const struct cells *c);
/* To p->line: changes in their colours, and what costs much. */
void numbers_add(struct page *p, struct numbers *l);

/* ---- cells.c ---- */

void page_add_percent(struct buf *b, struct value v, num total);
bool page_is_path(enum group_by key);
/* Is this column a function's own file or object, which only says more of it? */
bool page_accompanies(const struct page *p, enum group_by key);
/* In at most `width` columns; SIZE_MAX: any number.  How many of the names are shown. */
size_t page_names(struct page *p, const struct text *t, const enum group_by *keys,
    size_t n, size_t width);

/* The paths that a table shows: paths_end() is for after paths_sort(). */
struct paths {
	struct text *v;
	size_t n, cap;
};

void paths_add(struct paths *p, struct text path);
void paths_sort(struct paths *p);
struct text paths_end(const struct paths *p, struct text path);
void paths_free(struct paths *p);

/* The lines of a table: cells, each as wide as the widest of its column, and names. */
struct lines {
	struct page *p;
	void (*heads)(struct page *p, struct cells *c);
	void (*fill)(struct page *p, struct cells *c, size_t row);
	enum group_by key[TABLE_KEYS];
	size_t column[TABLE_KEYS], nkey;	/* of those of a key */

	struct numbers numbers;
	size_t left, longest;	/* columns for names; the longest first one */
	size_t nshown;		/* the most names that a row shows */
	struct paths paths;	/* of the rows, where names have to fit */
	uint32_t *row;		/* those of lines_widen() */
	size_t nrow, caprow;
	struct names *names;	/* of each, how its names are shown */
	size_t next;		/* the one that lines_add_row() adds next */
};

/* Makes columns as wide as the heads, which have at most ncell cells; then as wide as
 * each row that is shown. */
void lines_begin(struct lines *l, size_t ncell);
void lines_widen(struct lines *l, size_t row);
/* To p->line; heads first, when all rows are known. */
void lines_add_heads(struct lines *l);
void lines_add_cells(struct lines *l, size_t row);
void lines_add_row(struct lines *l, size_t row);
void lines_free(struct lines *l);

/* ---- heading.c ---- */

/* Adds its lines to p->line; writes them, and an empty one. */
void page_add_heading(struct page *p);
void page_heading(struct page *p);

/* ---- growth.c: columns after the others, for --growth ---- */

#define GROWTH_CELLS 3
void page_growth_heads(struct cells *c);
void page_growth_cells(const struct page *p, struct cells *c, size_t row);
void page_growth_line(struct page *p, size_t limit);
/* For programs, of a struct named_row; the table is the argument. */
void growth_columns(struct data_table *d);

/* ---- values.c ---- */

/* Are there none?  Then the diag is set. */
bool page_no_values(struct page *p);
void page_values(struct page *p);

/* ---- rows.c ---- */

void page_rows(struct page *p);

/* ---- diff.c ---- */

void page_diff(struct page *p);
/* Old, new, change and percent of a metric, and their headings, where `of` is before its
 * name; false, and no cells, if it is not a change. */
#define CHANGE_CELLS 4
bool page_change_cells(struct cells *c, const struct metric *m, const num *sums);
bool page_change_heads(struct cells *c, const struct metric *m, size_t event, const char *of);

/* ---- calls.c ---- */

/* Does no function match (NULL: nothing was asked)?  Then the diag is set. */
bool page_no_match(struct page *p, const struct match *match, const char *option);
enum page_side { PAGE_CALLERS, PAGE_CALLEES };
void page_blocks(struct page *p, const struct match *match, enum page_side side);
/* The same for people of both at once: for each function its callers above it, and its
 * callees below. */
void page_both(struct page *p, const struct match *callers, const struct match *callees);

/* ---- hints.c ---- */

/* Says how to get names where functions that cost something have none. */
void page_hint_names(const struct page *p);

/* ---- samples.c ---- */

/* Where there are few samples: between what a share of them may be by chance. */
void page_samples_line(struct page *p);
/* Of a difference between two runs, of samples: by how much of itself such a share may
 * change by chance. */
void page_samples_change_line(struct page *p);

/* ---- notes.c ---- */

/* What is below the first `limit` rows.  object: the one of all rows, which has no column
 * then; absent: it has one, or none is known. */
void page_notes(struct page *p, size_t limit, struct text object);
/* What p->marks mean: a line for each. */
void page_mark_lines(struct page *p);

/* ---- text.c ---- */

void page_text(struct page *p);

#endif
