/* SPDX-License-Identifier: ISC */
/* A thread of a profile: its provenance, and its samples. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/sample_options.h"

static const struct profile_unit weight_unit[] = {
	{ "ms", "tracing-ms", 6, "time" }, { "B", "bytes", 0, "bytes" },
	{ NULL, "samples", 0, "samples" },
};

/* The units of times in files of our own. */
static const struct profile_unit own_unit[] = {
	{ "ns", NULL, 0, NULL }, { "us", NULL, 3, NULL }, { "ms", NULL, 6, NULL },
	{ "s", NULL, 9, NULL },
};

static const struct profile_unit cpu_unit[] = {
	{ "ns", "ns", 0, "cpu" }, { "us", "\302\265s", 3, "cpu" }, { "us", "us", 3, "cpu" },
	{ "cycles", "variable CPU cycles", 0, "cpu" }, { NULL, NULL, 0, "cpu" },
};

/* Members of a thread that are read after everything that they depend on. */
struct thread_at {
	const char *begin, *samples, *stack, *time, *deltas, *weight, *cpu;
	struct provenance origin;
	const struct profile_unit *unit;
	uint64_t length;
};

/* ---- members ---- */

/* Reads a number or a text. */
static struct text
read_id(struct reader *rd)
{
	struct dict *dict = rd->doc.d->dict;
	struct text t;

	if (json_read_kind(&rd->doc.j) != JSON_NUMBER)
		return document_text(&rd->doc);
	return json_read_number(&rd->doc.j, &t) ? dict_text(dict, dict_str(dict, t)) :
	    (struct text){ 0 };
}

/* Counts the rows of a table that is dropped; null: none. */
static void
count_lost(struct reader *rd, uint64_t *n)
{
	struct json_reader *j = &rd->doc.j;
	uint64_t length = 0;
	struct text key;

	if (json_read_kind(j) != JSON_OBJECT) {
		json_read_skip(j);
		return;
	}
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "length"))
			json_read_u64(j, &length);
		else
			json_read_skip(j);
	*n += length;
}

static void
read_weight_type(struct reader *rd, struct thread_at *at)
{
	struct text t = { 0 };
	size_t i;

	json_read_string(&rd->doc.j, &t);
	for (i = 0; i < 2 && !text_is(t, weight_unit[i].theirs); i++)
		;
	at->unit = &weight_unit[i];
}

/* Finds the columns of the samples; weights were called durations until version 28. */
static int
read_samples(struct reader *rd, struct thread_at *at)
{
	const struct { const char *key; const char **to; } columns[] = {
		{ "stack", &at->stack }, { "time", &at->time },
		{ "timeDeltas", &at->deltas }, { "threadCPUDelta", &at->cpu },
		{ "weight", &at->weight }, { "duration", &at->weight },
	};
	struct json_reader *j = &rd->doc.j;
	struct text key;
	size_t i;

	at->samples = document_at(&rd->doc);
	for (json_read_object(j); json_read_key(j, &key); ) {
		for (i = 0; i < sizeof columns / sizeof *columns; i++)
			if (text_is(key, columns[i].key) && json_read_kind(j) == JSON_ARRAY)
				*columns[i].to = document_at(&rd->doc);
		if (text_is(key, "weightType"))
			read_weight_type(rd, at);
		else if (text_is(key, "length"))
			json_read_u64(j, &at->length);
		else
			json_read_skip(j);
	}
	return j->why ? -1 : 0;
}

static int
read_member(struct reader *rd, struct thread_at *at, struct text key)
{
	struct provenance *o = &at->origin;
	const struct { const char *key; struct text *to; } ids[] = {
		{ "name", &o->label[TRACK_COMM] }, { "pid", &o->label[TRACK_PID] },
		{ "tid", &o->label[TRACK_TID] }, { "processName", &o->label[PROVENANCE_PROCESS] },
	};
	size_t i;

	for (i = 0; i < sizeof ids / sizeof *ids; i++)
		if (text_is(key, ids[i].key)) {
			*ids[i].to = read_id(rd);
			return 0;
		}
	if (text_is(key, "samples"))
		return read_samples(rd, at);
	if (text_is(key, "markers"))
		count_lost(rd, &rd->lost[LOST_MARKERS]);
	else if (text_is(key, "jsAllocations") || text_is(key, "nativeAllocations"))
		count_lost(rd, &rd->lost[LOST_ALLOCATIONS]);
	else
		json_read_skip(&rd->doc.j);
	return 0;
}

/* ---- samples ---- */

/* The profile whose columns are read, and the next row. */
struct row {
	struct reader *rd;
	struct thread_at *at;
	size_t n;
	num time;
};

static struct profile *
last(struct reader *rd)
{
	return &rd->profiles.v[rd->profiles.n - 1];
}

static int
read_stack(void *arg)
{
	struct reader *rd = arg;
	struct profile *p = last(rd);
	const num one = profile_one(p->unit);	/* unless there is a column of weights */
	struct cells c = { 0 };
	size_t i;
	int ret = firefox_read_column(rd, &c);

	for (i = 0; i < c.n && ret == 0; i++)
		if (c.v[i] != NO_NUMBER && (c.v[i] < 0 || (uint64_t)c.v[i] >= rd->last - rd->first))
			ret = FAIL(rd, c.at, "sample %zu has stack %" PRId64 " of a table "
			    "of %zu", i, c.v[i], rd->last - rd->first);
		else
			profile_add(p, c.v[i] == NO_NUMBER ? 0 : (uint32_t)(rd->first +
			    (uint64_t)c.v[i]) + 1, NO_TIME, one);
	free(c.v);
	return ret;
}

/* Reads a number with at most `decimals` decimals; null is 0. */
static int
read_number(struct reader *rd, unsigned decimals, bool whole, num *n)
{
	const char *at = document_at(&rd->doc);
	bool exact = true;

	*n = 0;
	if (json_read_kind(&rd->doc.j) == JSON_NULL)
		json_read_skip(&rd->doc.j);
	else if (!json_read_fixed(&rd->doc.j, decimals, n, &exact))
		return -1;
	if (!exact && whole)
		return FAIL(rd, at, "a fraction of a value that has no unit");
	rd->inexact |= !exact;
	return 0;
}

/* Reads a column with a number for each sample, and passes it to take(). */
static int
read_numbers(struct row *row, unsigned decimals, bool whole,
    int (*take)(struct row *, struct weight *, num))
{
	struct reader *rd = row->rd;
	struct profile *p = last(rd);
	const char *at = document_at(&rd->doc);
	num n;

	row->n = 0;
	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); row->n++)
		if (read_number(rd, decimals, whole, &n) < 0 ||
		    (row->n < p->n && take(row, &p->v[row->n], n) < 0))
			return -1;
	return rd->doc.j.why ? -1 : row->n == p->n ? 0 :
	    FAIL(rd, at, "%zu numbers for %zu samples", row->n, p->n);
}

static int
take_weight(struct row *row, struct weight *w, num n)
{
	(void)row;
	w->n = n;
	return 0;
}

static int
read_weights(void *arg)
{
	struct row *row = arg;
	const struct profile_unit *unit = row->at->unit;

	return read_numbers(row, unit->decimals, !unit->ours, take_weight);
}

/* Takes CPU time; the first value has no sample before it. */
static int
take_cpu(struct row *row, struct weight *w, num n)
{
	w->n = row->n ? n : 0;
	return 0;
}

static int
read_cpu(void *arg)
{
	struct row *row = arg;
	const struct profile_unit *unit = last(row->rd)->unit;

	return read_numbers(row, unit->decimals, !unit->ours, take_cpu);
}

static int
take_time(struct row *row, struct weight *w, num n)
{
	if (row->at->deltas && num_add(&n, row->time) < 0)
		n = -1;
	row->time = n;
	if (n < 0 || n > INT64_MAX)
		return FAIL(row->rd, row->rd->doc.j.at, "a time that is negative or too "
		    "large");
	w->time = (uint64_t)n;
	return 0;
}

static int
read_times(void *arg)
{
	return read_numbers(arg, 6, false, take_time);
}

/* ---- the thread ---- */

static int
read_stacks(struct reader *rd, struct row *row)
{
	const struct sample_options *o = rd->doc.d->options;
	const struct thread_at *at = row->at;
	const char *times = at->deltas ? at->deltas : at->time;

	if (document_reread(&rd->doc, at->stack, read_stack, rd) < 0)
		return -1;
	if (last(rd)->n != at->length)
		return FAIL(rd, at->samples, "%zu stacks for %" PRIu64 " samples", last(rd)->n,
		    at->length);
	return o->times && times && !rd->offsets ?
	    document_reread(&rd->doc, times, read_times, row) : 0;
}

static int
add_profile(struct reader *rd, struct thread_at *at, const struct profile_unit *unit,
    const char *column, int (*read)(void *))
{
	struct row row = { .rd = rd, .at = at };
	struct profile *p = profiles_add(&rd->profiles, unit);

	p->origin = at->origin;
	if (!p->origin.event.s)
		p->origin.event = text_of(unit->event);
	return read_stacks(rd, &row) < 0 ? -1 :
	    column ? document_reread(&rd->doc, column, read, &row) : 0;
}

static const struct profile_unit *
unit_of(const struct thread_at *at)
{
	size_t i;

	for (i = 0; at->unit->decimals && i < sizeof own_unit / sizeof *own_unit; i++)
		if (text_is(at->origin.unit, own_unit[i].ours))
			return &own_unit[i];
	return at->unit;
}

static int
add_profiles(struct reader *rd, struct thread_at *at)
{
	const struct profile_unit *cpu = cpu_unit;

	for (; cpu->theirs && !text_is(rd->cpu_unit, cpu->theirs); cpu++)
		;
	if (add_profile(rd, at, unit_of(at), at->weight, read_weights) < 0)
		return -1;
	at->origin.event = (struct text){ 0 };
	return at->cpu ?
	    add_profile(rd, at, cpu, at->cpu, read_cpu) : 0;
}

/* Sets the provenance of a thread.  In files from other programs, all threads belong to one
 * recording, and their names are labels. */
static void
find_origin(struct reader *rd, struct provenance *o, const struct provenance *own)
{
	rd->own |= own->own;
	if (own->own)
		*o = *own;
	else if (rd->product.n)
		o->fact[TRACK_CMD] = rd->product;
	o->own = true;
}

int
firefox_read_thread(struct reader *rd)
{
	struct thread_at at = { .begin = document_at(&rd->doc), .unit = &weight_unit[2] };
	struct provenance own = { 0 };
	struct text key;

	for (json_read_object(&rd->doc.j); json_read_key(&rd->doc.j, &key); )
		if (text_is(key, "prof"))
			provenance_read(&rd->doc, &own);
		else if (read_member(rd, &at, key) < 0)
			return -1;
	if (rd->doc.j.why)
		return -1;
	if (!at.samples || !at.stack)
		return FAIL(rd, at.begin, "a thread without samples or their stacks");
	if (rd->version < SHARED_TABLES &&
	    document_reread(&rd->doc, at.begin, firefox_read_tables, rd) < 0)
		return -1;
	find_origin(rd, &at.origin, &own);
	return add_profiles(rd, &at);
}
