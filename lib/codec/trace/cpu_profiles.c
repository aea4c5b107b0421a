/* SPDX-License-Identifier: ISC */
/*
 * The CPU profiles in a trace.  A profile is one event, or in chunks: the event `Profile` has
 * its thread and when it began, each `ProfileChunk` has further nodes and samples (V8's
 * src/profiler/profile-generator.cc).  Both have the same process and id.
 */
#include <stdlib.h>

#include "trace.h"
#include "util/mem.h"

/* An event with a profile, or a part of one. */
struct chunk {
	size_t profile;
	num ts;			/* in ns */
	size_t n;		/* its number among all chunks */
	struct text args;	/* a copy of its arguments, */
	uint64_t offset;	/* from this byte of the file on */
	bool whole;
};

/* The profile of a thread; V8 has one for each. */
struct thread_profile {
	struct v8 v8;
	uint32_t pid, tid;	/* strings; NO_ID */
	bool bad;		/* it is malformed and left out */
};

/* ---- events ---- */

static struct thread_profile *
add_profile(struct trace *t, uint32_t pid)
{
	struct cpu_profiles *ps = &t->profiles;
	struct thread_profile *p = mem_alloc(1, sizeof *p);

	v8_init(&p->v8, &t->w.doc);
	p->pid = pid;
	p->tid = NO_ID;
	ps->v = mem_grow(ps->v, &ps->cap, ps->n + 1, sizeof *ps->v);
	ps->v[ps->n++] = p;
	return p;
}

/* Returns the number of the profile that an event belongs to. */
static size_t
profile_of(struct trace *t, const struct event *e)
{
	const uint64_t key[] = { trace_string(t, e->process), trace_string(t, e->id) };
	num *v = sums_val(&t->profiles.ids, sums_row(&t->profiles.ids, key));

	if (!*v) {
		add_profile(t, (uint32_t)key[0]);
		*v = (num)t->profiles.n;
	}
	return (size_t)*v - 1;
}

/* Keeps the arguments of an event, since those of its profile may come in any order. */
static int
add_chunk(struct trace *t, const struct event *e, size_t profile, bool whole)
{
	struct cpu_profiles *ps = &t->profiles;
	struct json_reader *j = &t->w.doc.j;
	const char *was = j->at;
	struct chunk c = { .profile = profile, .n = ps->nchunks, .whole = whole,
	    .offset = document_offset(&t->w.doc, e->args) };
	bool exact = true;

	if (e->time && (j->at = e->time, json_read_kind(j)) == JSON_NUMBER)
		json_read_fixed(j, 3, &c.ts, &exact);
	j->at = e->args;
	json_read_skip(j);
	c.args.n = (size_t)(j->at - e->args);
	j->at = was;
	ps->kept += c.args.n;
	if (t->w.doc.d->session->max_whole && ps->kept > t->w.doc.d->session->max_whole)
		return diag_fail(t->w.doc.d->diag, "CPU profiles of more than %zu MiB: see "
		    "--max-whole", t->w.doc.d->session->max_whole >> 20);
	c.args.s = mem_copy(e->args, c.args.n);
	ps->chunk = mem_grow(ps->chunk, &ps->capchunks, ps->nchunks + 1, sizeof *ps->chunk);
	ps->chunk[ps->nchunks++] = c;
	return 0;
}

int
trace_take_profile(struct trace *t, const struct event *e, struct text name)
{
	struct cpu_profiles *ps = &t->profiles;
	size_t i;

	if (text_is(name, "CpuProfile")) {
		add_profile(t, trace_string(t, e->process))->tid = trace_string(t, e->thread);
		return add_chunk(t, e, ps->n - 1, true);
	}
	if (text_is(name, "ProfileChunk"))
		return add_chunk(t, e, profile_of(t, e), false);
	if (!text_is(name, "Profile"))
		return 0;
	i = profile_of(t, e);
	ps->v[i]->tid = trace_string(t, e->thread);
	return add_chunk(t, e, i, false);
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
read_args(struct trace *t, const struct chunk *c)
{
	struct json_reader *j = &t->w.doc.j;
	struct text key;
	int ret = 0;

	for (json_read_object(j); ret == 0 && json_read_key(j, &key); )
		if (text_is(key, "data") && json_read_kind(j) == JSON_OBJECT)
			ret = read_data(&t->profiles.v[c->profile]->v8, c->whole);
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
leave_out(struct trace *t, struct thread_profile *p)
{
	p->bad = true;
	return decode_line_done(t->w.doc.d, LINE_BAD);
}

/* Reads a chunk.  Its text was skipped before, so only its contents can be wrong. */
static int
read_chunk(struct trace *t, const struct chunk *c)
{
	struct document *doc = &t->w.doc;
	struct thread_profile *p = t->profiles.v[c->profile];
	int ret;

	if (p->bad)
		return 0;
	json_read_begin(&doc->j, c->args.s, c->args.n);
	doc->base = c->offset;
	ret = read_args(t, c);
	if (doc->j.why)
		ret = DOCUMENT_FAIL(doc, doc->j.at, "%s", doc->j.why);
	buf_free(&doc->j.text);
	return ret < 0 ? leave_out(t, p) : 0;
}

int
trace_read_profiles(struct trace *t)
{
	struct cpu_profiles *ps = &t->profiles;
	size_t i;

	if (ps->nchunks)
		qsort(ps->chunk, ps->nchunks, sizeof *ps->chunk, by_profile);
	for (i = 0; i < ps->nchunks; i++)
		if (read_chunk(t, &ps->chunk[i]) < 0)
			return -1;
	return 0;
}

/* ---- parts ---- */

static int
put_fact(struct decode *d, const char *key, struct text t)
{
	return t.n ? meta_put(d->out, key, t) : 0;
}

/* Puts metadata.  A thread is identified by its name and number, as several may have one
 * name. */
static int
put_facts(struct trace *t, const struct thread_profile *p)
{
	struct decode *d = t->w.doc.d;
	const struct text tid = dict_text(d->dict, p->tid);
	struct buf thread = { 0 };
	int ret;

	if (tid.n) {
		buf_text(&thread, dict_text(d->dict, trace_name(t, p->pid, p->tid)));
		buf_puts(&thread, thread.n ? " " : "");
		buf_text(&thread, tid);
	}
	ret = put_fact(d, "cmd", dict_text(d->dict, trace_name(t, p->pid, NO_ID))) < 0 ||
	    put_fact(d, "pid", dict_text(d->dict, p->pid)) < 0 ||
	    put_fact(d, "thread", buf_as_text(&thread)) < 0 ? -1 : 0;
	buf_free(&thread);
	return ret;
}

static int
put_profile(struct trace *t, struct thread_profile *p)
{
	if (!p->v8.ids.n || p->bad)
		return 0;
	if (v8_finish(&p->v8) < 0)
		return leave_out(t, p);
	return decode_part(t->w.doc.d, "trace",
	    (struct text){ 0 }) < 0 || put_facts(t, p) < 0 ? -1 : v8_put(&p->v8);
}

bool
trace_has_profiles(const struct trace *t)
{
	size_t i;

	for (i = 0; i < t->profiles.n; i++)
		if (t->profiles.v[i]->v8.ids.n)
			return true;
	return false;
}

int
trace_put_profiles(struct trace *t)
{
	size_t i;

	for (i = 0; i < t->profiles.n; i++)
		if (put_profile(t, t->profiles.v[i]) < 0)
			return -1;
	return 0;
}

void
trace_free_profiles(struct cpu_profiles *p)
{
	size_t i;

	for (i = 0; i < p->n; i++) {
		v8_free(&p->v[i]->v8);
		free(p->v[i]);
	}
	for (i = 0; i < p->nchunks; i++)
		free((char *)p->chunk[i].args.s);
	free(p->v);
	free(p->chunk);
	sums_free(&p->ids);
}
