/* SPDX-License-Identifier: ISC */
/* The lines that cost most, with their source. */
#include "report/section.h"

#include <stdlib.h>

#define MOST_LINES 20

static bool
is_line(const struct page_data *d, size_t i)
{
	const struct table *t = &d->places;
	const struct value v = table_self(t, t->order[i].of, 0);

	return sums_key(&t->r->rows, t->order[i].of)[2] != NO_LINE && v.kind == WHOLE && v.n;
}

size_t
rows_of_lines(const struct page_data *d)
{
	size_t i, n = 0;

	if (!d->places.nmetric || !d->lines)
		return 0;
	for (i = 0; i < d->places.kept && n < MOST_LINES; i++)
		n += is_line(d, i);
	return n;
}

/* Adds the text of a line without the blanks around it; nothing if there is no source. */
static void
add_source(const struct page_data *d, struct buf *b, struct text path, uint64_t line)
{
	struct source s = { 0 };
	struct text t = { 0 };

	if (source_find(&s, path, &d->r->search))
		t = source_line(&s, line);
	while (t.n && (*t.s == ' ' || *t.s == '\t'))
		t.s++, t.n--;
	while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t' || t.s[t.n - 1] == '\r'))
		t.n--;
	if (t.n)
		markdown_cell_code(b, t);
	source_free(&s);
}

static void
add_row(const struct page_data *d, struct markdown_table *m, size_t row)
{
	const struct table *t = &d->places;
	const uint64_t *key = sums_key(&t->r->rows, row);
	const struct text path = dict_path(d->r->dict, (uint32_t)key[1]);
	const struct value v = table_self(t, row, 0);

	metric_add_value(markdown_cell(m), &t->metric[0], v);
	markdown_cell_end(m);
	if (d->changed)
		num_add_change(markdown_cell(m), sums_val(&t->r->rows,
		    row)[t->metric[0].delta->old], v.n);
	else
		add_share(t, markdown_cell(m), v);
	markdown_cell_end(m);
	add_whole_place(markdown_cell(m), path, key[2]);
	markdown_cell_end(m);
	add_function(markdown_cell(m), dict_func_name(d->r->dict, (uint32_t)key[0]));
	markdown_cell_end(m);
	add_source(d, markdown_cell(m), path, key[2]);
	markdown_cell_end(m);
}

void
section_lines(const struct page_data *d, size_t rows, struct buf *b)
{
	struct markdown_table m = { .align = "rrlll" };
	static const char *const head[] = { "%", "line", "function", "source" };
	size_t i, n;

	buf_printf(b, "\n## %s lines\n\n", d->changed ? "Changed" : "Hottest");
	buf_puts(markdown_cell(&m), d->changed ? "change of self " : "self ");
	metric_add_name(markdown_cell(&m), &d->places.metric[0]);
	markdown_cell_end(&m);
	for (i = 0; i < sizeof head / sizeof *head; i++) {
		buf_puts(markdown_cell(&m), head[i]);
		markdown_cell_end(&m);
	}
	for (i = n = 0; n < rows; i++)
		if (is_line(d, i)) {
			add_row(d, &m, d->places.order[i].of);
			n++;
		}
	markdown_table_end(&m, b);
	if (d->r->before)
		return;		/* a difference of functions has no lines */
	buf_puts(b, "\nAll lines: ");
	add_command(d, b, "prof-top", "-b line -n 0");
	buf_puts(b, ".\n");
}
