/* SPDX-License-Identifier: ISC */
/*
 * The names of a tree's lines.  A line has several functions where nearly all of the cost
 * of each is that of the next: "main; run; work".
 */
#ifndef PROF_VIEW_TREE_NAMES_H
#define PROF_VIEW_TREE_NAMES_H

#include "view/tree_page.h"

struct tree_names {
	const struct tree_page *tp;
	/* By the number of a name: a function of it, and in what others of it differ. */
	struct tree_name { uint32_t func1; bool objects, files; } *name;
	size_t cap;
};

/* Of all functions that the page shows.  The page must outlive it. */
void tree_names_init(struct tree_names *x, const struct tree_page *tp);
void tree_names_free(struct tree_names *x);

/* Adds the names of the line that begins with `node`, in at most `room` columns;
 * SIZE_MAX: any.  What is repeated is counted, "f ×5", and so are functions for which
 * there is no room, "a; … 3 …; e". */
void tree_names_add(const struct tree_names *x, struct buf *b, size_t node, size_t room);

#endif
