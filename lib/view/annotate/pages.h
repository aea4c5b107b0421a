/* SPDX-License-Identifier: ISC */
/*
 * The pages of annotated source.  Each of these calls only those after it:
 *
 *	annotate.c	file by file, then the sums
 *	text.[ch]	text
 *	title.c		the heading of a file
 *	sums.c		the account of all costs
 *	columns.c	the numbers of lines, calls and sums
 *	data.c		TSV, JSON
 *	listing.c	the lines that are shown
 *	calls.c		the calls of lines
 *	walk.c		the lines of a file that are shown
 *	code.c		functions as files of instructions
 *	source.c	the text of a file
 */
#ifndef PROF_VIEW_ANNOTATE_PAGES_H
#define PROF_VIEW_ANNOTATE_PAGES_H

#include "listing.h"
#include "view/rank_page.h"

/* ---- text.c ---- */

struct annotate_text;

/* Prints the heading.  The listing is complete except for its sums. */
struct annotate_text *annotate_text_begin(struct page *p, const struct listing *l);
void annotate_text_file(struct annotate_text *b, const struct listed_file *f,
    const struct source *s);
void annotate_text_free(struct annotate_text *b);	/* takes NULL */

/* ---- sums.c ---- */

/* Prints the account of all costs, once the listing has all its sums, and the legend. */
void annotate_text_sums(struct annotate_text *b);

/* ---- title.c ---- */

/* Prints the heading of a file: its path or name, its cost, where it was found, and
 * problems with that.  Paths are shortened to the width of the page. */
void annotate_title(struct page *p, const struct listing *l, const struct listed_file *f,
    const struct source *s);

/* ---- data.c ---- */

/* Begins the table with its header. */
void annotate_rows_begin(struct data_table *d, struct output *out, const struct listing *l);
void annotate_rows_file(struct data_table *d, const struct listing *l,
    const struct listed_file *f, const struct source *s);
void annotate_rows_sums(struct data_table *d, const struct listing *l);

#endif
