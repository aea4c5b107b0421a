/* SPDX-License-Identifier: ISC */
/*
 * A call tree as people and programs read it: text, Markdown, TSV, JSON.
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
	bool whole;		/* all functions of a line */
	bool scaled;		/* as of struct view */
	bool color;
	bool utf8;		/* text may be drawn with other characters than ASCII's */
	uint64_t depth;		/* lines below each other, of text; 0: any */
};

/* Writes the whole; the caller checks the output. */
void tree_print(const struct tree_view *v, const struct tree_request *q,
    const struct call_tree *t, const struct rank_heading *h, struct output *out);

#endif
