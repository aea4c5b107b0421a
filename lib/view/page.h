/* SPDX-License-Identifier: ISC */
/*
 * Lines of text for people, in the width and the colours of a page.
 */
#ifndef PROF_VIEW_PAGE_H
#define PROF_VIEW_PAGE_H

#include "io/output.h"

struct page {
	struct output *out;
	size_t width;		/* 0: unbounded */
	bool color;
	struct buf line;	/* the one that is being made */
	bool bold;		/* is what follows? */
};

/* Changes the looks of what follows, if the page has colors. */
#define PAINT_PLAIN "0"		/* bold, where page_bold() says so */
#define PAINT_DIM "2"
/* Orange and blue, which all can tell apart. */
#define PAINT_MORE "38;5;208"
#define PAINT_LESS "38;5;39"
void page_paint(struct page *p, const char *code);
/* All that follows is bold, or no longer, whatever else is painted. */
void page_bold(struct page *p, bool bold);

/* Writes p->line and a newline: what is wider than the page is wrapped. */
void page_flush(struct page *p);
/* Does so without the blanks at its end; with this text. */
void page_flush_trimmed(struct page *p);
void page_put_line(struct page *p, const char *text);

/* The columns that the page has left after p->line, but `least`; SIZE_MAX: it has any. */
size_t page_room(const struct page *p, size_t least);

#endif
