/* SPDX-License-Identifier: ISC */
/* The functions that cost most. */
#include "report/section.h"

/* Functions without self cost are in the paths. */
static size_t
count_rows(const struct page_data *d)
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

static size_t
count_all(const struct page_data *d)
{
	return d->functions.nmetric && !d->changed ? d->functions.r->rows.n : 0;
}

static bool
has_inclusive(const struct page_data *d)
{
	return d->functions.r->incl_known;
}

/* ---- Markdown ---- */

static void
add_heads(const struct page_data *d, struct markdown_table *m)
{
	buf_puts(markdown_cell(m), "self ");
	metric_add_name(markdown_cell(m), &d->functions.metric[0]);
	markdown_cell_end(m);
	markdown_head(m, "%");
	if (has_inclusive(d)) {
		markdown_head(m, "inclusive");
		markdown_head(m, "%");
	}
	add_name_heads(d, m);
}

static void
add_cost(const struct page_data *d, struct markdown_table *m, struct value v, unsigned mark)
{
	const struct metric *metric = &d->functions.metric[0];

	if (mark)
		buf_puts(markdown_cell(m), table_mark_text(mark));
	metric_add_value(markdown_cell(m), metric, v);
	markdown_cell_end(m);
	value_add_share(markdown_cell(m), v, metric->total);
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
		value_add_share(b, sum, t->metric[0].total);
		buf_puts(b, " % of the total");
	} else {
		buf_puts(b, "These are the first rows");
	}
	if (rows < t->r->rows.n) {
		buf_puts(b, "; ");
		num_add_grouped(b, (num)(t->r->rows.n - rows));
		buf_puts(b, " more functions: ");
		add_command_code(d->r, b, section_functions.all);
	}
	buf_puts(b, ".\n");
}

static void
add_markdown(const struct page_data *d, size_t rows, struct buf *b)
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

/* ---- JSON ---- */

static void
add_json(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct table *t = &d->functions;
	size_t i;

	if (d->changed)
		return;
	json_rows(b, section_functions.key);
	for (i = 0; i < rows; i++) {
		const size_t row = t->order[i].of;
		const struct value self = table_self(t, row, 0), incl = table_incl(t, row, 0);

		json_row(b);
		json_names(d, b, row);
		json_value_member(b, "self", self);
		json_share_member(b, "self_percent", self, t->metric[0].total);
		json_value_member(b, "inclusive", incl);
		json_share_member(b, "inclusive_percent", incl, t->metric[0].total);
		json_text_member(b, "inclusive_bound", table_bound_name(t, row, 0));
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

const struct section section_functions = {
	.name = "functions", .key = "functions", .least = 3, .good = 10,
	.all = { .tool = "prof-top", .arguments = "-n 0" }, .rows = count_rows,
	.of = count_all, .markdown = add_markdown, .json = add_json,
};
