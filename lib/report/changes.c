/* SPDX-License-Identifier: ISC */
/* The changes: the functions that cost more, and those that cost less. */
#include "report/section.h"

size_t
rows_of_changes(const struct page_data *d)
{
	return d->changed ? d->nchanged : 0;
}

static void
add_cell(const struct page_data *d, struct markdown_table *m, size_t row, text_cell *cell)
{
	const struct costs costs = costs_of_row(&d->functions, row);
	struct cell c = { 0 };

	cell(&c, &costs, 0);
	buf_text(markdown_cell(m), buf_as_text(&c.b));
	buf_free(&c.b);
	markdown_cell_end(m);
}

static void
add_heads(const struct page_data *d, struct markdown_table *m)
{
	const struct table *t = &d->functions;

	buf_puts(markdown_cell(m), "old self ");
	metric_add_name(markdown_cell(m), &t->metric[0]);
	markdown_cell_end(m);
	add_head(m, "new");
	add_head(m, "change");
	add_head(m, "%");
	if (t->v->significance)
		add_head(m, "runs \xc2\xb1%");
	if (t->r->incl_known) {
		add_head(m, "inclusive");
		add_head(m, "%");
	}
	add_name_heads(d, m);
}

static const char *
align_of(const struct table *t)
{
	static const char *const align[2][2] = { { "rrrrlll", "rrrrrlll" },
	    { "rrrrrrlll", "rrrrrrrlll" } };

	return align[t->r->incl_known][t->v->significance != NULL];
}

static void
add_row(const struct page_data *d, struct markdown_table *m, size_t row)
{
	const struct table *t = &d->functions;
	const struct metric *metric = &t->metric[0];
	const num *self = sums_val(&t->r->rows, row);

	metric_add_whole(markdown_cell(m), metric, self[metric->delta->old]);
	markdown_cell_end(m);
	metric_add_whole(markdown_cell(m), metric, self[metric->delta->new]);
	markdown_cell_end(m);
	metric_add_change(markdown_cell(m), metric, self[metric->delta->change]);
	markdown_cell_end(m);
	add_cell(d, m, row, change_self_share_cell);
	if (t->v->significance)
		add_cell(d, m, row, change_noise_cell);
	if (t->r->incl_known) {
		add_cell(d, m, row, change_incl_cell);
		add_cell(d, m, row, change_incl_share_cell);
	}
	add_names(d, m, row);
}

/* Adds the rows whose self cost grew, or that shrank; those of equal self cost, whose
 * inclusive cost has changed, are in neither. */
static void
add_table(const struct page_data *d, size_t rows, bool grew, struct buf *b)
{
	const struct table *t = &d->functions;
	const size_t change = t->metric[0].delta->change;
	struct markdown_table m = { .align = align_of(t) };
	size_t i, n = 0;

	add_heads(d, &m);
	for (i = 0; i < rows; i++) {
		const num v = sums_val(&t->r->rows, d->changed[i])[change];

		if (!v || (v > 0) != grew)
			continue;
		add_row(d, &m, d->changed[i]);
		n++;
	}
	buf_printf(b, "\n## %s\n\n", grew ? "Grew" : "Shrank");
	if (!n)
		buf_puts(b, rows < d->nchanged ? "None of these changes.\n" : "Nothing.\n");
	markdown_table_end(&m, n ? b : NULL);
}

void
section_changes(const struct page_data *d, size_t rows, struct buf *b)
{
	add_table(d, rows, true, b);
	add_table(d, rows, false, b);
	buf_putc(b, '\n');
	if (rows < d->nchanged)
		buf_printf(b, "The %zu largest changes of %zu functions. ", rows, d->nchanged);
	if (d->changes.noise)
		buf_printf(b, "%zu functions changed no more than run-to-run noise. ",
		    d->changes.noise);
	buf_puts(b, "All functions: ");
	add_command(d, b, "prof-top", "-n 0");
	buf_puts(b, ".\n");
}
