/* SPDX-License-Identifier: ISC */
#include "filter.h"

#include <stdlib.h>

#include "event.h"
#include "mem.h"
#include "show.h"

/* A column of the output, in a part. */
struct choice {
	long from;		/* the input's column, or -1: a formula */
	num *coef;
};

struct choose {
	struct sink sink;
	struct diag *diag;
	char *what;		/* for messages: who wants them */
	struct text *want;
	bool *seen;		/* has any part had it? */
	size_t n, cap;
	struct events events;	/* of the part */
	bool in_header, any_part;
	struct choice *col;	/* of the part: the first ncol of n */
	size_t ncol;
	struct buf out;
	char *text;
};

static int
put_event(struct choose *c, size_t i, struct text name)
{
	struct record r = rec_make(REC_EVENT);
	const struct record *derived = events_derived(&c->events, name);

	if (c->col[i].from >= 0)
		r = *events_at(&c->events, (size_t)c->col[i].from);
	else if (derived) {
		r = *derived;	/* measured from here on: its formula is done */
		r.col[EVENT_FORMULA].t = (struct text){ 0 };
	}
	r.col[EVENT_ID].n = i;
	r.col[EVENT_NAME].t = name;
	return sink_put(c->sink.next, &r);
}

static bool
is_chosen(const struct choose *c, struct text name)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (text_eq(c->want[i], name))
			return true;
	return false;
}

/* The derived events of the part that can still be had from what is kept. */
static int
put_derived(struct choose *c)
{
	struct events kept = { 0 };
	num *coef = mem_alloc(c->ncol + 1, sizeof *coef);
	size_t i;
	int r = 0;

	for (i = 0; i < c->ncol; i++)
		if (c->col[i].from >= 0)
			events_add(&kept, events_at(&c->events, (size_t)c->col[i].from));
	for (i = 0; i < c->events.n && r == 0; i++)
		if (!c->events.v[i].measured &&
		    !is_chosen(c, c->events.v[i].r->col[EVENT_NAME].t) &&
		    events_resolve(&kept, c->events.v[i].r->col[EVENT_FORMULA].t,
		    coef) == 1)
			r = sink_put(c->sink.next, c->events.v[i].r);
	events_free(&kept);
	free(coef);
	return r;
}

/* The part's header is over: its columns are known. */
static int
settle(struct choose *c)
{
	size_t i, n = c->events.measured;
	int r;

	c->in_header = false;
	c->ncol = 0;
	for (i = 0; i < c->n; i++) {
		struct choice *col = &c->col[c->ncol];

		col->coef = mem_resize(col->coef, n + 1, sizeof *col->coef);
		r = events_resolve(&c->events, c->want[i], col->coef);
		if (r < 0)
			return diag_fail_plain(c->diag, "%s: %s is no sum of "
			    "events", c->what, diag_quote(c->want[i].s, c->want[i].n));
		if (r == 0)
			continue;
		c->seen[i] = true;
		col->from = events_find(&c->events, c->want[i]);
		if (put_event(c, c->ncol++, c->want[i]) < 0)
			return -1;
	}
	return put_derived(c);
}

static int
value_at(struct choose *c, const struct choice *col, struct text values)
{
	struct text rest = values, v;
	size_t i = 0;
	num sum = 0, x;
	char tmp[NUM_TEXT];

	for (; values_next(&rest, &v); i++) {
		if (col->from >= 0 && (size_t)col->from == i) {
			buf_text(&c->out, v);
			return 0;
		}
		if (col->from >= 0 || col->coef[i] == 0 || text_is(v, "-"))
			continue;
		if (num_get_num(v.s, v.n, &x) < 0 ||
		    num_mul(x, col->coef[i], &x) < 0 || num_add(&sum, x) < 0)
			return diag_fail(c->diag, "a cost does not fit 128 bits");
	}
	buf_add(&c->out, tmp, (size_t)(num_put_num(tmp, sum) - tmp));
	return 0;
}

static int
choose_values(struct choose *c, struct record *r)
{
	size_t i, end = 0;

	r->tail = (struct text){ 0 };
	if (!r->values.n)
		return 0;
	c->out.n = 0;
	for (i = 0; i < c->ncol; i++) {
		size_t from;

		if (i)
			buf_putc(&c->out, '\t');
		from = c->out.n;
		if (value_at(c, &c->col[i], r->values) < 0)
			return -1;
		/* Trailing zeros are left out. */
		if (c->out.n - from != 1 || c->out.s[from] != '0')
			end = c->out.n;
	}
	c->out.n = end;
	r->values = end ? buf_as_text(&c->out) : (struct text){ 0 };
	return 0;
}

/* Only what all parts lack is a mistake. */
static int
check_seen(const struct choose *c)
{
	size_t i, j;
	struct buf b = { 0 };
	num *coef;

	for (i = 0; i < c->n && (c->seen[i] || !c->any_part); i++)
		;
	if (i == c->n)
		return 0;
	coef = mem_alloc(c->events.measured + 1, sizeof *coef);
	for (j = 0; j < c->events.n; j++) {
		struct text name = c->events.v[j].r->col[EVENT_NAME].t;

		if (events_resolve(&c->events, name, coef) != 1)
			continue;
		buf_puts(&b, b.n ? ", " : "; there are ");
		show_add(&b, name);
	}
	free(coef);
	diag_fail_plain(c->diag, "%s: no event %s%s%s", c->what,
	    diag_quote(c->want[i].s, c->want[i].n),
	    events_near(&c->events, c->want[i]), buf_str(&b));
	buf_free(&b);
	return -1;
}

static int
choose_put(struct sink *s, struct record *r)
{
	struct choose *c = (struct choose *)s;
	enum rec_kind kind = rec_kind(r);

	if (kind == REC_EVENT && c->in_header) {
		events_add(&c->events, r);
		return 0;
	}
	if (c->in_header && kind != REC_META && kind != REC_TAG &&
	    !rec_is_def(kind) && settle(c) < 0)
		return -1;
	if (kind == REC_PART) {
		events_clear(&c->events);
		c->in_header = c->any_part = true;
	}
	if (r->def->tail & REC_VALUES && choose_values(c, r) < 0)
		return -1;
	/* A point's costs are of the first event. */
	if (kind == REC_POINT && (!c->ncol || c->col[0].from != 0))
		return diag_fail(c->diag, "%s: points know the cost of one event "
		    "alone, the first", c->what);
	if (kind == REC_END && check_seen(c) < 0)
		return -1;
	return sink_put(s->next, r);
}

static void
choose_free(struct sink *s)
{
	struct choose *c = (struct choose *)s;
	size_t i;

	for (i = 0; i < c->n && c->col; i++)
		free(c->col[i].coef);
	free(c->col);
	free(c->want);
	free(c->seen);
	free(c->text);
	free(c->what);
	events_free(&c->events);
	buf_free(&c->out);
	sink_free(s->next);
	free(c);
}

struct sink *
filter_events(const char *list, const char *what, struct sink *next, struct diag *d)
{
	struct choose *c = mem_alloc(1, sizeof *c);
	struct text word;

	c->sink = (struct sink){ .put = choose_put, .free = choose_free, .next = next };
	c->diag = d;
	c->what = mem_copy(what, strlen(what));
	c->text = mem_copy(list, strlen(list));
	for (list = c->text; list_next(&list, &word); ) {
		if (!word.n || memchr(word.s, '/', word.n)) {
			diag_fail_plain(d, "%s: expected an event or a sum of "
			    "events, found %s", what, diag_quote(word.s, word.n));
			sink_free(&c->sink);
			return NULL;
		}
		if (is_chosen(c, word))
			continue;
		c->want = mem_grow(c->want, &c->cap, c->n + 1, sizeof *c->want);
		c->want[c->n++] = word;
	}
	c->col = mem_alloc(c->n, sizeof *c->col);
	c->seen = mem_alloc(c->n, sizeof *c->seen);
	return &c->sink;
}
