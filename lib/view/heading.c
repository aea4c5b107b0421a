/* SPDX-License-Identifier: ISC */
/* The heading of a table for people: what profile it is of. */
#include "view/page.h"

#include <inttypes.h>

#include "util/vis.h"

/* What the profile costs; false if no event that is shown has a total. */
static bool
add_totals(struct page *p)
{
	bool some = false;
	size_t i;

	for (i = 0; i < p->t->v->nshow; i++) {
		const struct metric *m = &p->t->metric[i];

		if (m->under)
			continue;
		buf_puts(&p->line, some ? ", " : "");
		some = true;
		if (m->delta && m->total > 0)
			buf_putc(&p->line, '+');
		page_add_amount(&p->line, m,
		    (struct value){ .kind = WHOLE, .n = m->total });
	}
	return some;
}

#define COMMAND 16		/* the least columns of it */

/* In the width that is left. */
static void
add_command(struct page *p)
{
	const struct table *t = p->t;
	const struct rank_heading *h = t->h;

	if (h->cmds_differ) {
		buf_puts(&p->line, ": several commands");
	} else if (h->cmd.s) {
		buf_puts(&p->line, ": ");
		vis_shortened(&p->line, h->cmd, page_room(p, COMMAND));
	}
}

/* The names of what was compared, each in at most `room` columns. */
static void
put_sides(struct buf *b, const struct table *t, size_t room)
{
	struct text list = buf_as_text(&t->h->diff), field, name;
	struct buf scratch = { 0 };
	size_t n;

	for (n = 0; fields_next(&list, &field); n++) {
		scratch.n = 0;
		if (!field_unescape(field, &scratch, &name))
			name = field;
		buf_puts(b, n ? ", new: " : "old: ");
		vis_shortened(b, name, room);
	}
	buf_free(&scratch);
}

/* The same as a line that fits: the two share what its words leave. */
static void
add_sides(struct page *p)
{
	const size_t width = p->t->v->width, words = strlen("old: , new: ");
	struct buf b = { 0 };

	put_sides(&b, p->t, SIZE_MAX);
	if (width && vis_columns(buf_as_text(&b)) > width) {
		b.n = 0;
		put_sides(&b, p->t, width > words + 20 ? (width - words) / 2 : 10);
	}
	buf_text(&p->line, buf_as_text(&b));
	buf_putc(&p->line, '\n');
	buf_free(&b);
}

/* A list of texts as a line that fits. */
static void
add_list(struct page *p, const char *word, const struct buf *list)
{
	const size_t width = p->t->v->width, n = strlen(word);

	if (!list->n)
		return;
	buf_puts(&p->line, word);
	vis_shortened(&p->line, buf_as_text(list), !width ? SIZE_MAX :
	    width > n + 10 ? width - n : 10);
	buf_putc(&p->line, '\n');
}

void
page_add_heading(struct page *p)
{
	const struct rank_heading *h = p->t->h;
	bool some;

	page_bold(p, true);
	some = add_totals(p);
	page_bold(p, false);
	if (p->t->v->contrast && p->t->v->contrast->n)
		buf_printf(&p->line, " between the means of %zu and %zu runs",
		    p->t->v->contrast->event[0].runs[NOISE_OLD],
		    p->t->v->contrast->event[0].runs[NOISE_NEW]);
	else if (table_is_diff(p->t) && h->parts == 1)
		buf_puts(&p->line, " between two profiles");
	else
		buf_printf(&p->line, "%s%" PRIu64 " profile%s, %" PRIu64 " part%s",
		    some ? " in " : "", h->runs, h->runs == 1 ? "" : "s", h->parts,
		    h->parts == 1 ? "" : "s");
	add_command(p);
	buf_putc(&p->line, '\n');
	if (h->diff.n)
		add_sides(p);
	/* The first line says it of means of runs, if that is all. */
	if (!p->t->v->contrast || memmem(h->estimate.s, h->estimate.n, "; ", 2))
		add_list(p, "estimated: ", &h->estimate);
	add_list(p, "filter: ", &h->filter);
	if (h->skipped)
		buf_printf(&p->line, "skipped: %" PRIu64 " malformed or cut line%s\n",
		    h->skipped, h->skipped == 1 ? "" : "s");
}

void
page_heading(struct page *p)
{
	page_add_heading(p);
	page_flush(p);
}
