/* SPDX-License-Identifier: ISC */
#include "view/heading_text.h"

#include <inttypes.h>

#include "util/printable.h"

/* Adds the totals; false if no event that is shown has one. */
static bool
add_totals(struct page *p, const struct heading *h)
{
	const struct metric *m;
	bool some = false;

	for (m = h->metric; m < h->metric + h->n; m++) {
		if (m->ratio)
			continue;
		buf_puts(&p->line, some ? ", " : "");
		some = true;
		if (m->change && m->total > 0)
			buf_putc(&p->line, '+');
		metric_add_amount(&p->line, m, m->total);
	}
	return some;
}

#define COMMAND 16		/* the fewest columns of it */

/* Adds the command in the rest of the line. */
static void
add_command(struct page *p, const struct rank_heading *h)
{
	if (h->cmds_differ) {
		buf_puts(&p->line, ": several commands");
	} else if (h->cmd.s) {
		buf_puts(&p->line, ": ");
		printable_shortened(&p->line, h->cmd, page_room(p, COMMAND));
	}
}

/* Adds the two profiles as a line that fits: their names share the rest of it. */
static void
add_sides(struct page *p, const struct rank_heading *h)
{
	const size_t width = p->width, words = strlen("old: , new: ");
	struct buf b = { 0 };

	heading_add_sides(&b, h, SIZE_MAX);
	if (width && printable_columns(buf_as_text(&b)) > width) {
		b.n = 0;
		heading_add_sides(&b, h, width > words + 20 ? (width - words) / 2 : 10);
	}
	buf_text(&p->line, buf_as_text(&b));
	buf_putc(&p->line, '\n');
	buf_free(&b);
}

/* Adds a list of texts as a line that fits. */
static void
add_list(struct page *p, const char *word, const struct buf *list)
{
	const size_t width = p->width, n = strlen(word);

	if (!list->n)
		return;
	buf_puts(&p->line, word);
	printable_shortened(&p->line, buf_as_text(list), !width ? SIZE_MAX :
	    width > n + 10 ? width - n : 10);
	buf_putc(&p->line, '\n');
}

void
heading_add_number(struct buf *b, const struct heading *h, bool some)
{
	const struct rank_heading *of = h->of;

	if (h->significance && h->significance->n)
		buf_printf(b, " between the means of %zu and %zu runs",
		    h->significance->event[0].runs[SIDE_OLD],
		    h->significance->event[0].runs[SIDE_NEW]);
	else if (h->difference && of->parts == 1)
		buf_puts(b, " between two profiles");
	else
		buf_printf(b, "%s%" PRIu64 " profile%s, %" PRIu64 " part%s",
		    some ? " in " : "", of->runs, of->runs == 1 ? "" : "s", of->parts,
		    of->parts == 1 ? "" : "s");
}

void
heading_add(struct page *p, const struct heading *h)
{
	const struct rank_heading *of = h->of;
	bool some;

	page_bold(p, true);
	some = add_totals(p, h);
	page_bold(p, false);
	heading_add_number(&p->line, h, some);
	add_command(p, of);
	buf_putc(&p->line, '\n');
	if (of->diff.n)
		add_sides(p, of);
	/* If the only estimate is means of runs, the first line has it already. */
	if (!h->significance || memmem(of->estimate.s, of->estimate.n, "; ", 2))
		add_list(p, "estimated: ", &of->estimate);
	add_list(p, "filter: ", &of->filter);
	add_list(p, "lost: ", &of->lost);
	if (of->skipped)
		buf_printf(&p->line, "skipped: %" PRIu64 " malformed or truncated "
		    "line%s\n",
		    of->skipped, of->skipped == 1 ? "" : "s");
}

void
page_add_heading(struct page *p, const struct table *t)
{
	heading_add(p, &(struct heading){ .of = t->h, .metric = t->metric, .n = t->v->nshow,
	    .difference = table_is_diff(t), .significance = t->v->significance });
}

void
page_heading(struct page *p, const struct table *t)
{
	page_add_heading(p, t);
	page_flush(p);
}
