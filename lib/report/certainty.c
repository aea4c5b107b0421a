/* SPDX-License-Identifier: ISC */
/* The certainty of the numbers. */
#include "report/section.h"

#include "view/rank_page.h"

/* Adds the lines that explain marks. */
static void
add_marks(const struct page_data *d, struct buf *b)
{
	const struct table *t = &d->functions;
	struct page p = { .out = out_memory() };
	unsigned marks = 0;
	size_t i;

	for (i = 0; i < t->kept; i++)
		marks |= table_row_marks(t, t->order[i].of);
	page_mark_lines(&p, t, marks);
	for (i = 0; i < p.out->n; i++) {
		if (!i || p.out->s[i - 1] == '\n')
			buf_puts(b, "- ");
		buf_putc(b, p.out->s[i]);
	}
	out_close(p.out, false);
	buf_free(&p.line);
}

/* Returns how many samples the profile has; 0: it is not known to be sampled.  They are what
 * the event counts, or what an event "samples" does beside it. */
static num
count_samples(const struct page_data *d)
{
	const struct rank *r = d->functions.r;
	long column = events_find(&r->events, d->event);
	uint64_t each = column < 0 ? 0 : event_sample(events_at(&r->events, (size_t)column));

	if (!each) {
		column = events_find(&r->events, TEXT("samples"));
		each = column < 0 ? 0 : event_sample(events_at(&r->events, (size_t)column));
	}
	return each ? r->total[r->slot[column]] / (num)each : 0;
}

static void
add_kind(const struct page_data *d, struct buf *b)
{
	const struct rank_heading *h = d->functions.h;
	const num samples = count_samples(d);

	buf_puts(b, "- ");
	if (h->estimate.n) {
		buf_puts(b, "Estimated: ");
		markdown_text(b, buf_as_text(&h->estimate));
	} else if (!samples) {
		buf_puts(b, "Counted or measured by the profiler; it names no samples");
	} else if (!sampling_error_add(b, samples)) {
		num_add_grouped(b, samples);
		buf_puts(b, " samples");
	}
	buf_puts(b, ".\n");
	if (h->lost.n) {
		buf_puts(b, "- Lost by the profiler: ");
		markdown_text(b, buf_as_text(&h->lost));
		buf_puts(b, ".\n");
	}
}

/* ---- a difference ---- */

static void
add_sentence(struct buf *b, const char *text)
{
	buf_printf(b, "- %s\n", text);
}

static void
add_change_kind(const struct page_data *d, struct buf *b)
{
	struct page p = { .out = out_memory() };

	if (d->functions.v->significance) {
		add_sentence(b, "Several runs per side: only significant changes are "
		    "listed.");
	} else {
		page_samples_change_line(&p, &d->functions);
		if (p.out->n)
			buf_printf(b, "- %.*s", (int)p.out->n, p.out->s);
		else
			add_sentence(b, "One run per side, and no samples: the noise "
			    "between runs is unknown.");
	}
	out_close(p.out, false);
	buf_free(&p.line);
}

/* Reports the verdict of the gate. */
static void
add_gate(const struct gate *g, struct buf *b)
{
	const struct gate_limit *l;

	for (l = g->limit; l < g->limit + g->nlimit; l++) {
		const struct gate_count *c = &l->of[GATE_GREW];

		buf_puts(b, "- Gate on ");
		markdown_code(b, l->name);
		if (!c->rows && !c->total) {
			buf_puts(b, ": passed.\n");
			continue;
		}
		buf_puts(b, ": failed: ");
		if (c->rows)
			buf_printf(b, "%zu function%s", c->rows, c->rows == 1 ? "" : "s");
		buf_puts(b, c->rows && c->total ? " and the total" : c->total ? "the total" : "");
		buf_puts(b, " over the limit");
		buf_puts(b, ".\n");
	}
}

void
section_certainty(const struct page_data *d, size_t rows, struct buf *b)
{
	(void)rows;
	buf_puts(b, "\n## Certainty\n\n");
	if (!d->functions.nmetric)
		return;
	if (d->changed)
		add_change_kind(d, b);
	else
		add_kind(d, b);
	add_marks(d, b);
	if (d->r->gate)
		add_gate(d->r->gate, b);
}
