/* SPDX-License-Identifier: ISC */
/* The lines that cost most, with their source. */
#include "report/section.h"

#include <stdlib.h>

#include "util/mem.h"

#define MOST_LINES 20

static bool
is_line(const struct page_data *d, size_t row)
{
	const struct table *t = &d->places;
	const struct value v = table_self(t, row, 0);

	return sums_key(&t->r->rows, row)[2] != NO_LINE && v.kind == WHOLE && v.n;
}

/* By function: whether it has changed significantly, over several runs. */
struct changed_functions {
	bool *has;
	size_t cap;
};

static struct changed_functions
find_changed(const struct page_data *d)
{
	struct changed_functions c = { NULL, 0 };
	size_t i;

	for (i = 0; d->view.significance && i < d->nself; i++) {
		const uint64_t func = *sums_key(&d->functions.r->rows, d->changed[i]);

		if (func == NO_ID)
			continue;
		c.has = mem_reach(c.has, &c.cap, func, sizeof *c.has, 0);
		c.has[func] = true;
	}
	return c;
}

/* Is the line listed?  Over several runs only those of functions that have changed are. */
static bool
is_listed(const struct page_data *d, const struct changed_functions *c, size_t row)
{
	const uint64_t func = *sums_key(&d->places.r->rows, row);

	return is_line(d, row) &&
	    (!d->view.significance || (func < c->cap && c->has[func]));
}

struct place {
	struct text path, function;
	uint64_t line;
};

static struct place
place_of(const struct page_data *d, size_t row)
{
	const uint64_t *key = sums_key(&d->places.r->rows, row);

	return (struct place){ dict_path(d->r->dict, (uint32_t)key[1]),
	    dict_func_name(d->r->dict, (uint32_t)key[0]), key[2] };
}

/* Adds the text of a line without the blanks around it; nothing if there is no source. */
static void
find_source(const struct page_data *d, struct buf *b, size_t row)
{
	const struct place p = place_of(d, row);
	struct source s = { 0 };
	struct text t = { 0 };

	if (source_find(&s, p.path, &d->r->search))
		t = source_line(&s, p.line);
	while (t.n && (*t.s == ' ' || *t.s == '\t'))
		t.s++, t.n--;
	while (t.n && (t.s[t.n - 1] == ' ' || t.s[t.n - 1] == '\t' || t.s[t.n - 1] == '\r'))
		t.n--;
	buf_text(b, t);
	source_free(&s);
}

static void
find_lines(struct page_data *d)
{
	const struct table *t = &d->places;
	struct changed_functions changed = find_changed(d);
	size_t i;

	d->line = mem_alloc(MOST_LINES, sizeof *d->line);
	for (i = 0; t->nmetric && d->lines && i < t->kept; i++) {
		const size_t row = t->order[i].of;

		if (!is_listed(d, &changed, row))
			continue;
		if (d->nline < MOST_LINES) {
			d->line[d->nline].row = row;
			find_source(d, &d->line[d->nline++].source, row);
		}
		d->nlines++;
	}
	free(changed.has);
}

static size_t
count_rows(const struct page_data *d)
{
	return d->nline;
}

static size_t
count_all(const struct page_data *d)
{
	return d->nlines;
}

/* ---- Markdown ---- */

static void
add_row(const struct page_data *d, struct markdown_table *m, const struct hot_line *l)
{
	const struct metric *metric = &d->places.metric[0];
	const struct place p = place_of(d, l->row);
	const struct value v = table_self(&d->places, l->row, 0);

	if (d->changed) {
		metric_add_change(markdown_cell(m), metric, v.n);
		markdown_cell_end(m);
		num_add_change(markdown_cell(m), sums_val(&d->places.r->rows,
		    l->row)[metric->delta->old], v.n);
	} else {
		metric_add_value(markdown_cell(m), metric, v);
		markdown_cell_end(m);
		value_add_share(markdown_cell(m), v, metric->total);
	}
	markdown_cell_end(m);
	add_place(markdown_cell(m), p.path, p.line);
	markdown_cell_end(m);
	add_function(markdown_cell(m), p.function);
	markdown_cell_end(m);
	if (l->source.n)
		markdown_cell_code(markdown_cell(m), buf_as_text(&l->source));
	markdown_cell_end(m);
}

static void
add_markdown(const struct page_data *d, size_t rows, struct buf *b)
{
	struct markdown_table m = { .align = "rrlll" };
	static const char *const head[] = { "%", "line", "function", "source" };
	size_t i;

	buf_printf(b, "\n## %s lines\n\n", d->changed ? "Changed" : "Hottest");
	buf_puts(markdown_cell(&m), d->changed ? "change of self " : "self ");
	metric_add_name(markdown_cell(&m), &d->places.metric[0]);
	markdown_cell_end(&m);
	for (i = 0; i < sizeof head / sizeof *head; i++)
		markdown_head(&m, head[i]);
	for (i = 0; i < rows; i++)
		add_row(d, &m, &d->line[i]);
	markdown_table_end(&m, b);
	buf_puts(b, "\nAll lines: ");
	add_command_code(d->r, b, section_lines.all);
	buf_puts(b, ".\n");
}

/* ---- JSON ---- */

static void
json_line(const struct page_data *d, size_t i, struct buf *b)
{
	const struct hot_line *l = &d->line[i];
	const struct table *t = &d->places;
	const struct place p = place_of(d, l->row);
	const struct value v = table_self(t, l->row, 0);
	const num *sums = sums_val(&t->r->rows, l->row);
	const struct rank_delta *delta = t->metric[0].delta;

	json_row(b);
	json_place(b, p.path, p.line);
	json_function(b, p.function);
	if (d->changed) {
		json_num_member(b, "old", sums[delta->old]);
		json_num_member(b, "new", sums[delta->new]);
		json_num_member(b, "change", v.n);
		json_change_member(b, "change_percent", sums[delta->old], v.n);
	} else {
		json_value_member(b, "self", v);
		json_share_member(b, "self_percent", v, t->metric[0].total);
	}
	json_text_member(b, "source", l->source.n ? buf_as_text(&l->source) :
	    (struct text){ 0 });
	buf_putc(b, '}');
}

const struct section section_lines = {
	.name = "lines", .key = "lines", .least = 1, .good = 6,
	.all = { .tool = "prof-top", .arguments = "-b line -n 0", .of_lines = true },
	.find = find_lines, .rows = count_rows, .of = count_all, .markdown = add_markdown,
	.json_row = json_line,
};
