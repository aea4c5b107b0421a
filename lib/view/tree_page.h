/* SPDX-License-Identifier: ISC */
/*
 * A call tree being printed.  Each of these calls only those after it:
 *
 *	tree_print.c	which page it is
 *	tree_text.[ch]	lines for people
 *	tree_rest.c	what is said after their names
 *	tree_columns.c	their numbers
 *	tree_names.[ch]	their functions
 *	tree_data.c	rows for programs
 *	tree_page.c	which nodes are shown, and what is left out
 */
#ifndef PROF_VIEW_TREE_PAGE_H
#define PROF_VIEW_TREE_PAGE_H

#include "view/metric.h"
#include "view/page.h"
#include "view/tree.h"

struct tree_page {
	const struct tree_view *v;
	const struct tree_request *q;
	const struct call_tree *t;
	bool *shown;		/* by node */
	size_t nshown;
	uint32_t *next;		/* by node: the child that is in its line; 0: none */

	struct page p;
	struct metric metric;	/* the event */
};

void tree_page_init(struct tree_page *tp);
void tree_page_free(struct tree_page *tp);

/* The node after this one among those that are shown, callers before what is below them;
 * 0 is before the first, and after the last. */
size_t tree_next(const struct tree_page *tp, size_t node);

/* The next child of the same parent that is shown; 0: none. */
size_t tree_sibling(const struct tree_page *tp, size_t node);

/* Is this the first node of its line? */
bool tree_begins_line(const struct tree_page *tp, size_t node);

/* The last node of the line that begins with this one. */
size_t tree_line_last(const struct tree_page *tp, size_t node);

/* What is not shown of what is below a node. */
struct tree_rest {
	size_t n;		/* functions */
	num cost[SIDES];	/* and their cost; */
	num lost[SIDES];	/* what no function below it has, */
	num above[SIDES];	/* of that in a cycle: it is in functions above */
	bool estimated;
};

struct tree_rest tree_rest_of(const struct tree_page *tp, size_t node);
/* The same of what is below the line that begins with this node, with what functions
 * before the last cost themselves. */
struct tree_rest tree_rest_of_line(const struct tree_page *tp, size_t node);

/* Is a number of one side or, of a difference, any of both an estimate? */
bool tree_guesses(const struct call_tree *t, size_t node, unsigned flag);

void tree_text(struct tree_page *tp, const struct rank_heading *h);
void tree_data(struct tree_page *tp);

#endif
