/* SPDX-License-Identifier: ISC */
/* A file to events. */
#include "trace.h"

/* ---- an event ---- */

/* Returns the letter of an event's kind; 0: it has none. */
static char
phase_of(const struct event *e)
{
	return e->phase && e->phase[0] == '"' && e->phase[1] != '"' && e->phase[2] == '"' ?
	    e->phase[1] : 0;
}

/* Handles an event of a kind that has no duration: the result of a line. */
static int
take_other(struct trace *t, const struct event *e)
{
	struct json_reader *j = &t->w.doc.j;
	const char *was = j->at;
	struct text name = { 0 };

	if (!e->name || *e->name != '"')
		return 0;
	j->at = e->name;
	json_read_string(j, &name);
	j->at = was;
	if (text_is(name, "thread_name") || text_is(name, "process_name"))
		return trace_take_name(t, e, text_is(name, "thread_name"));
	return e->args && *e->args == '{' ? trace_take_profile(t, e, name) : 0;
}

static int
take_event(struct trace *t, const struct event *e)
{
	const char phase = phase_of(e);

	switch (phase) {
	case 'X':
	case 'B':
	case 'E':
		return trace_take_slice(t, e, phase);
	case 'b':		/* asynchronous ones, */
	case 'S':		/* in the old form, */
		t->slices.async++;
		return 0;
	case 'e': case 'n': case 'T': case 'p': case 'F':	/* and what is in them; */
	case 's': case 't': case 'f':	/* arrows, */
	case 'C':			/* counters */
		return 0;
	default:
		return take_other(t, e);
	}
}

/* ---- the file ---- */

/* The state of reading. */
struct reading {
	struct trace *t;
	struct event event;
	bool end, events;
};

/* Does the list end without its bracket, as the format allows? */
static bool
is_unended(const struct trace *t)
{
	const struct json_reader *j = &t->w.doc.j;
	const char *p = j->at;
	bool comma = false;

	for (; p < j->end && (memchr(" \t\r\n", *p, 4) || (*p == ',' && !comma)); p++)
		comma |= *p == ',';
	return t->list && t->w.eof && p == j->end;
}

static int
read_item(void *arg)
{
	struct reading *r = arg;
	struct trace *t = r->t;

	r->end = (t->unended = is_unended(t)) || !json_read_item(&t->w.doc.j);
	if (!r->end)
		trace_read_event(t, &r->event);
	return t->w.doc.j.why ? -1 : 0;
}

static int
read_events(struct reading *r)
{
	for (;;) {
		if (window_read(&r->t->w, read_item, r) < 0)
			return -1;
		if (r->end)
			return 0;
		if (decode_line_done(r->t->w.doc.d, take_event(r->t, &r->event)) < 0)
			return -1;
	}
}

/* Begins the list of events, or the object that has it. */
static int
read_begin(void *arg)
{
	struct reading *r = arg;
	struct json_reader *j = &r->t->w.doc.j;

	r->t->list = json_read_kind(j) == JSON_ARRAY;
	if (r->t->list)
		json_read_array(j);
	else
		json_read_object(j);
	return j->why ? -1 : 0;
}

static void
count_samples(struct trace *t)
{
	struct json_reader *j = &t->w.doc.j;

	t->samples = 0;
	for (json_read_array(j); json_read_item(j); t->samples++)
		json_read_skip(j);
}

/* Reads a member of the object, up to the events in the list. */
static int
read_member(void *arg)
{
	struct reading *r = arg;
	struct json_reader *j = &r->t->w.doc.j;
	struct text key;

	r->end = !json_read_key(j, &key);
	r->events = !r->end && text_is(key, "traceEvents");
	if (r->events)
		json_read_array(j);
	else if (!r->end && text_is(key, "samples") && json_read_kind(j) == JSON_ARRAY)
		count_samples(r->t);
	else if (!r->end)
		json_read_skip(j);
	return j->why ? -1 : 0;
}

static int
read_members(struct reading *r)
{
	do {
		if (window_read(&r->t->w, read_member, r) < 0 ||
		    (r->events && read_events(r) < 0))
			return -1;
	} while (!r->end || r->events);
	return 0;
}

int
trace_read(struct trace *t)
{
	struct reading r = { .t = t };

	if (window_read(&t->w, read_begin, &r) < 0)
		return -1;
	return t->list ? read_events(&r) : read_members(&r);
}
