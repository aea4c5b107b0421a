/* SPDX-License-Identifier: ISC */
/*
 * Printing a call tree: text, Markdown, TSV, JSON.
 */
#ifndef PROF_VIEW_TREE_H
#define PROF_VIEW_TREE_H

#include "sum/tree.h"
#include "view/view.h"

struct tree_view {
	enum view_form form;
	bool markdown;		/* text as a block for Markdown */
	uint64_t rows;		/* 0: all */
	size_t width;		/* of the table; 0: unbounded */
	bool whole;		/* all functions of a line are named */
	bool scaled;		/* as in struct view */
	bool color;
	bool bare;		/* text without the heading that names the profile */
	bool utf8;		/* text may use characters outside of ASCII */
	uint64_t depth;		/* levels of lines in text; 0: unlimited */
	const bool *folded;	/* by node: nothing below it is shown; NULL: none is */
	struct page_items *items;	/* the first nodes of lines; NULL: not wanted */
};

/* Prints everything; the caller checks the output. */
void tree_print(const struct tree_view *v, const struct tree_request *q,
    const struct call_tree *t, const struct rank_heading *h, struct output *out);

#endif
