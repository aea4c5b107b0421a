/* SPDX-License-Identifier: ISC */
/* Reports growth over the limits, certain or possible, that does not make a gate fail. */
#include "view/rank_table.h"

#include <stdlib.h>

static void
add_names(struct buf *b, const struct rank_request *q, const struct rank *r, size_t row)
{
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(q, keys);
	const char *between = "";

	table_key_texts(q, sums_key(&r->rows, row), name, tmp);
	for (i = 0; i < n; i++) {
		if (!name[i].s && i)
			continue;
		buf_puts(b, between);
		buf_puts(b, keys[i] == BY_OBJECT ? "[" : "");
		buf_text(b, name[i].s ? name[i] : TEXT("???"));
		buf_puts(b, keys[i] == BY_OBJECT ? "]" : "");
		between = "  ";
	}
}

/* Adds "3 rows and the total". */
static void
add_number(struct buf *b, const struct gate_count *c)
{
	if (c->rows) {
		num_add_grouped(b, (num)c->rows);
		buf_puts(b, c->rows > 1 ? " rows" : " row");
	}
	if (c->total)
		buf_puts(b, c->rows ? " and the total" : "the total");
}

static void
say_count(const struct gate_limit *l, enum gate_verdict verdict, enum diag_level level,
    const char *why, const struct rank_request *q, const struct rank *r)
{
	const struct gate_count *c = &l->of[verdict];
	struct buf b = { 0 };

	if (c->rows || c->total) {
		add_number(&b, c);
		buf_puts(&b, why);
		if (c->rows) {
			buf_puts(&b, c->rows > 1 ? "; the largest: " : ": ");
			add_names(&b, q, r, c->largest);
		}
		diag_say(q->diag, level, "--fail-over: %s: %s", QUOTE(l->name), buf_str(&b));
	}
	buf_free(&b);
}

static void
add_costs(struct buf *total, struct buf *listed, const struct metric *m, const num *v)
{
	total->n = listed->n = 0;
	metric_add_cost(total, m, v[0]);
	metric_add_cost(listed, m, v[1]);
}

/* Reports a total that its rows contradict, in the table's unit unless both look the same
 * there. */
static void
say_contradiction(const struct gate_limit *l, size_t side, const struct rank_request *q,
    const struct rank *r, bool scaled)
{
	static const char *const word[] = { "old", "new" };
	const num total = r->whole[side ? l->delta->new : l->delta->old];
	const num v[] = { total, l->listed[side] };
	struct record *event = rank_event(r, l->name);
	struct metric m = { .name = l->name };
	struct buf b[2] = { 0 };

	metric_set_unit(&m, event);
	metric_set_decimals(&m, v[1], !scaled);
	if (scaled && event)
		metric_scale(&m, event->col[EVENT_UNIT].t, v[1]);
	add_costs(&b[0], &b[1], &m, v);
	if (text_eq(buf_as_text(&b[0]), buf_as_text(&b[1]))) {
		m.shown = (struct scale){ 0 };
		metric_set_decimals(&m, v[1], true);
		add_costs(&b[0], &b[1], &m, v);
	}
	diag_say(q->diag, DIAG_WARN, "--fail-over: %s: the total of the %s profile, %s, is less "
	    "than what its rows cost, %s: both were checked", QUOTE(l->name), word[side],
	    buf_str(&b[0]), buf_str(&b[1]));
	buf_free(&b[0]);
	buf_free(&b[1]);
	free(event);
}

/* Reports exceptions that have expired, and those that nothing needs any more. */
static void
report_exceptions(const struct gate *g, struct diag *diag)
{
	const struct gate_exception *e;

	for (e = g->exception; e < g->exception + g->nexception; e++)
		if (e->expired)
			diag_say(diag, DIAG_WARN, "%s:%zu: expired on %04d-%02d-%02d: %s", e->path,
			    e->line, e->until.year, e->until.month, e->until.day, e->why);
		else if (!e->met)
			diag_say(diag, DIAG_NOTE, "%s:%zu: the exception matches nothing: %s",
			    e->path, e->line, e->why);
}

void
view_gate(const struct gate *g, const struct rank_request *q, const struct rank *r,
    bool scaled)
{
	const struct gate_limit *l;

	report_exceptions(g, q->diag);
	for (l = g->limit; l < g->limit + g->nlimit && l->delta; l++) {
		say_count(l, GATE_UNSURE, DIAG_WARN, " not checked, as the cost is known "
		    "only within bounds", q, r);
		say_count(l, GATE_UNKNOWN, DIAG_WARN, " not checked, as not all of the cost "
		    "is known", q, r);
		say_count(l, GATE_IN_NOISE, DIAG_NOTE, " over the limits, but within "
		    "run-to-run noise", q, r);
		say_count(l, GATE_EXCEPTED, DIAG_NOTE, " over the limits, but not over its "
		    "exception", q, r);
		say_count(l, GATE_PAID, DIAG_NOTE, " new, but the program costs no more "
		    "than before", q, r);
		if (g->scope == GATE_FUNCTION)
			continue;
		if (l->contradicted[0])
			say_contradiction(l, 0, q, r, scaled);
		if (l->contradicted[1])
			say_contradiction(l, 1, q, r, scaled);
	}
}
