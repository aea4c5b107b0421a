/* SPDX-License-Identifier: ISC */
/*
 * The lines above a table for people: what profile it is of.
 */
#ifndef PROF_VIEW_HEADING_TEXT_H
#define PROF_VIEW_HEADING_TEXT_H

#include "view/page.h"
#include "view/rank_table.h"

struct heading {
	const struct rank_heading *of;
	const struct metric *metric;	/* n of them, those that are shown */
	size_t n;
	bool difference;
	const struct significance *significance;	/* between several runs; NULL: of one */
};

/* Adds its lines to p->line. */
void heading_add(struct page *p, const struct heading *h);

/* That of a table; with an empty line after it. */
void page_add_heading(struct page *p, const struct table *t);
void page_heading(struct page *p, const struct table *t);

#endif
