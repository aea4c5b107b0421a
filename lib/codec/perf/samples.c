/* SPDX-License-Identifier: ISC */
/* Samples from the lines of events: their event, period and labels. */
#include "reader.h"

#include <stdlib.h>

#include "codec/perf_event.h"
#include "util/mem.h"

#define THREAD_BEGIN 16		/* bytes of an event's line, about the length of a thread's
				 * name */
#define COMM_WIDTH 16		/* a thread's name is right-aligned to this if no stack
				 * follows */
#define MOST_EVENTS 1000	/* a part has twice as many columns */
#define THREADS 256		/* number of entries for threads */

void
perf_samples_init(struct samples *s)
{
	s->threads = mem_alloc(THREADS, sizeof *s->threads);
}

/* ---- the profile's events ---- */

static enum perf_event_has
has(const struct samples *s)
{
	return s->has_period ? PERF_EVENT_PERIODS : PERF_EVENT_SAMPLES;
}

/* Returns the number of an event by its name, which is added if it is new. */
static size_t
event_of(struct samples *s, struct text name)
{
	const size_t at = name_index_add(&s->events, name, s->nevents);

	if (at == s->nevents) {
		s->event_name = mem_grow(s->event_name, &s->capevents, s->nevents + 1,
		    sizeof *s->event_name);
		s->event_name[s->nevents] = (struct buf){ 0 };
		buf_text(&s->event_name[s->nevents++], name);
	}
	return at;
}

int
perf_samples_look(struct reader *rd)
{
	const char *p, *end, *lf;
	struct perf_event e;
	long peek = in_peek(rd->d->in, &p);

	if (peek < 0)
		return -1;
	end = p + (peek > PERF_PEEK ? PERF_PEEK : peek);
	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		if (perf_is_comment(p, lf) || *p == '\t' || !perf_event_line(p, lf, &e) ||
		    e.record)
			continue;
		rd->samples.has_period |= e.period.s != NULL;
		if (rd->samples.nevents <= MOST_EVENTS)
			event_of(&rd->samples, e.name);
	}
	rd->samples.several = rd->samples.nevents > 1;
	return 0;
}

int
perf_samples_part(struct reader *rd)
{
	return decode_part(rd->d, "perf", rd->addrs ? TEXT("positions=addr") :
	    (struct text){ 0 });
}

int
perf_samples_fact(struct reader *rd, const char *key, struct text value)
{
	struct buf list = { 0 };
	struct record r = rec_make(REC_META);

	field_escape(&list, value);
	r.col[0].t = text_of(key);
	r.attrs = buf_as_text(&list);
	late_records_keep(&rd->samples.facts, &r);
	buf_free(&list);
	return meta_put(rd->d->out, key, value);
}

/* Metadata of the file come before the events. */
int
perf_samples_events(struct reader *rd)
{
	size_t i;

	if (rd->samples.began)
		return 0;
	if (rd->samples.nevents > MOST_EVENTS)
		return diag_fail(rd->d->diag, "more than %u events: choose some with perf "
		    "script -e", MOST_EVENTS);
	rd->samples.began = true;
	if (!rd->samples.nevents)
		event_of(&rd->samples, (struct text){ 0 });
	for (i = 0; i < rd->samples.nevents; i++)
		if (perf_event_put(rd->d, i, buf_as_text(&rd->samples.event_name[i]),
		    rd->samples.several || i, has(&rd->samples)) < 0)
			return -1;
	return 0;
}

/* Begins a part with an event that the part before does not have. */
static int
begin_next_part(struct reader *rd)
{
	struct samples *s = &rd->samples;
	size_t i;

	rd->d->session->runs--;		/* it belongs to the same run */
	if (perf_samples_part(rd) < 0)
		return -1;
	for (i = 0; i < s->facts.n; i++)
		if (sink_put(rd->d->out, s->facts.v[i]) < 0)
			return -1;
	s->began = false;
	return perf_samples_events(rd);
}

/* ---- samples ---- */

static void
make_labels(struct thread *t, const char *p, const struct perf_event *e)
{
	struct buf *b = &t->labels;

	b->n = t->head.n = 0;
	perf_event_labels(b, e->comm, e->pid, e->tid);
	buf_add(&t->head, p, e->head);
	t->timed = e->time.s != NULL;
	t->stack_follows = !perf_blank(*p) && e->comm.n < COMM_WIDTH;
}

/* Sets the event of the sample, and its label. */
static int
see_event(struct reader *rd, struct text name)
{
	struct samples *s = &rd->samples;
	const size_t n = s->nevents;

	if (text_eq(buf_as_text(&s->name), name))
		return 0;
	s->name.n = s->label.n = 0;
	buf_text(&s->name, name);
	attr_add(&s->label, "event", name);
	s->at = event_of(s, name);
	return s->nevents > n ? begin_next_part(rd) : 0;
}

/* Usually it is an event of a thread that had one before. */
bool
perf_samples_parse(struct reader *rd, const char *p, const char *end, struct perf_event *e)
{
	const size_t most = (size_t)(end - p);
	struct thread *t = &rd->samples.threads[hash_bytes(p,
	    most < THREAD_BEGIN ? most : THREAD_BEGIN) % THREADS];
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

/* Sets the fields of the sample. */
int
perf_samples_begin(struct reader *rd, const char *p, const struct perf_event *e)
{
	struct thread *t = rd->samples.thread;
	size_t i;

	if (!rd->samples.same_thread)
		make_labels(t, p, e);
	rd->samples.attrs.n = 0;
	if (e->name.s) {
		if (see_event(rd, e->name) < 0)
			return -1;
		buf_text(&rd->samples.attrs, buf_as_text(&rd->samples.label));
	}
	if (rd->samples.attrs.n && t->labels.n)
		buf_putc(&rd->samples.attrs, '\t');
	buf_text(&rd->samples.attrs, buf_as_text(&t->labels));
	if (rd->times && e->cpu.s)
		attr_add(&rd->samples.attrs, "cpu", without_zeros(e->cpu));
	if (rd->times && e->time.s)
		attr_add(&rd->samples.attrs, "time", e->time);
	rd->samples.values.n = 0;
	for (i = e->name.s ? rd->samples.at * perf_event_width(has(&rd->samples)) : 0; i > 0; i--)
		buf_puts(&rd->samples.values, "0	");
	buf_putc(&rd->samples.values, '1');
	rd->samples.stack_follows = t->stack_follows && !e->rest.n;
	if (rd->samples.has_period) {
		buf_putc(&rd->samples.values, '\t');
		buf_text(&rd->samples.values, e->period.s ? without_zeros(e->period) :
		    TEXT("-"));
	} else {
		rd->samples.periods += e->period.s != NULL;
	}
	rd->samples.inlined.n = 0;
	buf_text(&rd->samples.inlined, e->rest);
	rd->samples.open = true;
	return 0;
}

int
perf_samples_put(struct reader *rd, uint32_t ctx)
{
	struct record r;

	rec_init(&r, REC_SAMPLE);
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
	buf_free(&s->label);
	while (s->nevents)
		buf_free(&s->event_name[--s->nevents]);
	free(s->event_name);
	name_index_free(&s->events);
	late_records_free(&s->facts);
}
