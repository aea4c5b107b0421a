/* SPDX-License-Identifier: ISC */
/* The certainty of the numbers. */
#include "report/section.h"

/* ---- the data ---- */

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

static enum certainty_kind
kind_of(const struct page_data *d, const struct certainty *c)
{
	if (d->functions.h->estimate.n)
		return CERTAINTY_ESTIMATED;
	return c->samples ? CERTAINTY_SAMPLED : CERTAINTY_COUNTED;
}

static enum certainty_kind
kind_of_change(const struct page_data *d, struct certainty *c)
{
	if (d->view.significance)
		return CERTAINTY_COMPARED;
	return sampling_changes(&d->functions, &c->changes) ? CERTAINTY_BY_CHANCE :
	    CERTAINTY_UNKNOWN;
}

static void
find_certainty(struct page_data *d)
{
	const struct table *t = &d->functions;
	struct certainty *c = &d->certainty;
	size_t i;

	if (!t->nmetric)
		return;
	for (i = 0; i < (d->changed ? d->nchanged : t->kept); i++)
		c->marks |= table_row_marks(t, d->changed ? d->changed[i] : t->order[i].of);
	if (!d->changed)
		c->samples = count_samples(d);
	c->kind = d->changed ? kind_of_change(d, c) : kind_of(d, c);
}

/* Returns the explanation of the next mark, and its number in *at, which begins with 0; NULL:
 * there is none. */
static const struct table_legend *
next_mark(const struct page_data *d, size_t *at)
{
	const struct table_legend *l = table_legend(&d->functions);

	for (; l[*at].mark; ++*at)
		if (d->certainty.marks >> *at & 1)
			return &l[(*at)++];
	return NULL;
}

/* ---- Markdown ---- */

static void
add_kind(const struct page_data *d, struct buf *b)
{
	const struct certainty *c = &d->certainty;

	buf_puts(b, "- ");
	switch (c->kind) {
	case CERTAINTY_NONE:
		buf_puts(b, "There are no costs.");
		break;
	case CERTAINTY_ESTIMATED:
		buf_puts(b, "Estimated: ");
		markdown_text(b, buf_as_text(&d->functions.h->estimate));
		buf_putc(b, '.');
		break;
	case CERTAINTY_COUNTED:
		buf_puts(b, "Counted or measured by the profiler; it names no samples.");
		break;
	case CERTAINTY_SAMPLED:
		if (!sampling_error_add(b, c->samples)) {
			num_add_grouped(b, c->samples);
			buf_puts(b, " samples");
		}
		buf_putc(b, '.');
		break;
	case CERTAINTY_COMPARED:
		buf_puts(b, "Several runs per side: only significant changes of functions, and "
		    "their lines, are listed.");
		break;
	case CERTAINTY_BY_CHANCE:
		sampling_changes_add(b, &c->changes);
		buf_putc(b, '.');
		break;
	case CERTAINTY_UNKNOWN:
		buf_puts(b, "One run per side, and no samples: the noise between runs is unknown.");
		break;
	}
	buf_putc(b, '\n');
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
		buf_puts(b, " over the limit.\n");
	}
}

static void
add_markdown(const struct page_data *d, size_t rows, struct buf *b)
{
	const struct table_legend *l;
	size_t at = 0;

	(void)rows;
	buf_puts(b, "\n## Certainty\n\n");
	add_kind(d, b);
	if (!d->changed && d->functions.h->lost.n) {
		buf_puts(b, "- Lost by the profiler: ");
		markdown_text(b, buf_as_text(&d->functions.h->lost));
		buf_puts(b, ".\n");
	}
	while ((l = next_mark(d, &at)))
		buf_printf(b, "- %s %s\n", l->mark, l->meaning);
	if (d->r->gate)
		add_gate(d->r->gate, b);
}

/* ---- JSON ---- */

/* Adds what shares of few samples may be. */
static void
json_ranges(const struct certainty *c, struct buf *b)
{
	struct sampling_range r[SAMPLING_SHARES];
	size_t i;

	json_num_member(b, "samples", c->samples);
	if (!sampling_ranges(c->samples, r))
		return;
	json_array(b, "by_chance");
	for (i = 0; i < SAMPLING_SHARES; i++) {
		json_object(b);
		json_rounded_member(b, "percent", r[i].percent, 0);
		json_rounded_member(b, "low", r[i].low, 1);
		json_rounded_member(b, "high", r[i].high, 1);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

/* Adds by how much they may change. */
static void
json_changes(const struct sampling_changes *c, struct buf *b)
{
	size_t i;

	json_num_member(b, "old_samples", c->old);
	json_num_member(b, "new_samples", c->new);
	json_array(b, "by_chance");
	for (i = 0; i < SAMPLING_SHARES; i++) {
		json_object(b);
		json_rounded_member(b, "percent", c->of[i].percent, 0);
		json_rounded_member(b, "change", c->of[i].by, 0);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void
json_marks(const struct page_data *d, struct buf *b)
{
	const struct table_legend *l;
	size_t at = 0;

	json_array(b, "marks");
	while ((l = next_mark(d, &at))) {
		json_object(b);
		json_text_member(b, "mark", text_of(l->mark));
		json_text_member(b, "meaning", text_of(l->meaning));
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void
json_gate(const struct gate *g, struct buf *b)
{
	const struct gate_limit *l;

	json_array(b, "gate");
	for (l = g->limit; l < g->limit + g->nlimit; l++) {
		const struct gate_count *c = &l->of[GATE_GREW];

		json_object(b);
		json_text_member(b, "event", l->name);
		json_bool_member(b, "passed", !c->rows && !c->total);
		json_num_member(b, "functions", (num)c->rows);
		json_bool_member(b, "total", c->total);
		buf_putc(b, '}');
	}
	buf_putc(b, ']');
}

static void
add_json(const struct page_data *d, size_t rows, struct buf *b)
{
	static const char *const kind[] = { "none", "estimated", "counted", "sampled",
	    "compared over runs", "sampled", "unknown" };
	const struct certainty *c = &d->certainty;
	const struct rank_heading *h = d->functions.h;

	buf_puts(b, ",\n\"certainty\": {");
	if (rows) {
		json_text_member(b, "kind", text_of(kind[c->kind]));
		if (c->kind == CERTAINTY_SAMPLED)
			json_ranges(c, b);
		if (c->kind == CERTAINTY_BY_CHANCE)
			json_changes(&c->changes, b);
		if (h->estimate.n)
			json_text_member(b, "estimated", buf_as_text(&h->estimate));
		if (h->lost.n)
			json_text_member(b, "lost", buf_as_text(&h->lost));
		json_marks(d, b);
		if (d->r->gate)
			json_gate(d->r->gate, b);
	}
	buf_putc(b, '}');
}

const struct section section_certainty = {
	.name = "certainty", .key = "certainty", .least = 1, .good = 1, .all = COMMAND_OF_MORE,
	.find = find_certainty, .rows = one_row, .of = one_row, .markdown = add_markdown,
	.json = add_json,
};
