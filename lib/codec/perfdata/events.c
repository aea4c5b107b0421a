/* SPDX-License-Identifier: ISC */
/* The events of a recording: their attributes (struct perf_event_attr), names and ids. */
#include "perfdata.h"

#include <stdlib.h>
#include <time.h>

#include "codec/perf_event.h"
#include "util/mem.h"

enum { TYPE_HARDWARE, TYPE_SOFTWARE };
enum { SOFTWARE_DUMMY = 9, SOFTWARE_BPF_OUTPUT };

#define ATTR_LEAST 64		/* bytes of the first version */
#define MOST_EVENTS 1000	/* a part has twice as many columns */

void
perf_events_init(struct perf_events *e)
{
	sums_init(&e->ids, 1, 0);
	sums_init(&e->told, 2, 1);
}

/* ---- attributes ---- */

/* On big-endian machines flags begin at the other end of each byte. */
static uint64_t
reverse_bits(uint64_t v)
{
	uint64_t out = 0;
	int i;

	for (i = 0; i < 64; i++)
		out |= (v >> i & 1) << ((i & ~7) | (7 - (i & 7)));
	return out;
}

static bool
is_little_endian(void)
{
	const uint16_t one = 1;

	return *(const char *)&one;
}

/* Does the recording's machine begin bit-fields at the highest bit? */
static bool
is_big(const struct perfdata *pd)
{
	return pd->swap == is_little_endian();
}

/* Sets where the first fields of samples are, as if all had each of them.  They have 8
 * bytes each, in the order of tools/perf/util/evsel.c, evsel__parse_sample(). */
static void
lay_out(struct perf_attr *a)
{
	const struct { uint64_t field; uint8_t *at; } first[] = { { S_IDENTIFIER, NULL },
	    { S_IP, &a->at_ip }, { S_TID, &a->at_thread }, { S_TIME, &a->at_time },
	    { S_ADDR, NULL }, { S_ID, &a->at_id }, { S_STREAM_ID, NULL }, { S_CPU, &a->at_cpu },
	    { S_PERIOD, &a->at_period } };
	size_t i;

	for (i = 0; i < sizeof first / sizeof *first; i++) {
		if (first[i].at)
			*first[i].at = a->first_size;
		a->first_size += a->sample_type & first[i].field ? 8 : 0;
	}
	if (a->sample_type & S_IDENTIFIER)
		a->at_id = 0;
}

int
perf_events_add(struct perfdata *pd, struct bytes b, uint32_t *size)
{
	struct perf_events *e = &pd->events;
	struct perf_attr a = { .column = NO_COLUMN };

	if (e->n == MOST_EVENTS)
		return perf_fail(pd, "more than %u events", MOST_EVENTS);
	a.type = bytes_u32(&b);
	*size = bytes_u32(&b);
	if (!*size)
		*size = ATTR_LEAST;
	if (*size < ATTR_LEAST || *size - 8 > bytes_left(&b))
		return perf_fail(pd, "an event's attributes have %u bytes, but there are %zu",
		    *size, bytes_left(&b) + 8);
	b.end = b.p + *size - 8;	/* newer attributes are ignored */
	a.config = bytes_u64(&b);
	a.period = bytes_u64(&b);
	a.sample_type = bytes_u64(&b);
	a.read_format = bytes_u64(&b);
	a.flags = bytes_u64(&b);
	if (is_big(pd))
		a.flags = reverse_bits(a.flags);
	bytes_skip(&b, 24);
	a.branch_type = bytes_u64(&b);
	a.regs_user = bytes_u64(&b);
	bytes_skip(&b, 4);
	a.monotonic = bytes_u32(&b) == CLOCK_MONOTONIC && a.flags & ATTR_USE_CLOCKID &&
	    a.sample_type & S_TIME;
	a.regs_intr = bytes_u64(&b);
	bytes_skip(&b, 4);
	a.chain_most = bytes_u16(&b);
	lay_out(&a);
	e->v = mem_grow(e->v, &e->cap, e->n + 1, sizeof *e->v);
	e->v[e->n++] = a;
	return 0;
}

void
perf_events_add_ids(struct perf_events *e, size_t attr, struct bytes ids)
{
	while (bytes_left(&ids) >= 8) {
		const uint64_t id = bytes_u64(&ids);
		const size_t row = sums_row(&e->ids, &id);

		e->of = mem_reach(e->of, &e->capof, row, sizeof *e->of, 0);
		e->of[row] = (uint32_t)attr;
	}
}

int
perf_events_name(struct perfdata *pd, size_t attr, struct text name)
{
	struct perf_events *e = &pd->events;

	if (attr >= e->n)
		return 0;
	if (name.n > NAME_MOST)
		return perf_fail(pd, "an event's name of %zu bytes", name.n);
	e->v[attr].name.n = 0;
	buf_text(&e->v[attr].name, name);
	return 0;
}

bool
perf_events_find(const struct perf_events *e, uint64_t id, size_t *attr)
{
	size_t row;

	if (!sums_find(&e->ids, &id, &row))
		return false;
	*attr = e->of[row];
	return true;
}

bool
perf_attr_is_off_cpu(const struct perf_attr *a)
{
	return a->type == TYPE_SOFTWARE && a->config == SOFTWARE_BPF_OUTPUT &&
	    text_is(buf_as_text(&a->name), "offcpu-time");
}

bool
perf_events_are_monotonic(const struct perf_events *e)
{
	size_t i;

	for (i = 0; i < e->n && e->v[i].monotonic; i++)
		;
	return e->n && i == e->n;
}

/* ---- names ---- */

static struct text
usual_name(const struct perf_attr *a)
{
	static const char *const hardware[] = { "cycles", "instructions", "cache-references",
	    "cache-misses", "branches", "branch-misses", "bus-cycles",
	    "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles" };
	static const char *const software[] = { "cpu-clock", "task-clock", "page-faults",
	    "context-switches", "cpu-migrations", "minor-faults", "major-faults",
	    "alignment-faults", "emulation-faults", "dummy", "bpf-output",
	    "cgroup-switches" };

	if (a->type == TYPE_HARDWARE && a->config < sizeof hardware / sizeof *hardware)
		return text_of(hardware[a->config]);
	if (a->type == TYPE_SOFTWARE && a->config < sizeof software / sizeof *software)
		return text_of(software[a->config]);
	return (struct text){ 0 };
}

static void
name_event(struct perf_attr *a)
{
	const struct text usual = usual_name(a);

	if (a->name.n)
		return;
	if (usual.s)
		buf_text(&a->name, usual);
	else
		buf_printf(&a->name, "type%u.%#llx", a->type, (unsigned long long)a->config);
}

/* Names the events; one whose name another has gets a number after it: "cycles.2". */
static void
name_events(struct perf_events *e)
{
	struct name_index names = { 0 };
	size_t i;

	for (i = 0; i < e->n; i++) {
		struct buf *name = &e->v[i].name;
		size_t n, same = 1;

		name_event(&e->v[i]);
		n = name->n;
		while (name_index_add(&names, buf_as_text(name), i) != i) {
			name->n = n;
			buf_printf(name, ".%zu", ++same);
		}
	}
	name_index_free(&names);
}

/* Is it an event without samples, which only reports mappings? */
static bool
is_dummy(const struct perf_attr *a)
{
	return a->type == TYPE_SOFTWARE && a->config == SOFTWARE_DUMMY;
}

/* Is it an event of the part?  Before all samples have come, any event except a dummy may
 * be. */
static bool
has_column(const struct perfdata *pd, const struct perf_attr *a)
{
	return pd->complete && pd->samples ? a->samples > 0 : !is_dummy(a);
}

int
perf_events_put(struct perfdata *pd)
{
	struct perf_events *e = &pd->events;
	size_t i, n = 0;

	name_events(e);
	for (i = 0; i < e->n; i++)
		e->v[i].column = has_column(pd, &e->v[i]) ? n++ : NO_COLUMN;
	for (i = 0; i < e->n; i++)
		if (e->v[i].column != NO_COLUMN && perf_event_put(pd->d, e->v[i].column,
		    buf_as_text(&e->v[i].name), n > 1, PERF_EVENT_PERIODS) < 0)
			return -1;
	return 0;
}

void
perf_events_free(struct perf_events *e)
{
	while (e->n)
		buf_free(&e->v[--e->n].name);
	free(e->v);
	sums_free(&e->ids);
	sums_free(&e->told);
	free(e->of);
}
