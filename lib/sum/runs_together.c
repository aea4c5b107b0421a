/* SPDX-License-Identifier: ISC */
/* Statistics of the runs whose events have names of their own. */
#include "sum/runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "stream/event.h"
#include "stream/sums.h"
#include "util/mem.h"

#define ABSENT NUM_MIN

enum side { ALONE, OLD, NEW, SIDES };

static const char *const side_name[SIDES] = { "", "old", "new" };

/* An event's runs, by side; these are columns of the input. */
struct event_runs {
	struct record *first;	/* the event of the first one */
	size_t *column[SIDES], n[SIDES], cap[SIDES];
};

/* A column of the output, as it is made of an event's runs or of one column. */
struct made {
	enum { MEAN, CHANGE, RUNS, LEAST, MOST, DEVIATION, SAME, MEAN_CALLS } what;
	enum side side;
	size_t of;		/* the event, the column */
};

struct together {
	struct sink sink;
	struct diag *diag;
	enum runs_keep keep;
	struct events events;	/* of the part */
	bool in_header;
	struct event_runs *event;
	size_t nevent, capevent;
	struct lookup named;	/* by name: in event */
	uint64_t runs[SIDES];
	struct made *made;
	size_t nmade, capmade;
	num *value;		/* of a record, by column of the input */
	size_t capvalue;
	struct buf out;
	char sum[REC_COLS][NUM_TEXT];	/* of columns that a sum adds up */
};

/* The mean, rounded to nearest. */
static num
mean(num sum, uint64_t n)
{
	num q = sum / (num)n, rest = sum % (num)n;

	if (2 * (rest < 0 ? -rest : rest) >= (num)n)
		q += sum < 0 ? -1 : 1;
	return q;
}

/* ---- the events of a part ---- */

static enum side
side_of(const struct record *event)
{
	return event_has_role(event, "old") ? OLD : event_has_role(event, "new") ? NEW :
	    ALONE;
}

/* Has only the other side this run?  Its change says so. */
static bool
is_lacking(const struct together *t, const struct record *event, enum side side)
{
	struct buf of = { 0 }, only = { 0 };
	long change = events_find(&t->events, attr_get(event->attrs, "of", &of));
	struct text is = change < 0 ? (struct text){ 0 } :
	    attr_get(events_at(&t->events, (size_t)change)->attrs, "only", &only);
	const bool lacking = is.s && !text_is(is, side_name[side]);

	buf_free(&of);
	buf_free(&only);
	return lacking;
}

static struct event_runs *
runs_of(struct together *t, struct text name, const struct record *event)
{
	const size_t at = lookup_add(&t->named, name, t->nevent);

	if (at == t->nevent) {
		t->event = mem_grow(t->event, &t->capevent, t->nevent + 1,
		    sizeof *t->event);
		t->event[t->nevent++] = (struct event_runs){ .first = rec_keep(event) };
	}
	return &t->event[at];
}

static void
add_column(struct together *t, size_t column)
{
	const struct record *event = events_at(&t->events, column);
	const enum side side = side_of(event);
	struct event_runs *e;
	struct text name;
	uint64_t run;

	if (!runs_name(event->col[EVENT_NAME].t, &name, &run))
		return;
	e = runs_of(t, name, event);
	if (event_has_role(event, "delta") || (side != ALONE && is_lacking(t, event, side)))
		return;
	e->column[side] = mem_grow(e->column[side], &e->cap[side], e->n[side] + 1,
	    sizeof *e->column[side]);
	e->column[side][e->n[side]++] = column;
	if (run > t->runs[side])
		t->runs[side] = run;
}

static void
forget_events(struct together *t)
{
	size_t i;
	int side;

	for (i = 0; i < t->nevent; i++) {
		free(t->event[i].first);
		for (side = 0; side < SIDES; side++)
			free(t->event[i].column[side]);
	}
	t->nevent = t->nmade = 0;
	memset(t->runs, 0, sizeof t->runs);
	lookup_clear(&t->named);
}

/* ---- the events that are made of them ---- */

static void
add_made(struct together *t, struct made m)
{
	t->made = mem_grow(t->made, &t->capmade, t->nmade + 1, sizeof *t->made);
	t->made[t->nmade++] = m;
}

/* The event's own attributes, without what a difference adds; a number of runs is in no
 * unit, so it has no scale, and only means are the inclusive cost of means, and a default. */
static void
own_attrs(struct buf *out, struct text attrs, const struct made *m)
{
	struct text key, v;
	struct buf scratch = { 0 };

	while (attr_next(&attrs, &scratch, &key, &v))
		if (!text_is(key, "role") && !text_is(key, "of") && !text_is(key, "only") &&
		    !(text_is(key, "scale") && m->what == RUNS) &&
		    !((text_is(key, "inclusive") || text_is(key, "default")) && m->what != MEAN && m->what != CHANGE))
			attr_add_text(out, key, v);
	buf_free(&scratch);
}

/* Puts an event that is made of runs: its name is that of theirs with a suffix, and it
 * has these attributes besides its own. */
static int
put_made(struct together *t, size_t i, struct made m, const char *suffix,
    struct text attrs)
{
	struct record r = *t->event[i].first;
	struct buf name = { 0 }, all = { 0 };
	struct text event;
	uint64_t run;
	int ret;

	runs_name(r.col[EVENT_NAME].t, &event, &run);
	buf_text(&name, event);
	buf_puts(&name, suffix);
	own_attrs(&all, r.attrs, &m);
	if (attrs.n) {
		if (all.n)
			buf_putc(&all, '\t');
		buf_text(&all, attrs);
	}
	r.col[EVENT_ID].n = t->nmade;
	r.col[EVENT_NAME].t = buf_as_text(&name);
	if (m.what == RUNS)
		r.col[EVENT_UNIT].t = (struct text){ 0 };
	r.attrs = all.n ? buf_as_text(&all) : (struct text){ 0 };
	m.of = i;
	add_made(t, m);
	ret = sink_put(t->sink.next, &r);
	buf_free(&name);
	buf_free(&all);
	return ret;
}

static int
put_sides(struct together *t, size_t i)
{
	const struct event_runs *e = &t->event[i];
	struct buf of = { 0 }, attrs = { 0 };
	struct text name;
	uint64_t run;
	int side, ret;

	runs_name(e->first->col[EVENT_NAME].t, &name, &run);
	attr_add(&of, "of", name);
	attr_add(&attrs, "role", TEXT("delta"));
	if (!e->n[OLD] || !e->n[NEW])
		attr_add(&attrs, "only", text_of(side_name[e->n[OLD] ? OLD : NEW]));
	ret = put_made(t, i, (struct made){ CHANGE, ALONE, 0 }, "", buf_as_text(&attrs));
	for (side = OLD; side <= NEW && ret == 0; side++) {
		attrs.n = 0;
		buf_text(&attrs, buf_as_text(&of));
		attr_add(&attrs, "role", text_of(side_name[side]));
		ret = put_made(t, i, (struct made){ MEAN, side, 0 },
		    side == OLD ? ".old" : ".new", buf_as_text(&attrs));
	}
	buf_free(&of);
	buf_free(&attrs);
	return ret;
}

static int
put_alone(struct together *t, size_t i)
{
	static const struct {
		struct made made;
		const char *suffix;
	} stats[] = {
		{ { RUNS, ALONE, 0 }, ".runs" }, { { LEAST, ALONE, 0 }, ".min" },
		{ { MOST, ALONE, 0 }, ".max" }, { { DEVIATION, ALONE, 0 }, ".sd" },
	};
	size_t k, n = t->keep == RUNS_STATS ? sizeof stats / sizeof *stats : 0;
	int ret = put_made(t, i, (struct made){ MEAN, ALONE, 0 }, "", (struct text){ 0 });

	for (k = 0; k < n && ret == 0; k++)
		ret = put_made(t, i, stats[k].made, stats[k].suffix, (struct text){ 0 });
	return ret;
}

/* Events that are no run's are counts of calls. */
static int
put_others(struct together *t)
{
	struct text name;
	uint64_t run;
	size_t i;

	for (i = 0; i < t->events.measured; i++) {
		struct record r = *events_at(&t->events, i);
		const bool of_run = runs_name(r.col[EVENT_NAME].t, &name, &run);

		if (of_run && t->keep != RUNS_ALL)
			continue;
		r.col[EVENT_ID].n = t->nmade;
		add_made(t, (struct made){ of_run ? SAME : MEAN_CALLS, side_of(&r), i });
		if (sink_put(t->sink.next, &r) < 0)
			return -1;
	}
	return 0;
}

static int
put_fact(struct together *t)
{
	char text[96];

	if (t->runs[ALONE] > 1)
		snprintf(text, sizeof text, "means of %ju runs, rounded",
		    (uintmax_t)t->runs[ALONE]);
	else if (t->runs[OLD] > 1 || t->runs[NEW] > 1)
		snprintf(text, sizeof text, "means of %ju old and %ju new runs, rounded",
		    (uintmax_t)t->runs[OLD], (uintmax_t)t->runs[NEW]);
	else
		return 0;
	return meta_put(t->sink.next, "estimate", text_of(text));
}

/* The part's header is over. */
static int
settle(struct together *t)
{
	size_t i;

	t->in_header = false;
	for (i = 0; i < t->events.measured; i++)
		add_column(t, i);
	t->value = mem_grow(t->value, &t->capvalue, t->events.measured + 1,
	    sizeof *t->value);
	if (put_fact(t) < 0)
		return -1;
	for (i = 0; i < t->nevent; i++)
		if ((t->event[i].n[ALONE] ? put_alone(t, i) : put_sides(t, i)) < 0)
			return -1;
	return put_others(t);
}

/* ---- records ---- */

static int
too_large(struct together *t)
{
	return diag_fail(t->diag, "a sum does not fit 128 bits");
}

/* The runs' sum of a record, of those that have a value: how many are they? */
static int
add_runs(struct together *t, const struct event_runs *e, enum side side, num *sum,
    uint64_t *had)
{
	size_t i;

	*sum = 0;
	*had = 0;
	for (i = 0; i < e->n[side]; i++) {
		const num v = t->value[e->column[side][i]];

		if (v == ABSENT)
			continue;
		++*had;
		if (num_add(sum, v) < 0)
			return too_large(t);
	}
	return 0;
}

static int
deviation_of(struct together *t, const struct event_runs *e, num sum, num *out)
{
	const size_t n = e->n[ALONE];
	const long double middle = (long double)sum / (long double)n;
	long double squares = 0, deviation;
	size_t i;

	for (i = 0; i < n; i++) {
		const num v = t->value[e->column[ALONE][i]];
		const long double off = (v == ABSENT ? 0 : (long double)v) - middle;

		squares += off * off;
	}
	*out = ABSENT;
	if (n < 2)
		return 0;
	deviation = roundl(sqrtl(squares / (long double)(n - 1)));
	if (deviation >= 0x1p127L)	/* of the least and the largest number */
		return too_large(t);
	*out = (num)deviation;
	return 0;
}

static num
end_of(const struct together *t, const struct event_runs *e, bool most)
{
	num end = ABSENT, v;
	size_t i;

	for (i = 0; i < e->n[ALONE]; i++) {
		v = t->value[e->column[ALONE][i]];
		v = v == ABSENT ? 0 : v;
		if (end == ABSENT || (most ? v > end : v < end))
			end = v;
	}
	return end;
}

/* The mean of a side; ABSENT if no run has the row. */
static int
mean_of(struct together *t, const struct event_runs *e, enum side side, num *out)
{
	num sum;
	uint64_t had;

	if (add_runs(t, e, side, &sum, &had) < 0)
		return -1;
	*out = had ? mean(sum, e->n[side]) : ABSENT;
	return 0;
}

static int
change_of(struct together *t, const struct event_runs *e, num *out)
{
	num old;

	if (mean_of(t, e, NEW, out) < 0 || mean_of(t, e, OLD, &old) < 0)
		return -1;
	if (*out == ABSENT && old == ABSENT)
		return 0;
	*out = *out == ABSENT ? 0 : *out;
	return num_sub(out, old == ABSENT ? 0 : old) < 0 ? too_large(t) : 0;
}

static int
make(struct together *t, const struct made *m, num *out)
{
	const struct event_runs *e = &t->event[m->of];
	uint64_t had;
	num sum;

	switch (m->what) {
	case SAME:
		*out = t->value[m->of];
		return 0;
	case MEAN_CALLS:
		*out = t->value[m->of];
		if (*out != ABSENT && t->runs[m->side])
			*out = mean(*out, t->runs[m->side]);
		return 0;
	case MEAN:
		return mean_of(t, e, m->side, out);
	case CHANGE:
		return change_of(t, e, out);
	default:
		break;
	}
	if (add_runs(t, e, ALONE, &sum, &had) < 0)
		return -1;
	if (had && m->what == DEVIATION)
		return deviation_of(t, e, sum, out);
	*out = !had ? ABSENT : m->what == RUNS ? (num)had : end_of(t, e, m->what == MOST);
	return 0;
}

/* Trailing values that are omitted are 0, not absent. */
static int
read_values(struct together *t, struct text values)
{
	struct sums_run run = { .values = values, .n = t->events.measured, .init = ABSENT };
	size_t i;

	for (i = 0; i < run.n; i++)
		t->value[i] = ABSENT;
	if (sums_add_run(&run, t->value) < 0)
		return too_large(t);
	for (i = run.found; i < run.n; i++)
		t->value[i] = 0;
	return 0;
}

static int
make_values(struct together *t, struct text values)
{
	size_t i, end = 0;
	num v;

	t->out.n = 0;
	if (read_values(t, values) < 0)
		return -1;
	for (i = 0; i < t->nmade; i++) {
		if (make(t, &t->made[i], &v) < 0)
			return -1;
		if (i)
			buf_putc(&t->out, '\t');
		if (v == ABSENT)
			buf_putc(&t->out, '-');
		else
			num_add_whole(&t->out, v);
		if (v)
			end = t->out.n;
	}
	t->out.n = end;
	return 0;
}

/* How often something was called, and the like. */
static int
mean_column(struct together *t, struct record *r)
{
	unsigned i;
	num n;

	for (i = 0; i < r->def->ncol && t->runs[ALONE] > 1; i++) {
		const struct text was = r->col[i].t;

		if (r->def->col[i].role != ROLE_SUM || !was.s)
			continue;
		if (num_get_num(was.s, was.n, &n) < 0)
			return too_large(t);
		r->col[i].t = num_text(t->sum[i], mean(n, t->runs[ALONE]));
	}
	return 0;
}

static int
together_put(struct sink *s, const struct record *r)
{
	struct together *t = (struct together *)s;
	const enum rec_kind kind = rec_kind(r);
	struct record out;

	if (kind == REC_EVENT && t->in_header) {
		events_add(&t->events, r);
		return 0;
	}
	if (t->in_header && kind != REC_META && kind != REC_TAG && settle(t) < 0)
		return -1;
	if (kind == REC_PART) {
		events_clear(&t->events);
		forget_events(t);
		t->in_header = true;
	}
	if (!rec_is_measured(kind) && kind != REC_TOTAL)
		return sink_put(s->next, r);
	rec_copy(&out, r);
	if (mean_column(t, &out) < 0)
		return -1;
	if (r->def->tail & REC_VALUES) {
		if (make_values(t, r->values) < 0)
			return -1;
		out.values = t->out.n ? buf_as_text(&t->out) : (struct text){ 0 };
	}
	return sink_put(s->next, &out);
}

static void
together_free(struct sink *s)
{
	struct together *t = (struct together *)s;

	forget_events(t);
	free(t->event);
	events_free(&t->events);
	lookup_free(&t->named);
	free(t->made);
	free(t->value);
	buf_free(&t->out);
	free(t);
}

struct sink *
runs_together(enum runs_keep keep, struct diag *d)
{
	struct together *t = mem_alloc(1, sizeof *t);

	t->sink = (struct sink){ .put = together_put, .free = together_free };
	t->diag = d;
	t->keep = keep;
	return &t->sink;
}
