/* SPDX-License-Identifier: ISC */
/* The changes: the functions that cost more, and those that cost less. */
#include "report/section.h"

/* Without any change the section reports that. */
static size_t
count_rows(const struct page_data *d)
{
	return !d->changed ? 0 : d->nself ? d->nself : 1;
}

static size_t
count_all(const struct page_data *d)
{
	return d->changed ? d->nchanged : 0;
}

/* The rows whose self cost grew, or that shrank, among the first `rows` changes.  Set *at
 * to 0 first; false after the last one. */
static bool
next_row(const struct page_data *d, size_t rows, bool grew, size_t *at, size_t *row)
{
	const struct table *t = &d->functions;

	while (*at < rows && *at < d->nself) {
		*row = d->changed[(*at)++];
		if ((sums_val(&t->r->rows, *row)[t->metric[0].delta->change] > 0) == grew)
			return true;
	}
	return false;
}

/* ---- Markdown ---- */

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
	markdown_head(m, "new");
	markdown_head(m, "change");
	markdown_head(m, "%");
	if (t->v->significance)
		markdown_head(m, "runs \xc2\xb1%");
	if (t->r->incl_known) {
		markdown_head(m, "inclusive");
		markdown_head(m, "%");
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

static void
add_table(const struct page_data *d, size_t rows, bool grew, struct buf *b)
{
	struct markdown_table m = { .align = align_of(&d->functions) };
	size_t at = 0, row, n;

	add_heads(d, &m);
	for (n = 0; next_row(d, rows, grew, &at, &row); n++)
		add_row(d, &m, row);
	buf_printf(b, "\n## %s\n\n", grew ? "Grew" : "Shrank");
	if (!n)
		buf_puts(b, rows < d->nself ? "None of these changes.\n" : "Nothing.\n");
	markdown_table_end(&m, n ? b : NULL);
}

static void
add_markdown(const struct page_data *d, size_t rows, struct buf *b)
{
	add_table(d, rows, true, b);
	add_table(d, rows, false, b);
	buf_putc(b, '\n');
	if (rows < d->nself)
		buf_printf(b, "The %zu largest changes of %zu functions. ", rows, d->nself);
	if (d->nself < d->nchanged)
		buf_printf(b, "Of %zu function%s only the inclusive cost changed. ",
		    d->nchanged - d->nself, d->nchanged - d->nself == 1 ? "" : "s");
	if (d->changes.noise)
		buf_printf(b, "%zu function%s changed no more than run-to-run noise. ",
		    d->changes.noise, d->changes.noise == 1 ? "" : "s");
	buf_puts(b, "All functions: ");
	add_command_code(d->r, b, section_changes.all);
	buf_puts(b, ".\n");
}

/* ---- JSON ---- */

/* Adds what runs differ by, in percent of the old cost. */
static void
json_noise(const struct page_data *d, struct buf *b, size_t row)
{
	const struct costs costs = costs_of_row(&d->functions, row);
	double percent;

	if (change_noise(&costs, 0, &percent))
		json_rounded_member(b, "runs_percent", percent, 1);
	else
		json_value_member(b, "runs_percent", (struct value){ .kind = ABSENT });
}

static void
json_change(const struct page_data *d, struct buf *b, size_t row)
{
	const struct table *t = &d->functions;
	const struct rank_delta *delta = t->metric[0].delta;
	const num *self = sums_val(&t->r->rows, row);
	const num *incl = t->r->incl_known ? t->r->incl + row * t->r->rows.nval : NULL;
	const bool known = incl && table_incl(t, row, 0).kind == WHOLE;
	const num old = known ? incl[delta->old] : 0, change = known ? incl[delta->change] : 0;

	json_row(b);
	json_names(d, b, row);
	json_num_member(b, "old", self[delta->old]);
	json_num_member(b, "new", self[delta->new]);
	json_num_member(b, "change", self[delta->change]);
	json_change_member(b, "change_percent", self[delta->old], self[delta->change]);
	if (t->v->significance)
		json_noise(d, b, row);
	json_known_member(b, "inclusive_change", known, change);
	json_change_member(b, "inclusive_percent", old, change);
	json_text_member(b, "inclusive_bound", table_bound_name(t, row, 0));
	buf_putc(b, '}');
}

static void
json_table(const struct page_data *d, size_t rows, bool grew, struct buf *b)
{
	size_t at = 0, row;

	json_rows(b, grew ? "grew" : "shrank");
	while (next_row(d, rows, grew, &at, &row))
		json_change(d, b, row);
	buf_putc(b, ']');
}

static void
add_json(const struct page_data *d, size_t rows, struct buf *b)
{
	if (!d->changed)
		return;
	json_table(d, rows, true, b);
	json_table(d, rows, false, b);
	buf_puts(b, ",\n\"within_noise\": ");
	num_add_whole(b, (num)d->changes.noise);
}

const struct section section_changes = {
	.name = "changes", .key = "changes", .least = 3, .good = 12,
	.all = { .tool = "prof-top", .arguments = "-n 0" }, .rows = count_rows,
	.of = count_all, .markdown = add_markdown, .json = add_json,
};
