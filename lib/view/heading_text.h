/* SPDX-License-Identifier: ISC */
/*
 * The lines above a text table: which profile it shows.
 */
#ifndef PROF_VIEW_HEADING_TEXT_H
#define PROF_VIEW_HEADING_TEXT_H

#include "view/page.h"
#include "view/rank_table.h"

struct heading {
	const struct rank_heading *of;
	const struct metric *metric;	/* the n metrics that are shown */
	size_t n;
	bool difference;
	const struct significance *significance;	/* between several runs; NULL: there
							 * is one run */
};

/* Adds the heading's lines to p->line. */
void heading_add(struct page *p, const struct heading *h);

/* Adds how many profiles there are: " between two profiles"; behind some text, if `some`. */
void heading_add_number(struct buf *b, const struct heading *h, bool some);

/* Add the heading of a table; the second one prints it, with an empty line after it. */
void page_add_heading(struct page *p, const struct table *t);
void page_heading(struct page *p, const struct table *t);

#endif
