/* SPDX-License-Identifier: ISC */
/*
 * The threads of a profile: one for each event of each track, as a thread's samples have
 * one weight.  Threads of the main event are shown at once, the others are in the viewer's
 * list of tracks.
 */
#include <stdlib.h>

#include "codec/provenance.h"
#include "util/json.h"
#include "util/mem.h"
#include "writer.h"

/* ---- the list ---- */

static int
add_thread(struct writer *w, const struct track *track, size_t event)
{
	struct thread *t;
	size_t i;

	w->thread = mem_grow(w->thread, &w->capthreads, w->nthreads + 1, sizeof *w->thread);
	t = &w->thread[w->nthreads];
	*t = (struct thread){ .track = track, .event = event };
	for (i = 0; i < track->n; i++) {
		const num v = track->sample[i].value[event];

		t->n += v != 0;
		if (v == NUM_MIN)
			return encode_fail(&w->e, "a value does not fit a weight of 128 "
			    "bits");
		if (tracks_add(&w->tracks, &t->weight, v < 0 ? -v : v) < 0)
			return -1;
	}
	w->nthreads += t->n > 0;	/* readers need a sample */
	return 0;
}

int
firefox_find_threads(struct writer *w)
{
	size_t i, k;

	for (i = 0; i < w->tracks.n; i++)
		for (k = 0; k < w->tracks.v[i].part->events.measured; k++)
			if (add_thread(w, &w->tracks.v[i], k) < 0)
				return -1;
	return 0;
}

static bool
is_main(const struct writer *w, const struct thread *t)
{
	return t->event == tracks_main_event(&w->tracks, t->track->part);
}

void
firefox_put_selection(struct writer *w)
{
	struct buf *b = &w->line;
	size_t i, most = 0;
	bool any = false;

	buf_puts(b, "\"initialVisibleThreads\":[");
	for (i = 0; i < w->nthreads; i++) {
		if (!is_main(w, &w->thread[i]))
			continue;
		buf_puts(b, any ? "," : "");
		json_decimal(b, (num)i, 0);
		if (!any || w->thread[i].weight > w->thread[most].weight)
			most = i;
		any = true;
	}
	if (!any)
		buf_putc(b, '0');
	buf_printf(b, "],\"initialSelectedThreads\":[%zu],\n", most);
}

/* ---- samples ---- */

/* Returns the type of weights: the viewer has counts, bytes and milliseconds. */
static const char *
weight_type(struct writer *w, const struct record *event, struct track_scale *scale)
{
	const uint64_t ns = tracks_nanoseconds(event);
	const struct text unit = event->col[EVENT_UNIT].t;

	*scale = (struct track_scale){ 1, 0 };
	if (ns) {
		*scale = (struct track_scale){ ns, 6 };
		return "tracing-ms";
	}
	if (text_is(unit, "B") && event_scale(event) == 1)
		return "bytes";
	tracks_lose_unit(&w->tracks, event);
	return "samples";
}

/* Writes a sample's place on the time axis: without times, one millisecond each. */
static int
add_time(struct writer *w, const struct thread *t, const struct track_sample *s, size_t i)
{
	const struct track_scale as_ns = { 1, 6 }, as_ms = { 1, 0 };

	return t->track->timed ? tracks_number(&w->tracks, &w->line, s->time, &as_ns) :
	    tracks_number(&w->tracks, &w->line, (num)i, &as_ms);
}

static int
put_times(struct writer *w, const struct thread *t)
{
	size_t i, n = 0;

	buf_puts(&w->line, "\"time\":[");
	for (i = 0; i < t->track->n; i++) {
		const struct track_sample *s = &t->track->sample[i];

		if (!s->value[t->event])
			continue;
		if (!t->track->timed && s->time != NO_TIME)
			loss_add(w->e.loss, "times of samples");
		json_comma(&w->line, n);
		if (add_time(w, t, s, n++) < 0)
			return -1;
		firefox_flush(w);
	}
	buf_puts(&w->line, "],\n");
	return 0;
}

static void
put_stacks(struct writer *w, const struct thread *t)
{
	size_t i, n = 0;

	buf_puts(&w->line, "\"stack\":[");
	for (i = 0; i < t->track->n; i++) {
		uint32_t stack;

		if (!t->track->sample[i].value[t->event])
			continue;
		json_comma(&w->line, n++);
		stack = firefox_stack(w, t->track->sample[i].ctx);
		if (stack == NO_ID)
			buf_puts(&w->line, "null");
		else
			json_decimal(&w->line, stack, 0);
		firefox_flush(w);
	}
	buf_puts(&w->line, "],\n");
}

static int
put_weights(struct writer *w, const struct thread *t, const struct track_scale *scale)
{
	size_t i, n = 0;

	buf_puts(&w->line, "\"weight\":[");
	for (i = 0; i < t->track->n; i++) {
		const num v = t->track->sample[i].value[t->event];

		if (!v)
			continue;
		json_comma(&w->line, n++);
		if (tracks_number(&w->tracks, &w->line, v, scale) < 0)
			return -1;
		firefox_flush(w);
	}
	buf_puts(&w->line, "],\n");
	return 0;
}

/* ---- threads ---- */

static struct text
process_of(const struct thread *t)
{
	const struct text label = t->track->label[TRACK_PID];
	const struct text fact = t->track->part->fact[TRACK_PROCESS];

	return label.s ? label : fact.s ? fact : TEXT("0");
}

static void
put_ids(struct writer *w, const struct thread *t, size_t i, bool main)
{
	const struct text tid = t->track->label[TRACK_TID];
	struct buf *b = &w->line;

	buf_printf(b, "\"isMainThread\":%s,\"pid\":", main ? "true" : "false");
	json_string(b, process_of(t));
	buf_puts(b, ",\"tid\":");
	if (tid.s)
		json_string(b, tid);
	else
		json_decimal(b, (num)i, 0);
}

/* Writes provenance for our own reader, which restores the unit of times. */
static void
put_origin(struct writer *w, const struct thread *t)
{
	const struct record *event = events_at(&t->track->part->events, t->event);

	provenance_add(&w->line, t->track, t->event, !tracks_nanoseconds(event) ?
	    (struct text){ 0 } : event_scale(event) > 1 ? TEXT("ns") :
	    event->col[EVENT_UNIT].t);
}

static void
put_name(struct writer *w, const struct thread *t)
{
	const struct text comm = t->track->label[TRACK_COMM];
	struct buf name = { 0 };

	tracks_name(&w->tracks, t->track, &name);
	buf_puts(&name, ": ");
	buf_text(&name, events_at(&t->track->part->events, t->event)->col[EVENT_NAME].t);
	buf_puts(&w->line, "\"name\":");
	json_string(&w->line, buf_as_text(&name));
	buf_puts(&w->line, ",\"processName\":");
	json_string(&w->line, comm.s ? comm : tracks_title(&w->tracks));
	buf_putc(&w->line, ',');
	buf_free(&name);
}

#define THREAD_BEGIN "{\"processType\":\"default\",\"processStartupTime\":0," \
	"\"processShutdownTime\":null,\"registerTime\":0,\"unregisterTime\":null," \
	"\"pausedRanges\":[],\n"
#define THREAD_MARKERS "\"markers\":{\"data\":[],\"name\":[],\"startTime\":[]," \
	"\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0},\n"
#define NO_THREAD THREAD_BEGIN "\"name\":\"no samples\",\"isMainThread\":true," \
	"\"pid\":\"0\",\"tid\":0,\n" THREAD_MARKERS "\"samples\":{\"stack\":[null]," \
	"\"time\":[0],\"weight\":[0],\"weightType\":\"samples\",\"length\":1}}"

static int
put_thread(struct writer *w, size_t i, bool main)
{
	const struct thread *t = &w->thread[i];
	struct track_scale scale;
	const char *type = weight_type(w, events_at(&t->track->part->events, t->event),
	    &scale);

	buf_puts(&w->line, THREAD_BEGIN);
	put_name(w, t);
	put_ids(w, t, i, main);
	buf_puts(&w->line, ",\n");
	put_origin(w, t);
	buf_puts(&w->line, ",\n" THREAD_MARKERS "\"samples\":{");
	put_stacks(w, t);
	if (put_times(w, t) < 0 || put_weights(w, t, &scale) < 0)
		return -1;
	buf_printf(&w->line, "\"weightType\":\"%s\",\"length\":%zu}}", type, t->n);
	return 0;
}

/* The first thread of each process that is shown at once is its main thread, below which
 * the viewer shows the others. */
int
firefox_put_threads(struct writer *w)
{
	struct name_index processes = { 0 };
	int ret = 0;
	size_t i;

	buf_puts(&w->line, "\"threads\":[\n");
	for (i = 0; i < w->nthreads && ret == 0; i++) {
		const struct thread *t = &w->thread[i];

		buf_puts(&w->line, i ? ",\n" : "");
		ret = put_thread(w, i, is_main(w, t) &&
		    name_index_add(&processes, process_of(t), i) == i);
	}
	if (!w->nthreads)
		buf_puts(&w->line, NO_THREAD);
	buf_puts(&w->line, "]");
	name_index_free(&processes);
	return ret;
}
