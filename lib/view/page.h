/* SPDX-License-Identifier: ISC */
/*
 * Lines of text in the width and the colours of a page.
 */
#ifndef PROF_VIEW_PAGE_H
#define PROF_VIEW_PAGE_H

#include "io/output.h"

struct page {
	struct output *out;
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

/* Writes p->line and a newline; a line wider than the page is wrapped. */
void page_flush(struct page *p);
/* The same without the blanks at its end; the same with this text. */
void page_flush_trimmed(struct page *p);
void page_put_line(struct page *p, const char *text);

/* Returns the columns that p->line leaves of the page, at least `least`; SIZE_MAX:
 * unlimited. */
size_t page_room(const struct page *p, size_t least);

#endif
