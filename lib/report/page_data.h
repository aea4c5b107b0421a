/* SPDX-License-Identifier: ISC */
/*
 * The data of a report: the tables that its sections share, and what each of them has found
 * in these, from which it is printed.
 */
#ifndef PROF_REPORT_PAGE_DATA_H
#define PROF_REPORT_PAGE_DATA_H

#include "report/report.h"
#include "view/rank_page.h"

/* A line that has cost. */
struct hot_line {
	size_t row;		/* of `places` */
	struct buf source;	/* its text, without the blanks around it; empty: not found */
};

/* A function, and those that call it, but for itself. */
#define CALLERS_SHOWN 3
struct function_callers {
	size_t row;		/* of `functions` */
	size_t n;		/* callers that have a cost */
	struct caller {
		size_t row;
		num cost;
	} v[CALLERS_SHOWN];	/* the most expensive ones; unused ones cost 0 */
	num all;		/* the cost of all calls */
};

/* How certain the numbers are. */
struct certainty {
	enum certainty_kind {
		CERTAINTY_NONE,		/* there are no numbers */
		CERTAINTY_ESTIMATED, CERTAINTY_COUNTED, CERTAINTY_SAMPLED,
		/* Of a difference: of several runs a side; of two runs with few samples; of
		 * two others. */
		CERTAINTY_COMPARED, CERTAINTY_BY_CHANCE, CERTAINTY_UNKNOWN
	} kind;
	num samples;			/* of CERTAINTY_SAMPLED */
	struct sampling_changes changes;	/* of CERTAINTY_BY_CHANCE */
	unsigned marks;			/* in the table: table_mark_bit() */
};

/* A command for the same profile. */
#define NEXT_MOST 4
struct next_command {
	const char *shows;
	struct buf command;
};

struct page_data {
	const struct report *r;
	struct text event;
	struct view view;
	struct table functions, places;	/* rows are sorted by self cost */
	size_t *hottest;	/* by function: its row in `places` + 1; 0: it has none */
	size_t caphottest;
	bool lines;		/* some row of `places` has a line */
	struct paths paths;	/* of all files and objects */

	/* Of a difference: the rows of `functions` that have changed, in order, first those
	 * whose self cost has; otherwise NULL. */
	uint32_t *changed;
	size_t nchanged, nself;
	struct changes changes;

	/* What the sections have found. */
	struct hot_line *line;	/* the hottest */
	size_t nline, nlines;	/* those; all lines that have cost */
	struct function_callers *callers;
	size_t ncallers;
	size_t npaths;		/* lines of the call tree */
	struct certainty certainty;
	struct next_command next[NEXT_MOST];
	size_t nnext;
};

/* 0, or -1 with the diag set; page_data_free() must be called even then. */
int page_data_init(struct page_data *d, const struct report *r);
void page_data_free(struct page_data *d);

/* ---- its functions ---- */

/* The names of a function, and its place: the most expensive line, if one is known. */
struct function_names {
	struct text name, path, object;
	uint64_t line;		/* NO_LINE: none is known */
};

/* Returns those of a row of `functions`. */
struct function_names names_of_function(const struct page_data *d, size_t row);

/* Returns the function with the most self cost; NO_ID: there is none. */
uint32_t first_function(const struct page_data *d);

#endif
