/* SPDX-License-Identifier: ISC */
/* The events of the part: each kind of event that has a stack is one, and so is each of its
 * weights. */
#include "jfr.h"

#include <stdlib.h>

#include "stream/name_index.h"
#include "util/mem.h"

#define EVENTS_MOST 400		/* a part has up to four columns for each */

/* The default is the first of these events that a part has, with this weight (NULL: their
 * number): samples of the processor come before those of memory, and these before those of
 * waiting. */
static const struct { const char *name, *weight; } preferred[] = {
	{ "CPUTimeSample", "samplingPeriod" }, { "ExecutionSample", NULL },
	{ "MethodSample", NULL }, { "WallClockSample", NULL }, { "NativeMethodSample", NULL },
	{ "ObjectAllocationSample", "weight" }, { "ObjectAllocationInNewTLAB", "tlabSize" },
	{ "ObjectAllocationOutsideTLAB", "allocationSize" }, { "ObjectSample", "size" },
	{ "HeapLiveObject", "size" }, { "LiveObject", "allocationSize" },
	{ "OldObjectSample", "objectSize" }, { "Malloc", "size" },
	{ "JavaMonitorEnter", "duration" }, { "NativeLock", "duration" },
	{ "ThreadPark", "duration" }, { "JavaMonitorWait", "duration" },
	{ "ThreadSleep", "duration" },
};

#define PREFERRED (sizeof preferred / sizeof *preferred)

/* ---- kinds ---- */

/* The unit in the stream: times are all in nanoseconds. */
static uint8_t
stream_unit(uint8_t unit)
{
	return unit >= UNIT_TICKS && unit <= UNIT_S ? UNIT_NS : unit;
}

int
jfr_event_weight(const struct jfr_event *e, enum jfr_role role)
{
	size_t i;

	for (i = 0; i < e->nweight; i++)
		if (e->weight[i].role == role)
			return (int)i;
	return -1;
}

/* Adds the weights of a type that the event does not have yet.  One that has another unit in
 * this chunk is none. */
static void
add_weights(const struct jfr_types *t, const struct jfr_type *type, struct jfr_event *e)
{
	enum jfr_role role;
	uint32_t i;

	for (role = JFR_WEIGHT; role < JFR_ROLES; role++)
		for (i = 0; i < type->n; i++) {
			struct jfr_field *f = &t->field[type->first + i];
			const uint8_t unit = stream_unit(f->unit);
			int at;

			if (f->role != role || f->pool || f->array || f->type == NO_TYPE ||
			    t->v[f->type].kind != KIND_NUMBER)
				continue;
			if ((at = jfr_event_weight(e, role)) < 0 && e->nweight < WEIGHTS) {
				at = (int)e->nweight++;
				e->weight[at].role = (uint8_t)role;
				e->weight[at].unit = unit;
			}
			if (at >= 0 && e->weight[at].unit != unit)
				f->role = JFR_NONE;
		}
}

int
jfr_event_of(struct jfr *j, struct jfr_type *type)
{
	struct jfr_events *e = &j->events;
	const uint64_t key = dict_str(j->d->dict, type->name);
	const size_t row = sums_row(&e->names, &key);

	if (row == EVENTS_MOST)
		return jfr_fail(j, NULL, "more than %u kinds of events with stacks",
		    EVENTS_MOST);
	if (row == e->n) {
		e->v = mem_grow(e->v, &e->cap, e->n + 1, sizeof *e->v);
		e->v[e->n++] = (struct jfr_event){ .full = (uint32_t)key, .period = NO_ID,
		    .column = NO_COLUMN };
	}
	add_weights(&j->types, type, &e->v[row]);
	type->event = (uint32_t)row;
	return 0;
}

/* ---- columns ---- */

/* Returns the name without that of its package: ExecutionSample of jdk.ExecutionSample. */
static struct text
base_of(struct text full)
{
	const char *point = last_byte(full.s, '.', full.n);

	return point ? (struct text){ point + 1, (size_t)(full.s + full.n - point - 1) } : full;
}

static size_t
rank_of(struct jfr *j, const struct jfr_event *e)
{
	const struct text base = base_of(dict_text(j->d->dict, e->full));
	size_t i;

	for (i = 0; i < PREFERRED && !text_is(base, preferred[i].name); i++)
		;
	return i;
}

/* Is the event one that the recorder takes at times, and so by chance? */
static bool
is_sampled(const struct jfr *j, const struct jfr_event *e)
{
	const struct text name = dict_text(j->d->dict, e->full);

	return name.n > 6 && memcmp(name.s + name.n - 6, "Sample", 6) == 0;
}

/* Is it offered?  Many types have a field for a stack, but none in any of their events. */
static bool
is_offered(const struct jfr *j, const struct jfr_event *e)
{
	return e->stacks || (e->samples && is_sampled(j, e));
}

/* Puts a column of an event: its number, or a weight. */
static int
put_column(struct jfr *j, const struct jfr_event *e, size_t id, int weight, bool usual)
{
	static const char *const unit[] = { [UNIT_NS] = "ns", [UNIT_BYTES] = "B" };
	struct buf attrs = { 0 }, name = { 0 };
	struct record r = rec_make(REC_EVENT);
	int ret;

	attr_add(&attrs, "calls", TEXT("absent"));
	if (usual)
		attr_add(&attrs, "default", TEXT("1"));
	if (weight < 0 && is_sampled(j, e))
		attr_add(&attrs, "sample", TEXT("1"));
	buf_text(&name, buf_as_text(&e->name));
	if (weight >= 0) {
		buf_putc(&name, '.');
		buf_text(&name, jfr_weight_name(e->weight[weight].role));
		r.col[EVENT_UNIT].t = text_of(unit[e->weight[weight].unit]);
	}
	r.col[EVENT_ID].n = id;
	r.col[EVENT_NAME].t = buf_as_text(&name);
	r.attrs = buf_as_text(&attrs);
	ret = decode_put_event(j->d, &r);
	buf_free(&attrs);
	buf_free(&name);
	return ret;
}

/* Puts the columns of an event.  usual: -1 for the number, or a weight, that is the default;
 * -2: none is. */
static int
put_columns(struct jfr *j, const struct jfr_event *e, int usual, size_t *column)
{
	int i;

	for (i = -1; i < (int)e->nweight; i++)
		if ((i < 0 || e->weight[i].used) &&
		    put_column(j, e, (*column)++, i, i == usual) < 0)
			return -1;
	return 0;
}

/* Names an event without its package, unless another one has that name. */
static void
name_event(struct jfr *j, struct jfr_event *e, struct name_index *names)
{
	const struct text full = dict_text(j->d->dict, e->full), base = base_of(full);

	buf_text(&e->name, name_index_add(names, base, e->column) == e->column ? base : full);
}

/* Returns which weight of the event is preferred; -1: its number is. */
static int
preferred_weight(const struct jfr_event *e, size_t rank)
{
	int i = rank < PREFERRED && preferred[rank].weight ? (int)e->nweight : 0;

	while (i-- && !(e->weight[i].used && text_is(jfr_weight_name(e->weight[i].role),
	    preferred[rank].weight)))
		;
	return i < 0 ? -1 : i;
}

static int
put_rank(struct jfr *j, size_t rank, struct name_index *names, size_t *column)
{
	struct jfr_events *events = &j->events;
	size_t i;

	for (i = 0; i < events->n; i++) {
		struct jfr_event *e = &events->v[i];

		if (!is_offered(j, e) || rank_of(j, e) != rank)
			continue;
		e->column = *column;
		name_event(j, e, names);
		if (put_columns(j, e, *column ? -2 : preferred_weight(e, rank), column) < 0)
			return -1;
	}
	return 0;
}

int
jfr_events_put(struct jfr *j)
{
	struct name_index names = { 0 };
	size_t rank, column = 0;
	int ret = 0;

	for (rank = 0; rank <= PREFERRED && ret == 0; rank++)
		ret = put_rank(j, rank, &names, &column);
	name_index_free(&names);
	return ret;
}

void
jfr_events_free(struct jfr_events *e)
{
	while (e->n)
		buf_free(&e->v[--e->n].name);
	free(e->v);
	sums_free(&e->names);
}
