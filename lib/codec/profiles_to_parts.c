/* SPDX-License-Identifier: ISC */
#include "codec/profiles_to_parts.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/sums.h"
#include "util/mem.h"

#define MOST_EVENTS 64		/* of one part; further ones make another part */

/* Profiles that become one part, and its samples. */
struct joined {
	const struct profile *p;
	size_t n;
	struct text event[MOST_EVENTS];	/* names */
	bool is_default[MOST_EVENTS];
	const struct profile_unit *unit[MOST_EVENTS];
	size_t nevents;
	struct sums threads;	/* by labels: the first profile with these */
	struct sums samples;	/* by thread, stack and time */
};

enum { SAMPLE_THREAD, SAMPLE_STACK, SAMPLE_TIME, SAMPLE_KEYS };

struct putting {
	const struct profiles *profiles;
	struct decode *d;
	struct text cmd;
};

/* ---- profiles of one part ---- */

static bool
same_texts(const struct text *a, const struct text *b, size_t n)
{
	while (n && text_eq(a[n - 1], b[n - 1]))
		n--;
	return n == 0;
}

/* Returns the event of a profile in its part, which is added if it is new; -1: there is no
 * room. */
static int
event_of(struct joined *part, const struct profile *p)
{
	size_t i;

	for (i = 0; i < part->nevents; i++)
		if (text_eq(part->event[i], p->origin.event))
			return part->unit[i] == p->unit ? (int)i : -1;
	if (i == MOST_EVENTS)
		return -1;
	part->event[i] = p->origin.event;
	part->is_default[i] = p->origin.is_default;
	part->unit[i] = p->unit;
	part->nevents++;
	return (int)i;
}

/* Finds how many profiles from p on become one part. */
static void
find_part(struct joined *part, const struct profile *p, const struct profile *end)
{
	part->p = p;
	part->nevents = 0;
	for (part->n = 0; p + part->n < end; part->n++) {
		const struct profile *q = p + part->n;

		if (part->n && !(p->origin.own && q->origin.own &&
		    p->origin.part == q->origin.part &&
		    text_eq(p->origin.estimate, q->origin.estimate) &&
		    same_texts(p->origin.fact, q->origin.fact, TRACK_FACTS)))
			break;
		if (event_of(part, q) < 0)
			break;
	}
}

/* Returns the thread that has the profile's labels. */
static uint64_t
thread_of(struct joined *part, struct dict *dict, const struct profile *p)
{
	uint64_t key[PROVENANCE_LABELS];
	size_t row, i;

	for (i = 0; i < PROVENANCE_LABELS; i++)
		key[i] = dict_str(dict, p->origin.label[i]);
	row = sums_row(&part->threads, key);
	if (!*sums_val(&part->threads, row))
		*sums_val(&part->threads, row) = p - part->p + 1;
	return row;
}

/* ---- its samples ---- */

static int
add_samples(struct putting *to, struct joined *part)
{
	size_t i, k;

	for (i = 0; i < part->n; i++) {
		const struct profile *p = &part->p[i];
		const int event = event_of(part, p);
		uint64_t key[SAMPLE_KEYS] = { thread_of(part, to->d->dict, p) };

		for (k = 0; k < p->n; k++) {
			key[SAMPLE_STACK] = p->v[k].stack;
			key[SAMPLE_TIME] = p->v[k].time;
			if (p->v[k].n && num_add(sums_val(&part->samples,
			    sums_row(&part->samples, key)) + event, p->v[k].n) < 0)
				return diag_too_large(to->d->diag, "a sum");
		}
	}
	return 0;
}

num
profile_one(const struct profile_unit *unit)
{
	unsigned decimals = unit->decimals;
	num n = 1;

	while (decimals--)
		n *= 10;
	return n;
}

/* Are all values of an event whole numbers of its unit?  Otherwise they are kept in
 * nanoseconds. */
static bool
is_whole(const struct joined *part, size_t event)
{
	const num unit = profile_one(part->unit[event]);
	size_t i;

	for (i = 0; i < part->samples.n; i++)
		if (sums_val(&part->samples, i)[event] % unit)
			return false;
	return true;
}

/* ---- records ---- */

/* Puts metadata with each line as a value; none if there is no text. */
static int
put_lines(struct sink *out, const char *key, struct text lines)
{
	const char *p = lines.s, *end = p ? p + lines.n : NULL, *lf;

	for (; p; p = lf ? lf + 1 : NULL) {
		lf = memchr(p, '\n', (size_t)(end - p));
		if (meta_put(out, key, (struct text){ p,
		    (size_t)((lf ? lf : end) - p) }) < 0)
			return -1;
	}
	return 0;
}

static int
put_facts(struct putting *to, const struct profile *p)
{
	struct sink *out = to->d->out;
	size_t i;

	if (!p->origin.own && to->cmd.n && meta_put(out, "cmd", to->cmd) < 0)
		return -1;
	if (!p->origin.own && p->name.n && meta_put(out, "thread", p->name) < 0)
		return -1;
	for (i = 0; i < TRACK_FACTS; i++)
		if (p->origin.fact[i].s &&
		    meta_put(out, provenance_fact[i], p->origin.fact[i]) < 0)
			return -1;
	return put_lines(out, "estimate", p->origin.estimate);
}

/* *unit: of the values. */
static int
put_event(struct putting *to, const struct joined *part, size_t i, num *unit)
{
	const bool whole = is_whole(part, i);

	*unit = whole ? profile_one(part->unit[i]) : 1;
	return DECODE_EVENT(to->d, i, .name = part->event[i].s ? part->event[i] :
	    text_of(part->unit[i]->event), .unit = text_of(whole ? part->unit[i]->ours : "ns"),
	    .attrs = part->is_default[i] ? TEXT("calls=absent\tdefault=1") :
	    TEXT("calls=absent"));
}

/* Adds nanoseconds as seconds, as perf writes them. */
static void
add_time(struct buf *b, uint64_t ns)
{
	struct buf t = { 0 };

	buf_printf(&t, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
	attr_add(b, "time", buf_as_text(&t));
	buf_free(&t);
}

static void
add_labels(struct putting *to, const struct joined *part, const uint64_t *key, struct buf *b)
{
	const num first = *sums_val(&part->threads, key[SAMPLE_THREAD]) - 1;
	const struct provenance *o = &part->p[(size_t)first].origin;
	const struct profiles *p = to->profiles;
	size_t i;

	for (i = 0; i < PROVENANCE_LABELS; i++)
		if (o->label[i].s)
			attr_add(b, provenance_label[i], o->label[i]);
	if (key[SAMPLE_STACK] && p->add_labels)
		p->add_labels(p->arg, (uint32_t)key[SAMPLE_STACK], b);
	if (key[SAMPLE_TIME] != NO_TIME)
		add_time(b, key[SAMPLE_TIME]);
}

static int
put_sample(struct putting *to, const struct joined *part, size_t row, const num *unit)
{
	const uint64_t *key = sums_key(&part->samples, row);
	const uint32_t stack = (uint32_t)key[SAMPLE_STACK];
	struct record r = rec_make(REC_SAMPLE);
	struct buf values = { 0 }, labels = { 0 };
	uint32_t ctx = NO_ID;
	size_t i;
	int ret = stack ? to->profiles->put_stack(to->profiles->arg, stack, &ctx) : 0;

	for (i = 0; i < part->nevents; i++)
		values_add(&values, sums_val(&part->samples, row)[i] / unit[i]);
	add_labels(to, part, key, &labels);
	r.col[0].n = ctx;
	r.values = buf_as_text(&values);
	if (labels.n)
		r.attrs = buf_as_text(&labels);
	if (ret == 0)
		ret = sink_put(to->d->out, &r);
	buf_free(&values);
	buf_free(&labels);
	return ret;
}

static int
put_part(struct putting *to, struct joined *part, const char *format)
{
	num unit[MOST_EVENTS];
	size_t i;

	if (add_samples(to, part) < 0 || decode_part(to->d, format, (struct text){ 0 }) < 0 ||
	    put_facts(to, part->p) < 0)
		return -1;
	for (i = 0; i < part->nevents; i++)
		if (put_event(to, part, i, &unit[i]) < 0)
			return -1;
	for (i = 0; i < part->samples.n; i++)
		if (put_sample(to, part, i, unit) < 0)
			return -1;
	return 0;
}

/* ---- all parts ---- */

int
profiles_put(struct profiles *p, struct decode *d, const char *format, struct text cmd)
{
	struct putting to = { .profiles = p, .d = d, .cmd = cmd };
	struct joined part;
	size_t at;
	int ret = 0;

	for (at = 0; at < p->n && ret == 0; at += part.n) {
		find_part(&part, &p->v[at], &p->v[p->n]);
		sums_init(&part.threads, PROVENANCE_LABELS, 1);
		sums_init(&part.samples, SAMPLE_KEYS, part.nevents);
		ret = put_part(&to, &part, format);
		sums_free(&part.threads);
		sums_free(&part.samples);
	}
	return ret;
}

struct profile *
profiles_add(struct profiles *p, const struct profile_unit *unit)
{
	p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n] = (struct profile){ .unit = unit };
	return &p->v[p->n++];
}

void
profile_add(struct profile *p, uint32_t stack, uint64_t time, num n)
{
	p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	p->v[p->n++] = (struct weight){ stack, time, n };
}

void
profiles_free(struct profiles *p)
{
	size_t i;

	for (i = 0; i < p->n; i++)
		free(p->v[i].v);
	free(p->v);
}
