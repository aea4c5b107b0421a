/* SPDX-License-Identifier: ISC */
/*
 * Lines of text in the width and the colours of a page.
 */
#ifndef PROF_VIEW_PAGE_H
#define PROF_VIEW_PAGE_H

#include "io/output.h"

/*
 * The lines of a page that stand for something, such as a row of a ranking: where each
 * begins in an out_memory(), and the number of its item.  All zeros: none yet.
 */
struct page_items {
	struct page_item {
		size_t at;
		uint32_t of;
	} *v;
	size_t n, cap;
	size_t all;		/* items that the table has, shown or not */
	size_t body;		/* where the lines below the headings of columns begin; 0:
				 * with the first item */
};

struct page {
	struct output *out;
	struct page_items *items;	/* NULL: not wanted */
	size_t width;		/* 0: unbounded */
	bool color;
	struct buf line;	/* the current line */
	bool bold;		/* text that follows is bold */
};

/* Changes the looks of the text that follows, if the page has colours. */
#define PAINT_PLAIN "0"		/* bold, after page_bold() */
#define PAINT_DIM "2"
/* Orange and blue, which colour-blind people can distinguish. */
#define PAINT_MORE "38;5;208"
#define PAINT_LESS "38;5;39"
void page_paint(struct page *p, const char *code);
/* Makes all following text bold, or no longer, whatever else is painted. */
void page_bold(struct page *p, bool bold);

/* Notes that the current line is of an item; that the body of the page begins with it. */
void page_item(struct page *p, size_t of);
void page_body(struct page *p);

/* Writes p->line and a newline; a line wider than the page is wrapped. */
void page_flush(struct page *p);
/* The same without the blanks at its end; the same with this text. */
void page_flush_trimmed(struct page *p);
void page_put_line(struct page *p, const char *text);

/* Returns the columns that p->line leaves of the page, at least `least`; SIZE_MAX:
 * unlimited. */
size_t page_room(const struct page *p, size_t least);

#endif
