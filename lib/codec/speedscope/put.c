/* SPDX-License-Identifier: ISC */
/*
 * The profiles of a file of speedscope's as parts.  One of ours says of which part, event
 * and thread it is; any other is a part of its own, a thread.
 */
#include "reader.h"

#include <stdlib.h>

#include "util/mem.h"

#define MOST_EVENTS 64		/* of one part: if there are more, they are several */

/* Profiles that are one part, and its samples. */
struct part {
	const struct profile *p;
	size_t n;
	struct text event[MOST_EVENTS];	/* names */
	const struct speedscope_unit *unit[MOST_EVENTS];
	size_t nevents;
	struct sums samples;	/* by the first profile of its labels, and stack */
};

/* ---- what is one part ---- */

static bool
same_texts(const struct text *a, const struct text *b, size_t n)
{
	while (n && text_eq(a[n - 1], b[n - 1]))
		n--;
	return n == 0;
}

/* The event of a profile in its part, which is added if need be; -1: it does not fit. */
static int
event_of(struct part *part, const struct profile *p)
{
	size_t i;

	for (i = 0; i < part->nevents; i++)
		if (text_eq(part->event[i], p->origin.event))
			return part->unit[i] == p->unit ? (int)i : -1;
	if (i == MOST_EVENTS)
		return -1;
	part->event[i] = p->origin.event;
	part->unit[i] = p->unit;
	part->nevents++;
	return (int)i;
}

/* As many profiles from p on as are one part. */
static void
find_part(struct part *part, const struct profile *p, const struct profile *end)
{
	part->p = p;
	part->nevents = 0;
	for (part->n = 0; p + part->n < end; part->n++) {
		const struct profile *q = p + part->n;

		if (part->n && !(p->origin.own && q->origin.own &&
		    p->origin.part == q->origin.part &&
		    p->origin.estimated == q->origin.estimated &&
		    same_texts(p->origin.fact, q->origin.fact, SPEEDSCOPE_FACTS)))
			break;
		if (event_of(part, q) < 0)
			break;
	}
}

/* The first profile of the part that has the labels of this one. */
static uint64_t
thread_of(const struct part *part, const struct profile *p)
{
	uint64_t i;

	for (i = 0; part->p + i < p && !same_texts(part->p[i].origin.label, p->origin.label,
	    SPEEDSCOPE_LABELS); i++)
		;
	return i;
}

/* ---- its samples ---- */

static int
add_samples(struct reader *rd, struct part *part)
{
	size_t i, k;

	for (i = 0; i < part->n; i++) {
		const struct profile *p = &part->p[i];
		const int event = event_of(part, p);
		uint64_t key[] = { thread_of(part, p), 0 };

		for (k = 0; k < p->n; k++) {
			key[1] = p->v[k].stack;
			if (p->v[k].n && num_add(sums_val(&part->samples,
			    sums_row(&part->samples, key)) + event, p->v[k].n) < 0)
				return diag_fail(rd->doc.d->diag, "a sum does not fit 128 bits");
		}
	}
	return 0;
}

static num
one(unsigned decimals)
{
	num n = 1;

	while (decimals--)
		n *= 10;
	return n;
}

/* Are all values of an event whole numbers of its unit?  Else they are nanoseconds. */
static bool
is_whole(const struct part *part, size_t event)
{
	const num unit = one(part->unit[event]->decimals);
	size_t i;

	for (i = 0; i < part->samples.n; i++)
		if (sums_val(&part->samples, i)[event] % unit)
			return false;
	return true;
}

/* ---- records ---- */

static int
put_facts(struct reader *rd, const struct profile *p)
{
	struct sink *out = rd->doc.d->out;
	size_t i;

	if (!p->origin.own && rd->name.n && meta_put(out, "cmd", rd->name) < 0)
		return -1;
	if (!p->origin.own && p->name.n && meta_put(out, "thread", p->name) < 0)
		return -1;
	for (i = 0; i < SPEEDSCOPE_FACTS; i++)
		if (p->origin.fact[i].s &&
		    meta_put(out, speedscope_fact[i], p->origin.fact[i]) < 0)
			return -1;
	return p->origin.estimated ?
	    meta_put(out, "estimate", TEXT("stacks, from costs and calls")) : 0;
}

/* *unit: of a value. */
static int
put_event(struct reader *rd, const struct part *part, size_t i, num *unit)
{
	const bool whole = is_whole(part, i);
	struct record r = rec_make(REC_EVENT);

	*unit = whole ? one(part->unit[i]->decimals) : 1;
	r.col[EVENT_ID].n = i;
	r.col[EVENT_NAME].t = part->event[i].s ? part->event[i] :
	    text_of(part->unit[i]->event);
	r.col[EVENT_UNIT].t = text_of(whole ? part->unit[i]->ours : "ns");
	r.attrs = TEXT("calls=absent");
	return sink_put(rd->doc.d->out, &r);
}

/* The context of a stack: those of the stacks around it that have none come first, the
 * outermost before the others. */
static int
put_stack(struct reader *rd, uint32_t stack, uint32_t *path, uint32_t *ctx)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	struct decode *d = rd->doc.d;
	size_t n = 0;

	for (; stack && rd->ctx[stack] == NO_ID;
	    stack = (uint32_t)sums_key(&rd->stacks, stack - 1)[0])
		path[n++] = stack;
	*ctx = stack ? rd->ctx[stack] : NO_ID;
	while (n--) {
		cols[CTX_PARENT] = *ctx;
		if (starts_put(&rd->starts, d, (uint32_t)sums_key(&rd->stacks,
		    path[n] - 1)[1], &cols[CTX_FUNC]) < 0 ||
		    dict_put(d->dict, d->out, REC_CTX, cols, ctx) < 0)
			return -1;
		rd->ctx[path[n]] = *ctx;
	}
	return 0;
}

static void
add_labels(struct buf *b, const struct profile *p)
{
	size_t i;

	for (i = 0; i < SPEEDSCOPE_LABELS; i++)
		if (p->origin.label[i].s)
			attr_add(b, speedscope_label[i], p->origin.label[i]);
}

static int
put_sample(struct reader *rd, const struct part *part, size_t row, const num *unit,
    uint32_t *path)
{
	const uint64_t *key = sums_key(&part->samples, row);
	struct record r = rec_make(REC_SAMPLE);
	struct buf values = { 0 }, labels = { 0 };
	char tmp[NUM_TEXT];
	uint32_t ctx;
	size_t i;
	int ret = put_stack(rd, (uint32_t)key[1], path, &ctx);

	for (i = 0; i < part->nevents; i++) {
		if (i)
			buf_putc(&values, '\t');
		buf_add(&values, tmp, (size_t)(num_put_num(tmp,
		    sums_val(&part->samples, row)[i] / unit[i]) - tmp));
	}
	add_labels(&labels, &part->p[key[0]]);
	r.col[0].n = ctx;
	r.values = buf_as_text(&values);
	if (labels.n)
		r.attrs = buf_as_text(&labels);
	if (ret == 0)
		ret = sink_put(rd->doc.d->out, &r);
	buf_free(&values);
	buf_free(&labels);
	return ret;
}

static int
put_part(struct reader *rd, struct part *part, uint32_t *path)
{
	num unit[MOST_EVENTS];
	size_t i;

	if (add_samples(rd, part) < 0 || decode_part(rd->doc.d, "speedscope",
	    (struct text){ 0 }) < 0 || put_facts(rd, part->p) < 0)
		return -1;
	for (i = 0; i < part->nevents; i++)
		if (put_event(rd, part, i, &unit[i]) < 0)
			return -1;
	for (i = 0; i < part->samples.n; i++)
		if (put_sample(rd, part, i, unit, path) < 0)
			return -1;
	return 0;
}

/* ---- all ---- */

/* A function that no cost is below is none that others are told apart from. */
static void
use_functions(struct reader *rd)
{
	bool *used = mem_alloc(rd->stacks.n + 1, sizeof *used);
	size_t i, k;
	uint32_t s;

	for (i = 0; i < rd->nprofiles; i++)
		for (k = 0; k < rd->profile[i].n; k++)
			if (rd->profile[i].v[k].n)
				used[rd->profile[i].v[k].stack] = true;
	for (s = (uint32_t)rd->stacks.n; s > 0; s--)
		if (used[s]) {
			const uint64_t *key = sums_key(&rd->stacks, s - 1);

			used[key[0]] = true;
			starts_use(&rd->starts, (uint32_t)key[1]);
		}
	free(used);
}

int
speedscope_put_all(struct reader *rd)
{
	uint32_t *path = mem_alloc(rd->stacks.n + 1, sizeof *path);
	struct part part;
	size_t at;
	int ret = 0;

	rd->ctx = mem_alloc(rd->stacks.n + 1, sizeof *rd->ctx);
	memset(rd->ctx, 0xff, (rd->stacks.n + 1) * sizeof *rd->ctx);
	use_functions(rd);
	for (at = 0; at < rd->nprofiles && ret == 0; at += part.n) {
		find_part(&part, &rd->profile[at], &rd->profile[rd->nprofiles]);
		sums_init(&part.samples, 2, part.nevents);
		ret = put_part(rd, &part, path);
		sums_free(&part.samples);
	}
	free(path);
	return ret;
}
