/* SPDX-License-Identifier: ISC */
/* Reads a profile of a speedscope file. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

/* The last stands for any other unit. */
static const struct profile_unit units[] = {
	{ "ns", "nanoseconds", 0, "time" }, { "us", "microseconds", 3, "time" },
	{ "ms", "milliseconds", 6, "time" }, { "s", "seconds", 9, "time" },
	{ "B", "bytes", 0, "bytes" }, { NULL, NULL, 0, "samples" },
};
#define OTHER_UNIT (&units[sizeof units / sizeof *units - 1])

/* ---- frames and stacks ---- */

/* Reads the index of a function, the next value; *at: where it is. */
static int
read_frame(struct reader *rd, uint32_t *row, const char **at)
{
	uint64_t i;

	*at = document_at(&rd->doc);
	if (!json_read_u64(&rd->doc.j, &i))
		return -1;
	if (i >= rd->nframes)
		return FAIL(rd, *at, "frame %" PRIu64 " of a table of %zu", i, rd->nframes);
	*row = rd->frame[i];
	return 0;
}

static int
push(struct reader *rd, const char *at, uint32_t *stack, uint32_t row)
{
	const uint64_t key[] = { *stack, row };
	const size_t i = sums_row(&rd->stacks, key);

	if (i >= UINT32_MAX - 2)
		return FAIL(rd, at, "too many stacks");
	*stack = (uint32_t)i + 1;
	return 0;
}

static int
read_stack(struct reader *rd, uint32_t *stack)
{
	const char *at;
	uint32_t row;

	*stack = 0;
	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); )
		if (read_frame(rd, &row, &at) < 0 || push(rd, at, stack, row) < 0)
			return -1;
	return rd->doc.j.why ? -1 : 0;
}

/* ---- numbers ---- */

static struct profile *
last(struct reader *rd)
{
	return &rd->profiles.v[rd->profiles.n - 1];
}

static int
read_number(struct reader *rd, num *n)
{
	const struct profile_unit *unit = last(rd)->unit;
	const char *at = document_at(&rd->doc);
	bool exact = true;

	if (!json_read_fixed(&rd->doc.j, unit->decimals, n, &exact))
		return -1;
	if (!exact && !unit->ours)
		return FAIL(rd, at, "a fraction of a value that has no unit");
	rd->inexact |= !exact;
	return 0;
}

/* ---- samples ---- */

static int
read_samples(void *arg)
{
	struct reader *rd = arg;
	uint32_t stack;

	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); ) {
		if (read_stack(rd, &stack) < 0)
			return -1;
		profile_add(last(rd), stack, NO_TIME, 0);
	}
	return 0;
}

static int
read_weights(void *arg)
{
	struct reader *rd = arg;
	struct profile *p = last(rd);
	num n;

	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); rd->nweights++) {
		const char *at = document_at(&rd->doc);

		if (read_number(rd, &n) < 0)
			return -1;
		if (n < 0)
			return FAIL(rd, at, "a negative weight");
		if (rd->nweights < p->n)
			p->v[rd->nweights].n = n;
	}
	return 0;
}

static int
read_sampled(struct reader *rd, const char *at)
{
	rd->nweights = 0;
	if (!rd->at.samples || !rd->at.weights)
		return FAIL(rd, at, "a sampled profile without %s",
		    rd->at.samples ? "weights" : "samples");
	if (document_reread(&rd->doc, rd->at.samples, read_samples, rd) < 0 ||
	    document_reread(&rd->doc, rd->at.weights, read_weights, rd) < 0)
		return -1;
	return last(rd)->n == rd->nweights ? 0 : FAIL(rd, at, "%zu samples, but %zu weights",
	    last(rd)->n, rd->nweights);
}

/* ---- events ---- */

struct event_at {
	const char *begin, *frame_at;
	char type;
	bool timed;
	num at;
	uint32_t row;
};

static int
read_event(struct reader *rd, struct event_at *e)
{
	struct json_reader *j = &rd->doc.j;
	struct text key, type;

	*e = (struct event_at){ .begin = document_at(&rd->doc) };
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "type")) {
			if (json_read_string(j, &type))
				e->type = type.n == 1 ? *type.s : '?';
		} else if (text_is(key, "at")) {
			e->timed = true;
			if (read_number(rd, &e->at) < 0)
				return -1;
		} else if (text_is(key, "frame")) {
			if (read_frame(rd, &e->row, &e->frame_at) < 0)
				return -1;
		} else {
			json_read_skip(j);
		}
	if (j->why)
		return -1;
	return (e->type == 'O' || e->type == 'C') && e->timed && e->frame_at ? 0 :
	    FAIL(rd, e->begin, "an event without a type O or C, a time and a frame");
}

/* Closes the innermost open frame: its stack becomes the one around it. */
static int
close_frame(struct reader *rd, const struct event_at *e, uint32_t *stack)
{
	const uint64_t *top = *stack ? sums_key(&rd->stacks, *stack - 1) : NULL;

	if (!top)
		return FAIL(rd, e->begin, "a frame is closed, but none is open");
	if (top[1] != e->row)
		return FAIL(rd, e->begin, "a frame is closed that is not the innermost one");
	*stack = (uint32_t)top[0];
	return 0;
}

/* Reads events; a stack lasts from one to the next. */
static int
read_events(void *arg)
{
	struct reader *rd = arg;
	struct event_at e;
	uint32_t stack = 0;
	num at = 0, lasts;
	bool any = false;

	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); any = true) {
		if (read_event(rd, &e) < 0)
			return -1;
		lasts = e.at;
		if (any && (num_sub(&lasts, at) < 0 || lasts < 0))
			return FAIL(rd, e.begin, "an event that is earlier than the one before");
		if (any && stack && lasts)
			profile_add(last(rd), stack, NO_TIME, lasts);
		at = e.at;
		if ((e.type == 'O' ? push(rd, e.begin, &stack, e.row) :
		    close_frame(rd, &e, &stack)) < 0)
			return -1;
	}
	return !rd->doc.j.why && stack ?
	    FAIL(rd, rd->doc.j.at, "a frame is not closed at the end") : 0;
}

/* ---- the profile ---- */

/* Reads a member.  Members that depend on others are skipped at first. */
static void
read_member(struct reader *rd, struct profile *p, struct text key)
{
	const struct profile_unit *u = units;
	const char *at = document_at(&rd->doc);
	struct text t = { 0 };

	if (text_is(key, "name")) {
		p->name = document_text(&rd->doc);
	} else if (text_is(key, "prof")) {
		provenance_read(&rd->doc, &p->origin);
	} else if (text_is(key, "unit")) {
		json_read_string(&rd->doc.j, &t);
		for (; u->theirs && !text_is(t, u->theirs); u++)
			;
		p->unit = u;
	} else if (text_is(key, "type")) {
		json_read_string(&rd->doc.j, &t);
		rd->evented = text_is(t, "evented");
	} else {
		json_read_skip(&rd->doc.j);
		if (text_is(key, "samples"))
			rd->at.samples = at;
		else if (text_is(key, "weights"))
			rd->at.weights = at;
		else if (text_is(key, "events"))
			rd->at.events = at;
	}
}

int
speedscope_read_profile(struct reader *rd)
{
	const char *at = document_at(&rd->doc);
	struct profile *p;
	struct text key;

	p = profiles_add(&rd->profiles, OTHER_UNIT);
	memset(&rd->at, 0, sizeof rd->at);
	rd->evented = false;
	for (json_read_object(&rd->doc.j); json_read_key(&rd->doc.j, &key); )
		read_member(rd, p, key);
	if (rd->doc.j.why)
		return -1;
	if (!rd->evented)
		return read_sampled(rd, at);
	return rd->at.events ? document_reread(&rd->doc, rd->at.events, read_events, rd) :
	    FAIL(rd, at, "an evented profile without events");
}
