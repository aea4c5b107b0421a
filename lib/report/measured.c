/* SPDX-License-Identifier: ISC */
/* The measurement: the title, and the facts of the profile. */
#include "report/section.h"

static void
add_title(const struct page_data *d, struct buf *b)
{
	const struct table *t = &d->functions;

	buf_puts(b, "# ");
	if (t->nmetric)
		metric_add_amount(b, &t->metric[0], t->metric[0].total);
	else
		buf_puts(b, "No event");
	if (t->h->cmd.s && !t->h->cmds_differ) {
		buf_puts(b, ": ");
		markdown_code(b, t->h->cmd);
	}
	buf_putc(b, '\n');
}

/* Adds "KEY: VALUE" lines as a list. */
static void
add_facts(const struct page_data *d, struct buf *b)
{
	struct output *out = out_memory();
	const char *p, *end, *line;

	info_print(d->r->info, out, 0);
	for (line = p = out->s, end = p + out->n; p < end; p++)
		if (*p == '\n') {
			buf_puts(b, "- ");
			markdown_text(b, (struct text){ line, (size_t)(p - line) });
			buf_putc(b, '\n');
			line = p + 1;
		}
	out_close(out, false);
}

/* Adds the heading of the difference: its first line is the title. */
static void
add_sides(const struct page_data *d, struct buf *b)
{
	struct page p = { .out = out_memory() };
	size_t i;

	page_heading(&p, &d->functions);
	buf_puts(b, "# ");
	for (i = 0; i < p.out->n; i++) {
		const bool more = i + 1 < p.out->n && p.out->s[i + 1] != '\n';

		buf_putc(b, p.out->s[i]);
		if (p.out->s[i] == '\n' && more)
			buf_puts(b, "- ");
	}
	out_close(p.out, false);
	buf_free(&p.line);
}

void
section_measured(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct table *t = &d->functions;

	(void)rows;
	if (d->changed) {
		add_sides(d, b);
		buf_puts(b, "Percentages are of the old cost.\n");
		return;
	}
	add_title(d, b);
	buf_putc(b, '\n');
	add_facts(d, b);
	if (t->nmetric) {
		buf_puts(b, "\nAll percentages are of the total, ");
		metric_add_amount(b, &t->metric[0], t->metric[0].total);
		buf_puts(b, ".\n");
	}
}
