/* SPDX-License-Identifier: ISC */
/* What annotated source adds up to, and what its marks mean. */
#include "text.h"

static bool
is_zero(const struct table *t, const num *sums)
{
	size_t k;

	for (k = 0; k < t->r->rows.nval && sums[k] == 0; k++)
		;
	return k == t->r->rows.nval;
}

static void
put_legend(struct annotate_text *b)
{
	page_mark_lines(b->p);
	if (b->some_inlined) {
		buf_puts(&b->p->line, INLINED_MARK " some of this is in functions that the "
		    "line was inlined into");
		page_flush(b->p);
	}
}

static const num *
sums_of(const struct annotate_text *b, int kind)
{
	return kind < LISTED_KINDS ? b->l->sum[kind] : b->p->t->r->total;
}

#define WHERE 20		/* columns for where a sum is */

/* Those that are not empty; and the total. */
void
annotate_text_sums(struct annotate_text *b)
{
	int kind;

	annotate_begin_columns(b, false);
	for (kind = 0; kind <= LISTED_KINDS; kind++) {
		annotate_sum_cells(b, sums_of(b, kind));
		numbers_widen(&b->numbers);
	}
	numbers_fit(&b->numbers, b->p->t->v->width, WHERE);
	annotate_head_cells(b, false);
	page_bold(b->p, true);
	numbers_add(b->p, &b->numbers);
	buf_puts(&b->p->line, "where");
	page_bold(b->p, false);
	page_flush(b->p);
	for (kind = 0; kind <= LISTED_KINDS; kind++) {
		if (kind < LISTED_KINDS && is_zero(b->p->t, sums_of(b, kind)))
			continue;
		annotate_sum_cells(b, sums_of(b, kind));
		numbers_add(b->p, &b->numbers);
		buf_puts(&b->p->line, b->l->code ? listed_name[kind].insns :
		    listed_name[kind].says);
		page_flush(b->p);
	}
	put_legend(b);
}
