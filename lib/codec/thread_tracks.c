/* SPDX-License-Identifier: ISC */
#include "codec/thread_tracks.h"

#include <stdlib.h>

#include "codec/units.h"
#include "util/json.h"
#include "util/mem.h"

enum { KEY_PART, KEY_LABEL, TRACK_KEYS = KEY_LABEL + TRACK_LABELS };
enum { SAMPLE_TRACK, SAMPLE_CTX, SAMPLE_TIME, SAMPLE_KEYS };

/* ---- the header of a part ---- */

static struct track_part *
part_of(struct tracks *t)
{
	return t->part[t->nparts - 1];
}

static int
begin_part(struct part_sink *s, const struct part *p)
{
	struct tracks *t = (struct tracks *)s;
	size_t i;

	t->part = mem_grow(t->part, &t->capparts, t->nparts + 1, sizeof *t->part);
	t->part[t->nparts] = mem_alloc(1, sizeof **t->part);
	t->part[t->nparts]->number = t->nparts;
	t->nparts++;
	t->attrs.n = 0;
	for (i = 0; i < p->events.n; i++)
		part_of(t)->difference |= event_has_role(p->events.v[i].r, "delta");
	return 0;
}

static int
put_event(struct part_sink *s, const struct record *r)
{
	struct tracks *t = (struct tracks *)s;

	if (r->col[EVENT_ID].n == NO_ID)
		loss_add(t->e->loss, "derived events");
	else if (r->col[EVENT_FORMULA].t.s || r->col[EVENT_DESCRIPTION].t.s)
		loss_add(t->e->loss, "descriptions of events");
	return 0;
}

/* Adds a line about an estimate in the part. */
static void
add_estimate(struct tracks *t, struct track_part *part, struct text v)
{
	struct buf lines = { 0 };

	if (part->estimate.s) {
		buf_text(&lines, part->estimate);
		buf_putc(&lines, '\n');
	}
	buf_text(&lines, v);
	part->estimate = dict_text(t->e->dict, dict_str(t->e->dict, buf_as_text(&lines)));
	buf_free(&lines);
}

static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	static const char *const keys[TRACK_FACTS] = { "cmd", "source", "part", "thread",
	    "pid" };
	struct tracks *t = (struct tracks *)s;
	struct track_part *part = part_of(t);
	struct text v;
	int i;

	(void)p;
	if (meta_is(r, "format"))
		return 0;
	t->scratch.n = 0;
	v = meta_only(r, &t->scratch);
	if (v.s && meta_is(r, "estimate")) {
		add_estimate(t, part, v);
		return 0;
	}
	for (i = 0; i < TRACK_FACTS; i++)
		if (v.s && meta_is(r, keys[i]) && !part->fact[i].s)
			break;
	if (i < TRACK_FACTS)
		part->fact[i] = dict_text(t->e->dict, dict_str(t->e->dict, v));
	if (i == TRACK_FACTS || !t->threads)
		loss_record(t->e->loss, r);
	return 0;
}

static int
put_total(struct part_sink *s, const struct record *r)
{
	loss_record(((struct tracks *)s)->e->loss, r);
	return 0;
}

/* ---- samples ---- */

/* Parses seconds, such as 4376.179099, as nanoseconds: false if it is something else. */
static bool
get_time(struct text t, uint64_t *ns)
{
	const char *p = t.s, *end = p + t.n;
	unsigned decimals = 0;
	bool point = false;

	for (*ns = 0; p < end; p++) {
		if (*p == '.' && !point && p > t.s) {
			point = true;
			continue;
		}
		if (*p < '0' || *p > '9' || (decimals += point) > 9 ||
		    *ns > UINT64_MAX / 100)
			return false;
		*ns = *ns * 10 + (uint64_t)(*p - '0');
	}
	for (; decimals < 9; decimals++) {
		if (*ns > UINT64_MAX / 100)
			return false;
		*ns *= 10;
	}
	return t.n > 0;
}

/* Returns the track of a sample by its labels; sets *time if they have one. */
static uint64_t
read_labels(struct tracks *t, struct text attrs, uint64_t *time)
{
	static const char *const labels[TRACK_LABELS] = { "comm", "pid", "tid" };
	uint64_t key[TRACK_KEYS] = { t->nparts - 1, NO_ID, NO_ID, NO_ID };
	const int labelled = part_of(t)->difference ? TRACK_COMM + 1 : TRACK_LABELS;
	struct text k, v;
	uint64_t ns;
	int i;

	t->lost = false;

	for (; attrs.n && (t->scratch.n = 0, attr_next(&attrs, &t->scratch, &k, &v)); ) {
		for (i = 0; i < labelled && !text_is(k, labels[i]); i++)
			;
		if (i < labelled)
			key[KEY_LABEL + i] = dict_str(t->e->dict, v);
		else if (text_is(k, "time") && get_time(v, &ns))
			*time = ns;
		else
			t->lost = true;
	}
	return sums_row(&t->keys, key);
}

/* Most samples have the same labels as the one before. */
static uint64_t
track_of(struct tracks *t, struct text attrs, uint64_t *time)
{
	*time = NO_TIME;
	if (!t->attrs.n || !text_eq(attrs, buf_as_text(&t->attrs))) {
		t->last = read_labels(t, attrs, time);
		t->attrs.n = 0;
		if (*time == NO_TIME)
			buf_text(&t->attrs, attrs);
	}
	if (t->lost)
		loss_add(t->e->loss, "labels of samples");
	return t->last;
}

static int
put_sample(struct tracks *t, const struct record *r)
{
	struct sums *s = &part_of(t)->samples;
	struct sums_run run = { .values = r->values, .n = t->parts.part.events.measured };
	uint64_t key[SAMPLE_KEYS] = { [SAMPLE_CTX] = r->col[0].n };

	if (!run.n) {
		part_of(t)->lacks = true;
		return 0;
	}
	if (!s->nkey)
		sums_init(s, SAMPLE_KEYS, run.n);
	key[SAMPLE_TRACK] = track_of(t, r->attrs, &key[SAMPLE_TIME]);
	if (run.n > TABLE_WIDE && !sums_fits((s->n + 1) * run.n, t->nvalues))
		return sums_refuse(t->e->diag, run.n);
	if (sums_add_run(&run, sums_val(s, sums_row(s, key))) < 0)
		return encode_too_large(t->e, "a sum");
	t->nvalues += sums_counted(&run);
	loss_many(t->e->loss, "absent values (written as 0)", run.absent);
	return 0;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	return rec_kind(r) == REC_SAMPLE ? put_sample((struct tracks *)s, r) : 0;
}

/* Ends a part; its events stay until everything is written. */
static int
end_part(struct part_sink *s, const struct part *p)
{
	struct tracks *t = (struct tracks *)s;

	part_of(t)->events = p->events;
	s->part.events = (struct events){ 0 };
	return 0;
}

/* ---- after all samples ---- */

/* Compares by track and time, otherwise by the order in which stacks came first. */
static int
compare(const void *a, const void *b)
{
	const struct track_sample *x = a, *y = b;

	if (x->track != y->track)
		return x->track < y->track ? -1 : 1;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

static size_t
list_samples(struct tracks *t, struct track_part *part, size_t at)
{
	size_t i;

	for (i = 0; i < part->samples.n; i++) {
		const uint64_t *key = sums_key(&part->samples, i);

		t->sample[at + i] = (struct track_sample){ key[SAMPLE_TRACK],
		    (uint32_t)key[SAMPLE_CTX], key[SAMPLE_TIME],
		    sums_val(&part->samples, i) };
	}
	qsort(t->sample + at, part->samples.n, sizeof *t->sample, compare);
	return at + part->samples.n;
}

static void
list_tracks(struct tracks *t)
{
	struct track_sample *s = t->sample;
	size_t i;
	int k;

	t->n = t->keys.n;
	t->v = mem_alloc(t->n + 1, sizeof *t->v);
	for (i = 0; i < t->n; i++) {
		const uint64_t *key = sums_key(&t->keys, i);
		struct track *track = &t->v[i];

		track->part = t->part[key[KEY_PART]];
		for (k = 0; k < TRACK_LABELS; k++)
			track->label[k] = dict_text(t->e->dict,
			    (uint32_t)key[KEY_LABEL + k]);
	}
	/* Tracks are numbered part by part, like their samples. */
	for (i = 0; i < t->n; i++) {
		struct track *track = &t->v[i];

		track->sample = s;
		for (; s->value && s->track == i; s++)
			track->n++;
		track->timed = track->n && s[-1].time != NO_TIME;
	}
}

/* Reports the parts that are not written: -1 with the diag set if that is all. */
static int
lose_parts(struct tracks *t)
{
	size_t i, lacking = 0;

	for (i = 0; i < t->nparts; i++)
		if (t->part[i]->lacks)
			lacking++;
		else if (t->nparts > 1 && !t->part[i]->samples.n)
			loss_add(t->e->loss, "parts without samples");
	loss_many(t->e->loss, "parts without the event", lacking);
	return lacking && !t->keys.n ? encode_fail(t->e, "samples need an event, but the profile "
	    "has none, or none that --events names") : 0;
}

static void
list_all(struct tracks *t)
{
	size_t i, n = 0;

	for (i = 0; i < t->nparts; i++)
		n += t->part[i]->samples.n;
	t->sample = mem_alloc(n + 1, sizeof *t->sample);	/* one more, without value,
								 * at the end */
	for (i = 0, n = 0; i < t->nparts; i++)
		n = list_samples(t, t->part[i], n);
	list_tracks(t);
}

static int
finish(struct part_sink *s)
{
	struct tracks *t = (struct tracks *)s;

	if (lose_parts(t) < 0)
		return -1;
	list_all(t);
	return t->write(t);
}

/* ---- the sink ---- */

static void
free_tracks(struct part_sink *s)
{
	struct tracks *t = (struct tracks *)s;
	size_t i;

	t->free(t);
	for (i = 0; i < t->nparts; i++) {
		events_free(&t->part[i]->events);
		sums_free(&t->part[i]->samples);
		free(t->part[i]);
	}
	free(t->part);
	sums_free(&t->keys);
	free(t->v);
	free(t->sample);
	buf_free(&t->attrs);
	buf_free(&t->scratch);
}

static const struct part_methods methods = {
	.begin = begin_part, .meta = put_meta, .event = put_event, .total = put_total,
	.put = put_record, .end = end_part, .finish = finish, .free = free_tracks,
};

void
tracks_init(struct tracks *t, const struct encode *e)
{
	part_sink_init(&t->parts, &methods, e->diag, e->out);
	t->e = e;
	sums_init(&t->keys, TRACK_KEYS, 0);
	out_set_content(e->out, OUT_ENDS);	/* readers of JSON notice a missing end */
}

/* ---- names ---- */

static void
add_word(struct buf *b, const char *before, struct text t)
{
	buf_puts(b, b->n ? before : *before == ' ' ? before + 1 : "");
	buf_text(b, t);
}

/* Adds the part's name among several; false if it has none. */
static bool
name_part(const struct tracks *t, const struct track_part *part, struct buf *b)
{
	const size_t from = b->n;

	if (part->fact[TRACK_SOURCE].s && t->nparts > 1)
		add_word(b, " ", part->fact[TRACK_SOURCE]);
	if (part->fact[TRACK_PART].s)
		add_word(b, " part ", part->fact[TRACK_PART]);
	if (part->fact[TRACK_THREAD].s)
		add_word(b, " thread ", part->fact[TRACK_THREAD]);
	return b->n > from;
}

static struct text
title_of(const struct track_part *part)
{
	return part->fact[TRACK_CMD].s ? part->fact[TRACK_CMD] :
	    part->fact[TRACK_SOURCE].s ? part->fact[TRACK_SOURCE] : TEXT("profile");
}

struct text
tracks_title(const struct tracks *t)
{
	return t->nparts ? title_of(t->part[0]) : TEXT("profile");
}

void
tracks_name(const struct tracks *t, const struct track *track, struct buf *b)
{
	const struct track_part *part = track->part;
	const struct text *label = track->label;
	bool named = name_part(t, part, b);

	if (label[TRACK_COMM].s)
		add_word(b, " ", label[TRACK_COMM]);
	if (label[TRACK_PID].s)
		add_word(b, " ", label[TRACK_PID]);
	if (label[TRACK_TID].s)
		add_word(b, label[TRACK_PID].s ? "/" : " ", label[TRACK_TID]);
	named |= label[TRACK_COMM].s || label[TRACK_PID].s || label[TRACK_TID].s;
	if (!named)
		add_word(b, " ", title_of(part));
	if (part->estimate.s)
		buf_puts(b, " (estimated)");
}

/* ---- events ---- */

uint64_t
tracks_nanoseconds(const struct record *event)
{
	const uint64_t scale = event_scale(event);
	const uint64_t ns = unit_nanoseconds(event->col[EVENT_UNIT].t);

	return ns % scale ? 0 : ns / scale;
}

size_t
tracks_main_event(const struct tracks *t, const struct track_part *part)
{
	const long i = events_find(&part->events, *t->e->event);

	return i < 0 ? 0 : (size_t)i;
}

void
tracks_lose_unit(struct tracks *t, const struct record *event)
{
	if (event_scale(event) > 1)
		loss_add(t->e->loss, "scales of events");
	if (event->col[EVENT_UNIT].t.s)
		loss_add(t->e->loss, "units of events");
}

int
tracks_add(struct tracks *t, num *sum, num v)
{
	return num_add(sum, v) < 0 ? encode_too_large(t->e, "a sum") : 0;
}

int
tracks_number(struct tracks *t, struct buf *b, num v, const struct track_scale *scale)
{
	const num most = (num)1 << 53;

	if (num_mul(v, scale->factor, &v) < 0)
		return encode_too_large(t->e, "a value");
	if (v > most || v < -most)
		loss_add(t->e->loss, "exact numbers beyond 2^53 (viewers round them)");
	json_decimal(b, v, scale->decimals);
	return 0;
}

int
tracks_refuse_negative(struct tracks *t, const struct record *event)
{
	const struct text name = event->col[EVENT_NAME].t;
	const char *quoted = QUOTE(name);

	if (!event_has_role(event, "delta"))
		return encode_fail(t->e, "event %s has negative values, which the format "
		    "does not allow", quoted);
	return encode_fail(t->e, "event %s is a change, and has negative values, which the "
	    "format does not allow: choose a side with --events %.*s.old or %.*s.new",
	    quoted, (int)name.n, name.s, (int)name.n, name.s);
}
