/* SPDX-License-Identifier: ISC */
/*
 * A printed page: its lines, and the item of each.  So a screen shows the same text as the
 * tool that prints the page.
 */
#ifndef PROF_BROWSE_PRINTED_H
#define PROF_BROWSE_PRINTED_H

#include <stdint.h>

#include "view/page.h"

#define NO_ITEM UINT32_MAX

struct printed {
	struct output *out;	/* the page is printed here, between begin and end */
	struct page_items items;
	struct printed_line {
		struct text text;	/* visible, with changes of colour */
		uint32_t item;	/* NO_ITEM: none */
	} *line;
	size_t n, cap;
	size_t heads;		/* the lines before the body */
};

/* All zeros: nothing was printed.  Begin forgets what was printed before. */
void printed_begin(struct printed *p);
void printed_end(struct printed *p);
void printed_free(struct printed *p);

/* Returns the next line with an item from `line` on, itself included; backwards with
 * step -1.  p->n: there is none. */
size_t printed_find(const struct printed *p, size_t line, int step);

#endif
