/* SPDX-License-Identifier: ISC */
/* The heaviest paths: the call tree, with chains of functions as one line. */
#include "report/section.h"

#include "view/tree.h"

#define MOST_LINES 60

/* The report has a heading of its own. */
static struct text
after_heading(struct text page)
{
	const char *end = memmem(page.s, page.n, "\n\n", 2);

	return end ? (struct text){ end + 2, page.n - (size_t)(end + 2 - page.s) } : page;
}

/* Adds the lines of the tree. */
static void
add_tree(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct tree_view v = { .form = VIEW_TEXT, .rows = rows, .whole = true,
	    .scaled = true, .utf8 = true };
	struct output *out = out_memory();

	tree_print(&v, &d->r->tree_request, d->r->tree, d->functions.h, out);
	buf_text(b, after_heading((struct text){ out->s, out->n }));
	out_close(out, false);
}

/* A tree of changes that are all small has nothing but the number of these. */
size_t
rows_of_paths(const struct page_data *d)
{
	struct buf b = { 0 };
	bool any;

	if (!d->r->tree)
		return 0;
	add_tree(d, MOST_LINES, &b);
	any = !text_begins(buf_as_text(&b), "\xe2\x80\xa6");
	buf_free(&b);
	return any ? MOST_LINES : 0;
}

void
section_paths(const struct page_data *d, size_t rows, struct buf *b)
{
	buf_puts(b, "\n## Heaviest paths\n\n```\n");
	add_tree(d, rows, b);
	buf_puts(b, "```\n\nMore of them: ");
	add_command(d, b, "prof-tree", "-n 0");
	buf_puts(b, ".\n");
}
