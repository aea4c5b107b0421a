/* SPDX-License-Identifier: ISC */
/*
 * Printing a call tree.  Each of these calls only those after it:
 *
 *	tree_print.c	the choice of a page
 *	tree_text.[ch]	lines of text
 *	tree_rest.c	marks and omissions after their names
 *	tree_columns.c	their numbers
 *	tree_names.[ch]	their functions
 *	tree_data.c	TSV, JSON
 *	tree_page.c	the nodes that are shown, and those left out
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
	uint32_t *heavy;	/* nodes with enough cost: callers come before callees */
	size_t nheavy;
	bool *shown;		/* by node: only of these */
	size_t nshown;
	uint32_t *next;		/* by node: its child in the same line; 0: none */

	struct page p;
	struct metric metric;	/* the event */
};

void tree_page_init(struct tree_page *tp);
void tree_page_free(struct tree_page *tp);

/* Returns the node after this one among those that are shown, callers before the nodes
 * below them; 0 comes before the first, and after the last. */
size_t tree_next(const struct tree_page *tp, size_t node);

/* Returns the next child of the same parent that is shown; 0: none. */
size_t tree_sibling(const struct tree_page *tp, size_t node);

/* Is this the first node of its line? */
bool tree_begins_line(const struct tree_page *tp, size_t node);

/* Returns the last node of the line that begins with this one. */
size_t tree_line_last(const struct tree_page *tp, size_t node);

/* The nodes below a node that are not shown. */
struct tree_rest {
	size_t n;		/* number of functions */
	num cost[SIDES];	/* and their cost; */
	num lost[SIDES];	/* the cost that no function below it accounts for; */
	num above[SIDES];	/* in a cycle: the part of that in functions above */
	bool estimated;
};

struct tree_rest tree_rest_of(const struct tree_page *tp, size_t node);
/* The same below the line that begins with this node, including the self costs of functions
 * before its last one. */
struct tree_rest tree_rest_of_line(const struct tree_page *tp, size_t node);

/* Is a number an estimate, on one side or, in a difference, on either? */
bool tree_guesses(const struct call_tree *t, size_t node, unsigned flag);

void tree_text(struct tree_page *tp, const struct rank_heading *h);
void tree_data(struct tree_page *tp);

#endif
