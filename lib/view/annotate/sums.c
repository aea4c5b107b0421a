/* SPDX-License-Identifier: ISC */
/* The account of all costs, and the meanings of marks. */
#include "text.h"

static void
put_legend(struct annotate_text *b)
{
	page_mark_lines(b->p, b->l->t, b->numbers.marks);
	if (b->some_inlined)
		page_put_line(b->p, INLINED_MARK " some of this is in functions that the line was "
		    "inlined into");
}

static struct costs
sum_of(const struct listing *l, int kind)
{
	return (struct costs){ l->t, NO_ROW, kind < LISTED_KINDS ? l->sum[kind] :
	    l->t->r->total };
}

#define WHERE 20		/* columns for the name of a sum */

/* Prints the sums that are not 0, and the total. */
void
annotate_text_sums(struct annotate_text *b)
{
	const struct listing *l = b->l;
	struct text_table tt = { 0 };
	struct costs of;
	int kind;

	annotate_sum_columns(&tt, l->t);
	for (kind = 0; kind <= LISTED_KINDS; kind++) {
		of = sum_of(l, kind);
		text_table_measure(&tt, &of);
	}
	text_table_fit(&tt, b->p->width, WHERE);
	page_bold(b->p, true);
	text_table_heads(&tt, b->p);
	buf_puts(&b->p->line, "where");
	page_bold(b->p, false);
	page_flush(b->p);
	for (kind = 0; kind <= LISTED_KINDS; kind++) {
		of = sum_of(l, kind);
		if (kind < LISTED_KINDS && annotate_costs_nothing(l->t, of.sums))
			continue;
		text_table_row(&tt, b->p, &of);
		page_put_line(b->p, l->code ? listed_name[kind].insns : listed_name[kind].text);
	}
	text_table_free(&tt);
	put_legend(b);
}
