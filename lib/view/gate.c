/* SPDX-License-Identifier: ISC */
/* What a gate lets pass, in words: nothing that is over the limits, or may be, does so in
 * silence. */
#include "view/table.h"

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

/* "3 rows and the total". */
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

/* In the unit, of which so many values are one. */
static void
add_cost(struct buf *b, num v, uint64_t per)
{
	if (per > 1)
		num_add_parts(b, v, per, 2);
	else
		num_add_grouped(b, v);
}

static void
say_contradiction(const struct gate_limit *l, size_t side, num total, struct diag *d)
{
	static const char *const word[] = { "old", "new" };
	struct buf b = { 0 };

	add_cost(&b, total, l->per);
	buf_puts(&b, ", is less than what its rows cost, ");
	add_cost(&b, l->listed[side], l->per);
	diag_say(d, DIAG_WARN, "--fail-over: %s: the total of the %s profile, %s: both were "
	    "checked", QUOTE(l->name), word[side], buf_str(&b));
	buf_free(&b);
}

void
view_gate(const struct gate *g, const struct rank_request *q, const struct rank *r)
{
	const struct gate_limit *l;

	for (l = g->limit; l < g->limit + g->nlimit && l->delta; l++) {
		say_count(l, GATE_UNSURE, DIAG_WARN, " not checked, as the cost is known "
		    "only within bounds", q, r);
		say_count(l, GATE_UNKNOWN, DIAG_WARN, " not checked, as not all of the cost "
		    "is known", q, r);
		say_count(l, GATE_IN_NOISE, DIAG_NOTE, " over the limits, but by no more than "
		    "runs differ", q, r);
		say_count(l, GATE_PAID, DIAG_NOTE, " new, but the program costs no more "
		    "than before", q, r);
		if (g->scope == GATE_FUNCTION)
			continue;
		if (l->contradicted[0])
			say_contradiction(l, 0, r->total[l->delta->old], q->diag);
		if (l->contradicted[1])
			say_contradiction(l, 1, r->total[l->delta->new], q->diag);
	}
}
