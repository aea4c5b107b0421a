/* SPDX-License-Identifier: ISC */
/*
 * The options of all tools that print a table: its form, number of rows, width.
 */
#ifndef PROF_TABLE_H
#define PROF_TABLE_H

#include "tool.h"

#include "io/term.h"
#include "view/view.h"

#define TABLE_OWN_ROWS UINT64_MAX	/* --rows was not given */

extern struct table_opts {
	bool tsv, json, whole, exact;
	uint64_t rows;
	uint64_t width;		/* TERM_OWN_WIDTH: not given */
	enum term_when color;
} table_opts;

/* Rows of a tool's table of options. */
#define TABLE_ROWS { "rows", 'n', OPT_COUNT, "N", &table_opts.rows, \
	"print at most N rows, 0 for all", NULL }
#define TABLE_FORMS \
	{ "tsv", 0, OPT_FLAG, NULL, &table_opts.tsv, \
	    "print exact, TAB-separated values with a header", NULL }, \
	{ "json", 0, OPT_FLAG, NULL, &table_opts.json, \
	    "print one JSON object per row", NULL }
#define TABLE_WIDTH(help) { "width", 0, OPT_COUNT, "N", &table_opts.width, help, NULL }
#define TABLE_LONG(help) { "long", 0, OPT_FLAG, NULL, &table_opts.whole, help, NULL }
#define TABLE_EXACT { "exact", 0, OPT_FLAG, NULL, &table_opts.exact, \
	"print costs in the profile's units, with all digits", NULL }
#define TABLE_COLOR { "color", 0, OPT_WHEN, "WHEN", &table_opts.color, \
	"color the output: always, never, auto", TERM_CHOICES }

/* Returns the form that --tsv and --json choose; both together are misuse. */
enum view_form table_form(struct tool *t);

/* Was an option given that only tables have? */
bool table_asked(void);

/* Returns the value of --rows, 0 for all.  Without it, on a terminal, returns the lines
 * that fit besides `around` others, but at least one; elsewhere `otherwise`. */
uint64_t table_rows(size_t around, uint64_t otherwise);

/* For text: the width to fit, 0 for any; whether to use colour. */
size_t table_width(void);
bool table_color(void);

#endif
