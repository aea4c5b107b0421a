/* SPDX-License-Identifier: ISC */
/* The functions that cost most. */
#include "report/section.h"

/* Functions without self cost are in the paths. */
size_t
rows_of_functions(const struct page_data *d)
{
	const struct table *t = &d->functions;
	size_t i;

	for (i = 0; t->nmetric && !d->changed && i < t->kept; i++) {
		const struct value v = table_self(t, t->order[i].of, 0);

		if (i && (v.kind == ABSENT || (v.kind == WHOLE && !v.n)))
			break;
	}
	return i;
}

static bool
has_inclusive(const struct page_data *d)
{
	return d->functions.r->incl_known;
}

static void
add_heads(const struct page_data *d, struct markdown_table *m)
{
	buf_puts(markdown_cell(m), "self ");
	metric_add_name(markdown_cell(m), &d->functions.metric[0]);
	markdown_cell_end(m);
	add_head(m, "%");
	if (has_inclusive(d)) {
		add_head(m, "inclusive");
		add_head(m, "%");
	}
	add_name_heads(d, m);
}

static void
add_cost(const struct page_data *d, struct markdown_table *m, struct value v, unsigned mark)
{
	const struct table *t = &d->functions;

	if (mark)
		buf_puts(markdown_cell(m), table_mark_text(mark));
	metric_add_value(markdown_cell(m), &t->metric[0], v);
	markdown_cell_end(m);
	add_share(t, markdown_cell(m), v);
	markdown_cell_end(m);
}

/* Reports the share of the rows that are shown, and how to see the others. */
static void
add_coverage(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct table *t = &d->functions;
	struct value sum = { .kind = WHOLE };
	size_t i;

	for (i = 0; i < rows; i++) {
		const struct value v = table_self(t, t->order[i].of, 0);

		if (v.kind != WHOLE || num_add(&sum.n, v.n) < 0)
			sum.kind = ABSENT;
	}
	if (sum.kind == WHOLE && t->metric[0].total > 0 && !t->metric[0].cumulative) {
		buf_puts(b, "These rows are ");
		add_share(t, b, sum);
		buf_puts(b, " % of the total");
	} else {
		buf_puts(b, "These are the first rows");
	}
	if (rows < t->r->rows.n) {
		buf_puts(b, "; ");
		num_add_grouped(b, (num)(t->r->rows.n - rows));
		buf_puts(b, " more functions: ");
		add_command(d, b, "prof-top", "-n 0");
	}
	buf_puts(b, ".\n");
}

void
section_functions(const struct page_data *d, size_t rows, struct buf *b)
{
	struct markdown_table m = { .align = has_inclusive(d) ? "rrrrlll" : "rrlll" };
	const struct table *t = &d->functions;
	size_t i;

	buf_puts(b, "\n## Functions\n\n");
	add_heads(d, &m);
	for (i = 0; i < rows; i++) {
		const size_t row = t->order[i].of;

		add_cost(d, &m, table_self(t, row, 0), 0);
		if (has_inclusive(d))
			add_cost(d, &m, table_incl(t, row, 0), table_mark(t, row, 0));
		add_names(d, &m, row);
	}
	markdown_table_end(&m, b);
	buf_putc(b, '\n');
	add_coverage(d, rows, b);
}
