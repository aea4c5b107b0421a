/* SPDX-License-Identifier: ISC */
/*
 * Events to slices: `X` has its duration, `B` and `E` begin and end one, in the order of
 * time in each thread.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "trace.h"
#include "util/mem.h"

#define MOST_TIME ((num)1 << 61)

/* By thread, then the outer before the inner ones. */
static int
by_place(const void *a, const void *b)
{
	const struct slice *x = a, *y = b;

	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->n < y->n ? -1 : x->n > y->n;
}

void
trace_init_slices(struct slices *s, struct diag *diag)
{
	sums_init(&s->threads, 2, 0);
	sums_init(&s->names, 2, 1);
	sorter_init(&s->sorter, sizeof(struct slice), by_place, diag);
}

void
trace_free_slices(struct slices *s)
{
	size_t i;

	for (i = 0; i < s->threads.n; i++)
		free(s->thread[i].open);
	free(s->thread);
	sums_free(&s->threads);
	sums_free(&s->names);
	sorter_free(&s->sorter);
}

/* ---- the fields of an event ---- */

/* Reads a time in microseconds: the result of a line. */
static int
read_time(struct trace *t, const struct event *e, const char *at, int64_t *ns)
{
	struct json_reader *j = &t->w.doc.j;
	const char *was = j->at;
	bool exact = true;
	num v = 0;

	if (!at)
		return EVENT_BAD(t, e->at, "an event without a time");
	j->at = at;
	if (json_read_kind(j) != JSON_NUMBER || !json_read_fixed(j, 3, &v, &exact))
		v = NUM_MAX;
	j->why = NULL;
	j->at = was;
	if (*at != '-' && (*at < '0' || *at > '9'))
		return EVENT_BAD(t, at, "expected a time, a number");
	if (v < -MOST_TIME || v > MOST_TIME)
		return EVENT_BAD(t, at, "a time of more than 73 years");
	*ns = (int64_t)v;
	t->slices.inexact |= !exact;
	t->slices.parts |= *ns % 1000 != 0;
	return 0;
}

static struct thread *
thread_of(struct trace *t, const struct event *e, uint32_t *row)
{
	struct slices *s = &t->slices;
	const uint64_t key[] = { trace_string(t, e->process), trace_string(t, e->thread) };
	const size_t n = s->threads.n;

	*row = (uint32_t)sums_row(&s->threads, key);
	s->thread = mem_grow(s->thread, &s->capthread, s->threads.n, sizeof *s->thread);
	if (*row == n)
		s->thread[n] = (struct thread){ .pid = (uint32_t)key[0],
		    .tid = (uint32_t)key[1], .latest = INT64_MIN };
	return &s->thread[*row];
}

/* Returns the number of open slices of a name in a thread. */
static num *
open_of(struct slices *s, uint32_t thread, uint32_t name)
{
	const uint64_t key[] = { thread, name };

	return sums_val(&s->names, sums_row(&s->names, key));
}

/* ---- arguments ---- */

struct arguments {
	struct trace *t;
	bool total;		/* of a total of clang's -ftime-trace */
	struct text detail;
};

static int
read_arguments(void *arg)
{
	struct arguments *a = arg;
	struct document *doc = &a->t->w.doc;
	struct text key;

	for (json_read_object(&doc->j); json_read_key(&doc->j, &key); ) {
		a->total |= text_is(key, "avg ms");
		if (text_is(key, "detail") && json_read_kind(&doc->j) == JSON_STRING)
			a->detail = document_text(doc);
		else
			json_read_skip(&doc->j);
	}
	return 0;
}

/* Reads the arguments of an event, if they are an object. */
static struct arguments
arguments_of(struct trace *t, const struct event *e)
{
	struct arguments a = { .t = t };

	if (e->args && *e->args == '{')
		document_reread(&t->w.doc, e->args, read_arguments, &a);
	return a;
}

/* Is it a row of totals, which repeats what other rows have?  Clang has one for each name,
 * Kineto one for the whole trace. */
static bool
is_total(struct trace *t, const struct event *e, const struct slice *s)
{
	struct dict *dict = t->w.doc.d->dict;

	return (text_begins(dict_text(dict, s->name), "Total ") && arguments_of(t, e).total) ||
	    (text_is(dict_text(dict, s->category), "Trace") &&
	    text_is(dict_text(dict, t->slices.thread[s->thread].pid), "Spans"));
}

/* Appends the detail of an event to the name, if that is asked for. */
static void
add_detail(struct trace *t, const struct event *e, struct slice *s)
{
	const struct trace_options *o = t->w.doc.d->options;
	struct dict *dict = t->w.doc.d->dict;
	const struct text detail = o->details ? arguments_of(t, e).detail : (struct text){ 0 };
	struct buf name = { 0 };

	if (!detail.n)
		return;
	buf_text(&name, dict_text(dict, s->name));
	buf_putc(&name, ' ');
	buf_text(&name, detail);
	s->name = dict_str(dict, buf_as_text(&name));
	buf_free(&name);
}

/* ---- slices ---- */

static int
add(struct trace *t, const struct slice *s)
{
	struct thread *th = &t->slices.thread[s->thread];
	const int64_t latest = s->end == NO_END ? s->begin : s->end;

	if (latest > th->latest)
		th->latest = latest;
	t->slices.added++;
	t->slices.unended += s->end == NO_END;
	return sorter_add(&t->slices.sorter, s);
}

/* Programs write a slice when it begins or when it has ended.  This tells which of two is the
 * outer one where they have the same times. */
static void
see_order(struct thread *th, const struct slice *s)
{
	const struct slice *last = &th->last;
	const bool same = s->begin == last->begin && s->end == last->end;

	if (last->end > last->begin && s->end > s->begin && !same) {
		th->outer_last += s->begin <= last->begin && s->end >= last->end;
		th->inner_last += s->begin >= last->begin && s->end <= last->end;
	}
	th->last = *s;
}

static int
take_whole(struct trace *t, const struct event *e, struct slice *s)
{
	int64_t lasts = 0;
	int ret;

	if (is_total(t, e, s))
		return 0;
	add_detail(t, e, s);
	s->end = NO_END;
	if (e->duration) {
		if ((ret = read_time(t, e, e->duration, &lasts)))
			return ret;
		if (lasts < 0)
			return EVENT_BAD(t, e->duration, "a negative duration");
		s->end = s->begin + lasts;
		see_order(&t->slices.thread[s->thread], s);
	}
	return add(t, s);
}

static int
begin(struct trace *t, struct thread *th, const struct event *e, const struct slice *s)
{
	struct open_slice o = { *s, s->name, is_total(t, e, s) };

	++*open_of(&t->slices, s->thread, s->name);
	if (s->begin > th->latest)
		th->latest = s->begin;
	add_detail(t, e, &o.slice);
	th->open = mem_grow(th->open, &th->capopen, th->nopen + 1, sizeof *th->open);
	th->open[th->nopen++] = o;
	return 0;
}

/* Ends the innermost open slice, by its own event or not. */
static int
end_innermost(struct trace *t, struct thread *th, const struct event *e, int64_t at, bool own)
{
	struct open_slice *o = &th->open[--th->nopen];

	--*open_of(&t->slices, o->slice.thread, o->name);
	if (at < o->slice.begin)
		return EVENT_BAD(t, e->time, "an end before the beginning");
	o->slice.end = at;
	t->slices.unended += !own;
	if (own && o->slice.name == o->name)
		add_detail(t, e, &o->slice);
	return o->total ? 0 : add(t, &o->slice);
}

/* Ends the innermost open slice of this name, or of any.  Those inside it end with it. */
static int
end(struct trace *t, struct thread *th, const struct event *e, const struct slice *s)
{
	const bool named = s->name != NO_ID;
	bool own;
	int ret;

	if (!th->nopen || (named && !*open_of(&t->slices, s->thread, s->name))) {
		t->slices.unbegun++;
		return 0;
	}
	do {
		own = !named || th->open[th->nopen - 1].name == s->name;
		if ((ret = end_innermost(t, th, e, s->begin, own)))
			return ret;
	} while (!own);
	return 0;
}

int
trace_take_slice(struct trace *t, const struct event *e, char phase)
{
	struct slice s = { .n = t->slices.n++, .name = trace_string(t, e->name),
	    .category = trace_string(t, e->category) };
	struct thread *th = thread_of(t, e, &s.thread);
	const int ret = read_time(t, e, e->time, &s.begin);

	if (ret)
		return ret;
	return phase == 'X' ? take_whole(t, e, &s) : phase == 'B' ? begin(t, th, e, &s) :
	    end(t, th, e, &s);
}

/* ---- the part ---- */

/* Ends what is still open. */
static int
end_all(struct trace *t)
{
	struct slices *s = &t->slices;
	size_t i;

	for (i = 0; i < s->threads.n; i++)
		while (s->thread[i].nopen) {
			struct open_slice *o = &s->thread[i].open[--s->thread[i].nopen];

			o->slice.end = NO_END;
			if (!o->total && add(t, &o->slice) < 0)
				return -1;
		}
	return sorter_end(&s->sorter);
}

/* Puts the name of the process, if there is one process; otherwise names are labels. */
static int
put_command(struct trace *t)
{
	const struct slices *s = &t->slices;
	struct decode *d = t->w.doc.d;
	size_t i;
	uint32_t name;

	for (i = 0; i < s->threads.n; i++)
		if (s->thread[i].pid != s->thread[0].pid)
			return 0;
	name = trace_name(t, s->thread[0].pid, NO_ID);
	return name == NO_ID ? 0 : meta_put(d->out, "cmd", dict_text(d->dict, name));
}

static void
say(struct trace *t, enum diag_level level, uint64_t n, const char *one, const char *several,
    const char *what)
{
	if (n)
		diag_say(t->w.doc.d->diag, level, "%" PRIu64 " %s %s", n, n == 1 ? one : several,
		    what);
}

static void
say_losses(struct trace *t)
{
	const struct slices *s = &t->slices;

	say(t, DIAG_WARN, s->unended, "event has no end of its own, and ends",
	    "events have no end of their own, and end", "with the one around them, or with the "
	    "last one of the thread");
	say(t, DIAG_WARN, s->unbegun, "end has", "ends have", "no beginning, and do not count");
	say(t, DIAG_NOTE, s->async, "asynchronous event", "asynchronous events", "not read: they "
	    "are not in a thread");
	if (s->inexact)
		diag_say(t->w.doc.d->diag, DIAG_WARN, "fractions of nanoseconds are "
		    "rounded");
}

int
trace_put_slices(struct trace *t)
{
	struct decode *d = t->w.doc.d;

	if (end_all(t) < 0 || decode_part(d, "trace", (struct text){ 0 }) < 0 ||
	    put_command(t) < 0 ||
	    DECODE_EVENT(d, 0, .name = TEXT("time"), .unit = t->slices.parts ? TEXT("ns") :
	    TEXT("us"), .attrs = TEXT("calls=absent\tdefault=1")) < 0 ||
	    DECODE_EVENT(d, 1, .name = TEXT("slices")) < 0 || trace_put_nested(t) < 0)
		return -1;
	say_losses(t);
	return 0;
}
