/* SPDX-License-Identifier: ISC */
/*
 * The names in a tree's lines.  A line has several functions if each has nearly all of the
 * cost of the one before: "main; run; work".
 */
#ifndef PROF_VIEW_TREE_NAMES_H
#define PROF_VIEW_TREE_NAMES_H

#include "view/tree_page.h"

struct tree_names {
	const struct tree_page *tp;
	/* By the number of a name: a function with it, and whether others with it differ in
	 * object or file. */
	struct tree_name { uint32_t func1; bool objects, files; } *name;
	size_t cap;
};

/* Takes the names of all functions that the page shows.  The page must outlive it. */
void tree_names_init(struct tree_names *x, const struct tree_page *tp);
void tree_names_free(struct tree_names *x);

/* Adds the names of the line that begins with `node`, in at most `room` columns (SIZE_MAX:
 * unlimited).  Repetitions are counted, "f ×5", and so are functions that do not fit, "a; …
 * 3 …; e". */
void tree_names_add(const struct tree_names *x, struct buf *b, size_t node, size_t room);

#endif
