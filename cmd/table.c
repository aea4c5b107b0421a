/* SPDX-License-Identifier: ISC */
#include "table.h"

struct table_opts table_opts = { .rows = TABLE_OWN_ROWS, .width = TERM_OWN_WIDTH,
    .color = TERM_AUTO };

enum view_form
table_form(struct tool *t)
{
	if (table_opts.tsv && table_opts.json)
		tool_misuse(t, "--tsv and --json cannot be combined");
	return table_opts.tsv ? VIEW_TSV : table_opts.json ? VIEW_JSON : VIEW_TEXT;
}

bool
table_asked(void)
{
	return table_opts.tsv || table_opts.json || table_opts.whole ||
	    table_opts.exact ||
	    table_opts.rows != TABLE_OWN_ROWS || table_opts.width != TERM_OWN_WIDTH;
}

uint64_t
table_rows(size_t around, uint64_t otherwise)
{
	if (table_opts.rows != TABLE_OWN_ROWS)
		return table_opts.rows;
	if (!term_is())
		return otherwise;
	return term_lines() > around + 1 ? term_lines() - around : 1;
}

size_t
table_width(void)
{
	return term_table_width(table_opts.width, table_opts.whole);
}

bool
table_color(void)
{
	return term_wants_color(table_opts.color);
}
