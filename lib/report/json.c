/* SPDX-License-Identifier: ISC */
/* The report as one JSON object: what the page has, as the other tools' JSON has it. */
#include "report/section.h"

#include "util/json.h"
#include "view/tree.h"

/* Adds a member that is an array of the lines of an output, each of them JSON, and closes
 * that. */
static void
add_lines(struct buf *b, const char *name, struct output *out)
{
	size_t i;

	buf_printf(b, ",\n\"%s\": [", name);
	for (i = 0; i < out->n; i++) {
		if (out->s[i] != '\n')
			buf_putc(b, out->s[i]);
		else if (i + 1 < out->n)
			buf_puts(b, ",\n");
	}
	buf_putc(b, ']');
	out_close(out, false);
}

/* Adds an array of the items of a list in Markdown. */
static void
add_items(struct buf *b, const char *name, const struct buf *list)
{
	const char *p = list->s, *end = p + list->n, *next;
	const char *between = "";

	buf_printf(b, ",\n\"%s\": [", name);
	for (; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		if (next - p < 2 || memcmp(p, "- ", 2) != 0)
			continue;
		buf_puts(b, between);
		json_string(b, (struct text){ p + 2, (size_t)(next - p - 2) });
		between = ", ";
	}
	buf_putc(b, ']');
}

static void
add_section(const struct page_data *d, struct buf *b, const char *name,
    void (*section)(const struct page_data *d, size_t rows, struct buf *b), size_t rows)
{
	struct buf list = { 0 };

	section(d, rows, &list);
	add_items(b, name, &list);
	buf_free(&list);
}

/* Adds the rows of a ranking, as prof-top has them. */
static int
add_ranking(const struct page_data *d, struct buf *b, const char *name,
    const struct report_ranking *k, size_t rows)
{
	struct output *out = out_memory();
	struct view view = d->view;
	int r = 0;

	view.form = VIEW_JSON;
	view.most = rows;
	if (rows)
		r = view_print(&view, &k->request, k->rank, ranker_heading(k->ranker), out);
	add_lines(b, name, out);
	return r;
}

/* Adds the nodes of the tree, as prof-tree has them. */
static void
add_paths(const struct page_data *d, struct buf *b, size_t rows)
{
	const struct tree_view v = { .form = VIEW_JSON, .rows = rows };
	struct output *out = out_memory();

	if (rows)
		tree_print(&v, &d->r->tree_request, d->r->tree, d->functions.h, out);
	add_lines(b, "paths", out);
}

int
report_json(const struct page_data *d, const struct report_rows *rows, struct buf *b)
{
	const struct table *t = &d->functions;
	int r;

	buf_puts(b, "{\"event\": ");
	json_string(b, d->event);
	buf_puts(b, ",\n\"total\": ");
	json_num(b, t->nmetric ? t->metric[0].total : 0);
	add_section(d, b, "facts", section_measured, 1);
	r = add_ranking(d, b, "functions", &d->r->functions, d->changed ? rows->changes :
	    rows->functions);
	add_paths(d, b, rows->paths);
	if (r == 0)
		r = add_ranking(d, b, "lines", &d->r->places, rows->lines);
	add_section(d, b, "callers", section_callers, rows->callers);
	add_section(d, b, "certainty", section_certainty, 1);
	add_section(d, b, "next", section_next, 1);
	buf_puts(b, "}\n");
	return r;
}
