/* SPDX-License-Identifier: ISC */
/*
 * The names of a row, in the width of a page.
 */
#ifndef PROF_VIEW_ROW_NAMES_H
#define PROF_VIEW_ROW_NAMES_H

#include "view/page.h"
#include "view/rank_table.h"

/* How names of functions are made to fit: abbreviated; if two rows then look alike, with
 * their middles left out; if they still do, with the part in which they differ. */
struct names {
	enum { NAMES_ABBREVIATED, NAMES_BOTH_ENDS, NAMES_APART } how;
	size_t from;		/* for NAMES_APART: the byte from which on they differ */
};

bool names_is_path(enum group_by key);
/* Is this column a function's own file or object, which only describes it? */
bool names_accompanies(const struct rank_request *q, enum group_by key);
/* Adds the names in at most `width` columns (SIZE_MAX: unlimited), and returns how many are
 * shown. */
size_t names_put(struct page *p, const struct rank_request *q, struct names as,
    const struct text *t, const enum group_by *keys, size_t n, size_t width);

/* ---- paths.c ---- */

/* The paths that a table shows; call paths_sort() before paths_end(). */
struct paths {
	struct text *v;
	size_t n, cap;
};

void paths_add(struct paths *p, struct text path);
void paths_sort(struct paths *p);
struct text paths_end(const struct paths *p, struct text path);
void paths_free(struct paths *p);

#endif
