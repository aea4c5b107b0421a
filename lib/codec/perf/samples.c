/* SPDX-License-Identifier: ISC */
/* Samples, from the lines of events: their event, period and labels. */
#include "reader.h"

#include <stdlib.h>

#include "codec/times.h"
#include "util/mem.h"

#define THREAD_BEGIN 16		/* bytes of an event's line, about a thread's name: */
#define COMM_WIDTH 16		/* a thread's name is right-aligned to, where no stack follows */
#define THREADS 256		/* so many of them */

void
perf_samples_init(struct samples *s)
{
	s->threads = mem_alloc(THREADS, sizeof *s->threads);
}

/* ---- the profile's events ---- */

/* The part of an event's name that says what it counts. */
static struct text
base_of(struct text name)
{
	const char *slash = name.n ? memchr(name.s, '/', name.n) : NULL, *second, *colon;

	/* cpu_core/cycles/u */
	if (slash && (second = memchr(slash + 1, '/',
	    (size_t)(name.s + name.n - slash - 1))))
		name = (struct text){ slash + 1, (size_t)(second - slash - 1) };
	if ((colon = name.n ? memchr(name.s, ':', name.n) : NULL))
		name.n = (size_t)(colon - name.s);
	return name;
}

static struct text
unit_of(struct text name)
{
	name = base_of(name);
	return text_is(name, "cycles") || text_is(name, "cpu-cycles") ? TEXT("cycles") :
	    text_is(name, "cpu-clock") || text_is(name, "task-clock") ? TEXT("ns") :
	    (struct text){ 0 };
}

/* What the first bytes say of periods, and what these are of if that is one event. */
int
perf_samples_look(struct reader *rd)
{
	const char *p, *end, *lf;
	struct buf name = { 0 };
	struct perf_event e;
	bool several = false;
	long peek = in_peek(rd->d->in, &p);

	if (peek < 0)
		return -1;
	end = p + (peek > PERF_PEEK ? PERF_PEEK : peek);
	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		if (perf_is_comment(p, lf) || *p == '\t' || !perf_event_line(p, lf, &e) ||
		    e.record)
			continue;
		rd->samples.has_period |= e.period.s != NULL;
		several |= name.n && !text_eq(buf_as_text(&name), e.name);
		if (!name.n)
			buf_text(&name, e.name);
	}
	if (!several)
		rd->samples.unit = unit_of(buf_as_text(&name));
	buf_free(&name);
	return 0;
}

static int
put_event(struct reader *rd, unsigned i, const char *name, struct text unit)
{
	struct record r = rec_make(REC_EVENT);

	r.col[EVENT_ID].n = i;
	r.col[EVENT_NAME].t = text_of(name);
	r.col[EVENT_UNIT].t = unit;
	r.attrs = TEXT("calls=absent");
	return sink_put(rd->d->out, &r);
}

/* What is known of the file comes before the events. */
int
perf_samples_events(struct reader *rd)
{
	if (rd->samples.began)
		return 0;
	rd->samples.began = true;
	return put_event(rd, 0, "samples", (struct text){ 0 }) < 0 ||
	    (rd->samples.has_period &&
	    put_event(rd, 1, "period", rd->samples.unit) < 0) ? -1 : 0;
}

/* ---- samples ---- */

static void
make_labels(struct thread *t, const char *p, const struct perf_event *e)
{
	struct buf *b = &t->labels;

	b->n = t->head.n = 0;
	if (e->comm.s)
		attr_add(b, "comm", e->comm);
	if (e->pid.s)
		attr_add(b, "pid", e->pid);
	if (e->tid.s)
		attr_add(b, "tid", e->tid);
	buf_add(&t->head, p, e->head);
	t->timed = e->time.s != NULL;
}

static void
make_event_label(struct reader *rd, struct text name)
{
	if (text_eq(buf_as_text(&rd->samples.name), name))
		return;
	rd->samples.name.n = rd->samples.event.n = 0;
	buf_text(&rd->samples.name, name);
	rd->samples.other_unit = rd->samples.unit.s &&
	    !text_eq(unit_of(name), rd->samples.unit);
	attr_add(&rd->samples.event, "event", name);
}

/* Mostly an event of a thread that had one. */
bool
perf_samples_parse(struct reader *rd, const char *p, const char *end, struct perf_event *e)
{
	const size_t most = (size_t)(end - p);
	struct thread *t = &rd->samples.threads[memo_hash((struct text){ p,
	    most < THREAD_BEGIN ? most : THREAD_BEGIN }) % THREADS];
	const size_t n = t->head.n;

	rd->samples.thread = t;
	rd->samples.same_thread = n && most > n && memcmp(p, t->head.s, n) == 0 &&
	    perf_blank(p[n]) && perf_event_fields(p + n, end, t->timed, e) && e->name.s;
	return rd->samples.same_thread || perf_event_line(p, end, e);
}

static struct text
without_zeros(struct text number)
{
	while (number.n > 1 && *number.s == '0')
		number.s++, number.n--;
	return number;
}

/* What the sample will have. */
void
perf_samples_begin(struct reader *rd, const char *p, const struct perf_event *e)
{
	struct thread *t = rd->samples.thread;

	if (!rd->samples.same_thread)
		make_labels(t, p, e);
	rd->samples.attrs.n = 0;
	if (e->name.s) {
		make_event_label(rd, e->name);
		buf_text(&rd->samples.attrs, buf_as_text(&rd->samples.event));
	}
	if (rd->samples.attrs.n && t->labels.n)
		buf_putc(&rd->samples.attrs, '\t');
	buf_text(&rd->samples.attrs, buf_as_text(&t->labels));
	if (keep_times && e->cpu.s)
		attr_add(&rd->samples.attrs, "cpu", without_zeros(e->cpu));
	if (keep_times && e->time.s)
		attr_add(&rd->samples.attrs, "time", e->time);
	rd->samples.values.n = 0;
	buf_putc(&rd->samples.values, '1');
	rd->samples.stack_follows = !perf_blank(*p) && e->comm.n < COMM_WIDTH && !e->rest.n;
	if (rd->samples.has_period) {
		rd->samples.other_units += rd->samples.other_unit && e->period.s;
		buf_putc(&rd->samples.values, '\t');
		buf_text(&rd->samples.values, e->period.s ? without_zeros(e->period) :
		    TEXT("-"));
	} else {
		rd->samples.periods += e->period.s != NULL;
	}
	rd->samples.inlined.n = 0;
	buf_text(&rd->samples.inlined, e->rest);
	rd->samples.open = true;
}

int
perf_samples_put(struct reader *rd, uint32_t ctx)
{
	struct record r = rec_make(REC_SAMPLE);

	rd->samples.open = false;
	r.col[0].n = ctx;
	r.values = buf_as_text(&rd->samples.values);
	if (rd->samples.attrs.n)
		r.attrs = buf_as_text(&rd->samples.attrs);
	return sink_put(rd->d->out, &r);
}

void
perf_samples_free(struct samples *s)
{
	size_t i;

	for (i = 0; i < THREADS; i++) {
		buf_free(&s->threads[i].head);
		buf_free(&s->threads[i].labels);
	}
	free(s->threads);
	buf_free(&s->values);
	buf_free(&s->attrs);
	buf_free(&s->inlined);
	buf_free(&s->name);
	buf_free(&s->event);
}
