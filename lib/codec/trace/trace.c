/* SPDX-License-Identifier: ISC */
/*
 * The CPU profiles in a trace of Chrome or Node: an object with a list of events, or the
 * list alone.  A profile is one event, or in chunks: the event `Profile` has its thread and
 * when it began, each `ProfileChunk` has further nodes and samples (V8's
 * src/profiler/profile-generator.cc).  Both have the same process and id.
 */
#include <stdlib.h>

#include "codec/cpuprofile/v8.h"
#include "stream/codec.h"
#include "util/mem.h"

/* An event with a profile, or a part of one. */
struct chunk {
	size_t profile;
	num ts;			/* in ns */
	size_t n;		/* its number among all chunks */
	const char *args;
	bool whole;
};

/* The profile of a thread; V8 has one for each. */
struct thread_profile {
	struct v8 v8;
	uint32_t pid, tid;	/* strings; NO_ID */
	bool bad;		/* it is malformed and left out */
};

struct reader {
	struct document doc;
	struct thread_profile **profile;	/* each is allocated separately */
	size_t nprofiles, capprofiles;
	struct sums ids;	/* by process and id: the profile */
	struct sums names;	/* by process and thread, or NO_ID: the name, a string */
	struct chunk *chunk;
	size_t nchunks, capchunks;
	const struct chunk *at;	/* the one that is being read */
};

/* The fields of an event; texts are strings. */
struct event {
	struct text name;
	uint32_t pid, tid, id;
	num ts;
	const char *args;
};

/* ---- recognition ---- */

/* Does it begin with a list whose first item is an event? */
static bool
begins_with_event(const char *p, size_t n)
{
	const char *end = p + n;

	for (; p < end && (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n'); p++)
		;
	if (p == end || *p++ != '[')
		return false;
	n = (size_t)(end - p);
	return json_has_key(p, n, "ph") && json_has_key(p, n, "pid");
}

static int
trace_probe(const char *p, size_t n)
{
	return begins_with_event(p, n) || (memmem(p, n, "\"traceEvents\"", 13) &&
	    json_has_key(p, n, "traceEvents")) ? (int)sizeof "traceEvents" : 0;
}

/* ---- profiles ---- */

static struct thread_profile *
add_profile(struct reader *rd, const struct event *e)
{
	struct thread_profile *p = mem_alloc(1, sizeof *p);

	v8_init(&p->v8, &rd->doc);
	p->pid = e->pid;
	p->tid = NO_ID;
	rd->profile = mem_grow(rd->profile, &rd->capprofiles, rd->nprofiles + 1,
	    sizeof *rd->profile);
	rd->profile[rd->nprofiles++] = p;
	return p;
}

/* Returns the number of the profile that an event belongs to. */
static size_t
profile_of(struct reader *rd, const struct event *e)
{
	const uint64_t key[] = { e->pid, e->id };
	const size_t row = sums_row(&rd->ids, key);
	num *v = sums_val(&rd->ids, row);

	if (!*v) {
		add_profile(rd, e);
		*v = (num)rd->nprofiles;
	}
	return (size_t)*v - 1;
}

static void
add_chunk(struct reader *rd, const struct event *e, size_t profile, bool whole)
{
	rd->chunk = mem_grow(rd->chunk, &rd->capchunks, rd->nchunks + 1, sizeof *rd->chunk);
	rd->chunk[rd->nchunks] = (struct chunk){ .profile = profile, .ts = e->ts,
	    .n = rd->nchunks, .args = e->args, .whole = whole };
	rd->nchunks++;
}

/* ---- chunks ---- */

/* Reads a time in microseconds. */
static int
read_time(struct v8 *v, num *ns)
{
	bool exact = true;

	json_read_fixed(&v->doc->j, 3, ns, &exact);
	v->inexact |= !exact;
	return v->doc->j.why ? -1 : 0;
}

/* Reads differences of times, which are next to the profile or in it; some files have
 * both. */
static int
read_deltas(struct v8 *v, size_t had)
{
	if (v->ndeltas == had)
		return v8_read_times(v);
	json_read_skip(&v->doc->j);
	return 0;
}

static int
read_cpu_profile(struct v8 *v, size_t had)
{
	struct json_reader *j = &v->doc->j;
	struct text key;
	int ret = 0;

	for (json_read_object(j); ret == 0 && json_read_key(j, &key); )
		if (text_is(key, "nodes"))
			ret = v8_read_nodes(v);
		else if (text_is(key, "samples"))
			ret = v8_read_samples(v);
		else if (text_is(key, "timeDeltas"))
			ret = read_deltas(v, had);
		else
			json_read_skip(j);
	return j->why ? -1 : ret;
}

static int
read_data(struct v8 *v, bool whole)
{
	struct json_reader *j = &v->doc->j;
	const size_t had = v->ndeltas;
	struct text key;
	int ret = 0;

	for (json_read_object(j); ret == 0 && json_read_key(j, &key); )
		if (text_is(key, "cpuProfile"))
			ret = whole ? v8_read_profile(v) : read_cpu_profile(v, had);
		else if (text_is(key, "timeDeltas"))
			ret = read_deltas(v, had);
		else if (text_is(key, "startTime") && (v->has_begin = true))
			ret = read_time(v, &v->begin);
		else if (text_is(key, "endTime") && (v->has_end = true))
			ret = read_time(v, &v->end);
		else
			json_read_skip(j);
	return j->why ? -1 : ret;
}

/* Reads the arguments; events without `data` are of other kinds. */
static int
read_args(void *arg)
{
	struct reader *rd = arg;
	struct json_reader *j = &rd->doc.j;
	struct text key;
	int ret = 0;

	for (json_read_object(j); ret == 0 && json_read_key(j, &key); )
		if (text_is(key, "data") && json_read_kind(j) == JSON_OBJECT)
			ret = read_data(&rd->profile[rd->at->profile]->v8, rd->at->whole);
		else
			json_read_skip(j);
	return j->why ? -1 : ret;
}

static int
by_profile(const void *a, const void *b)
{
	const struct chunk *x = a, *y = b;

	if (x->profile != y->profile)
		return x->profile < y->profile ? -1 : 1;
	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->n < y->n ? -1 : x->n > y->n;
}

/* Handles an error in a profile: --lenient leaves it out, and reads the others.  0 or
 * -1. */
static int
leave_out(struct reader *rd, struct thread_profile *p)
{
	p->bad = true;
	return decode_line_done(rd->doc.d, LINE_BAD);
}

/* Reads a chunk.  Its text was skipped before, so only its contents can be wrong. */
static int
read_chunk(struct reader *rd, const struct chunk *c)
{
	struct json_reader *j = &rd->doc.j, was = *j;
	struct thread_profile *p = rd->profile[c->profile];

	rd->at = c;
	if (p->bad || document_reread(&rd->doc, c->args, read_args, rd) == 0)
		return 0;
	if (j->why)
		DOCUMENT_FAIL(&rd->doc, j->at, "%s", j->why);
	was.text = j->text;
	*j = was;
	return leave_out(rd, p);
}

/* Reads chunks in the order of time, which need not be that of events. */
static int
read_chunks(struct reader *rd)
{
	size_t i;

	if (rd->nchunks)
		qsort(rd->chunk, rd->nchunks, sizeof *rd->chunk, by_profile);
	for (i = 0; i < rd->nchunks; i++)
		if (read_chunk(rd, &rd->chunk[i]) < 0)
			return -1;
	return 0;
}

/* ---- events ---- */

/* Reads a number or a text, as a string. */
static uint32_t
read_id(struct document *doc)
{
	const enum json_kind kind = json_read_kind(&doc->j);
	struct text t = { 0 };

	if (kind == JSON_NUMBER)
		json_read_number(&doc->j, &t);
	else if (kind == JSON_STRING)
		json_read_string(&doc->j, &t);
	else
		json_read_skip(&doc->j);
	return dict_str(doc->d->dict, t);
}

static void
read_event(struct document *doc, struct event *e)
{
	struct json_reader *j = &doc->j;
	bool exact = true;
	struct text key;

	*e = (struct event){ .pid = NO_ID, .tid = NO_ID, .id = NO_ID };
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "name") && json_read_kind(j) == JSON_STRING) {
			e->name = document_text(doc);
		} else if (text_is(key, "pid")) {
			e->pid = read_id(doc);
		} else if (text_is(key, "tid")) {
			e->tid = read_id(doc);
		} else if (text_is(key, "id")) {
			e->id = read_id(doc);
		} else if (text_is(key, "ts") && json_read_kind(j) == JSON_NUMBER) {
			json_read_fixed(j, 3, &e->ts, &exact);
		} else {
			if (text_is(key, "args") && json_read_kind(j) == JSON_OBJECT)
				e->args = document_at(doc);
			json_read_skip(j);
		}
}

/* Reads the name in the arguments. */
static int
read_name(void *arg)
{
	struct reader *rd = arg;
	struct text key;

	for (json_read_object(&rd->doc.j); json_read_key(&rd->doc.j, &key); )
		if (text_is(key, "name") && json_read_kind(&rd->doc.j) == JSON_STRING)
			*sums_val(&rd->names, rd->names.n - 1) = dict_str(rd->doc.d->dict,
			    document_text(&rd->doc));
		else
			json_read_skip(&rd->doc.j);
	return rd->doc.j.why ? -1 : 0;
}

/* Adds the name of a process or a thread, unless it has one. */
static int
add_name(struct reader *rd, const struct event *e, bool thread)
{
	const uint64_t key[] = { e->pid, thread ? e->tid : NO_ID };
	const size_t n = rd->names.n;

	sums_row(&rd->names, key);
	return n == rd->names.n || !e->args ? 0 :
	    document_reread(&rd->doc, e->args, read_name, rd);
}

static int
take_event(struct reader *rd, const struct event *e)
{
	if (text_is(e->name, "thread_name") || text_is(e->name, "process_name"))
		return add_name(rd, e, text_is(e->name, "thread_name"));
	if (!e->args)
		return 0;
	if (text_is(e->name, "CpuProfile")) {
		add_profile(rd, e)->tid = e->tid;
		add_chunk(rd, e, rd->nprofiles - 1, true);
	} else if (text_is(e->name, "Profile")) {
		const size_t i = profile_of(rd, e);

		rd->profile[i]->tid = e->tid;
		add_chunk(rd, e, i, false);
	} else if (text_is(e->name, "ProfileChunk")) {
		add_chunk(rd, e, profile_of(rd, e), false);
	}
	return 0;
}

static int
read_events(struct reader *rd)
{
	struct event e;

	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); ) {
		read_event(&rd->doc, &e);
		if (rd->doc.j.why || take_event(rd, &e) < 0)
			return -1;
	}
	return rd->doc.j.why ? -1 : 0;
}

static int
read_file(struct reader *rd)
{
	struct json_reader *j = &rd->doc.j;
	struct text key;
	int ret = 0;

	if (json_read_kind(j) == JSON_ARRAY) {
		ret = read_events(rd);
	} else {
		for (json_read_object(j); ret == 0 && json_read_key(j, &key); )
			if (text_is(key, "traceEvents"))
				ret = read_events(rd);
			else
				json_read_skip(j);
	}
	return ret < 0 || j->why ? -1 : read_chunks(rd);
}

/* ---- parts ---- */

/* Returns the name of a process or a thread, a string; NO_ID: it has none. */
static uint32_t
name_of(const struct reader *rd, uint32_t pid, uint32_t tid)
{
	const uint64_t key[] = { pid, tid };
	size_t row;

	return sums_find(&rd->names, key, &row) ? (uint32_t)*sums_val(&rd->names, row) : NO_ID;
}

static int
put_fact(struct decode *d, const char *key, struct text t)
{
	return t.n ? meta_put(d->out, key, t) : 0;
}

/* Puts metadata.  A thread is identified by its name and number, as several may have one
 * name. */
static int
put_facts(struct reader *rd, const struct thread_profile *p)
{
	struct decode *d = rd->doc.d;
	const struct text tid = dict_text(d->dict, p->tid);
	struct buf thread = { 0 };
	int ret;

	if (tid.n) {
		buf_text(&thread, dict_text(d->dict, name_of(rd, p->pid, p->tid)));
		buf_puts(&thread, thread.n ? " " : "");
		buf_text(&thread, tid);
	}
	ret = put_fact(d, "cmd", dict_text(d->dict, name_of(rd, p->pid, NO_ID))) < 0 ||
	    put_fact(d, "pid", dict_text(d->dict, p->pid)) < 0 ||
	    put_fact(d, "thread", buf_as_text(&thread)) < 0 ? -1 : 0;
	buf_free(&thread);
	return ret;
}

static int
put_profile(struct reader *rd, struct thread_profile *p)
{
	if (!p->v8.ids.n || p->bad)
		return 0;
	if (v8_finish(&p->v8) < 0)
		return leave_out(rd, p);
	return decode_part(rd->doc.d, "trace",
	    (struct text){ 0 }) < 0 || put_facts(rd, p) < 0 ? -1 : v8_put(&p->v8);
}

static int
put_all(struct reader *rd)
{
	size_t i, any = 0;

	for (i = 0; i < rd->nprofiles; i++)
		any += rd->profile[i]->v8.ids.n;
	if (!any)
		return diag_fail(rd->doc.d->diag, "the trace has no CPU profile: record it "
		    "in DevTools' Performance panel, or with the category "
		    "disabled-by-default-v8.cpu_profiler");
	for (i = 0; i < rd->nprofiles; i++)
		if (put_profile(rd, rd->profile[i]) < 0)
			return -1;
	return 0;
}

static void
reader_free(struct reader *rd)
{
	size_t i;

	for (i = 0; i < rd->nprofiles; i++) {
		v8_free(&rd->profile[i]->v8);
		free(rd->profile[i]);
	}
	free(rd->profile);
	free(rd->chunk);
	sums_free(&rd->ids);
	sums_free(&rd->names);
}

static int
trace_decode(struct decode *d)
{
	struct reader rd = { 0 };
	int ret = document_open(&rd.doc, d);

	sums_init(&rd.ids, 2, 1);
	sums_init(&rd.names, 2, 1);
	if (ret == 0)
		ret = read_file(&rd);
	ret = document_close(&rd.doc, ret);
	if (ret == 0)
		ret = put_all(&rd);
	reader_free(&rd);
	return ret;
}

const struct codec codec_trace = {
	.name = "trace",
	.summary = "CPU profiles in traces of Chrome's DevTools and Node",
	.patterns = "Trace-*.json *.trace",
	.probe = trace_probe,
	.decode = trace_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_PARTS] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_SOME,
		[FEATURE_UNITS] = SUPPORT_YES, [FEATURE_FACTS] = SUPPORT_SOME,
		[FEATURE_END] = SUPPORT_YES,
	},
};
