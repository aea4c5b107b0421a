/* SPDX-License-Identifier: ISC */
/*
 * Puts records in the order of time, as those of several processors are interleaved.  After
 * the end of a round nothing is earlier than the newest record of the round before: records
 * up to that time are put (tools/perf/util/ordered-events.c).
 *
 * Records that come in order, such as those of one processor, are a run; a heap has the
 * first records of all runs.
 */
#include "perfdata.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

/* ---- chunks ---- */

struct chunk *
pd_chunk_new(size_t cap)
{
	struct chunk *c = mem_resize(NULL, 1, sizeof *c + cap);

	*c = (struct chunk){ .users = 1, .cap = cap };
	return c;
}

void
pd_chunk_drop(struct order *o, struct chunk *c)
{
	if (--c->users)
		return;
	o->bytes -= c->held ? c->cap : 0;
	free(c);
}

struct chunk *
pd_chunk_fit(struct chunk *c, size_t n)
{
	c = mem_resize(c, 1, sizeof *c + n);
	c->n = c->cap = n;
	return c;
}

/* ---- runs ---- */

/* Takes the earliest record. */
static struct timed
take_first(struct order *o)
{
	struct time_entry run = *o->runs.v;
	const uint32_t at = run.n;
	struct timed *t = &o->v[at];
	const struct timed first = *t;

	if (at == o->last)
		o->last = NO_RECORD;
	if (first.next == NO_RECORD) {
		pd_heap_drop_first(&o->runs);
	} else {
		run.n = first.next;
		run.time = o->v[first.next].time;
		pd_heap_replace_first(&o->runs, run);
	}
	t->next = o->unused;
	o->unused = at;
	return first;
}

/* ---- the queue ---- */

void
pd_order_init(struct order *o)
{
	o->last = o->unused = NO_RECORD;
}

/* The memory of waiting records must be in proportion to the bytes that were read, as
 * compressed records may be a thousand times as large. */
static int
check_room(struct perfdata *pd)
{
	const struct order *o = &pd->order;
	const uint64_t most = ORDER_MOST + 8 * pd->bytes;

	return o->bytes + o->cap * sizeof *o->v + o->runs.cap * sizeof *o->runs.v <= most ? 0 :
	    perf_fail(pd, "more than %" PRIu64 " MiB of records are not in the order of "
	    "time, and have no rounds: use the output of perf script", most >> 20);
}

static uint32_t
keep(struct order *o, const struct timed *t)
{
	uint32_t at = o->unused;

	if (at == NO_RECORD) {
		o->v = mem_grow(o->v, &o->cap, o->n + 1, sizeof *o->v);
		at = (uint32_t)o->n++;
	} else {
		o->unused = o->v[at].next;
	}
	o->v[at] = *t;
	t->chunk->users++;
	if (!t->chunk->held)
		o->bytes += t->chunk->cap;
	t->chunk->held = true;
	return at;
}

int
pd_order_add(struct perfdata *pd, uint64_t time, const char *record, struct chunk *c)
{
	struct order *o = &pd->order;
	const struct timed t = { time, pd->at, record, c, NO_RECORD, pd->of };
	const uint32_t at = keep(o, &t);

	if (o->last != NO_RECORD && time >= o->v[o->last].time)
		o->v[o->last].next = at;
	else
		pd_heap_put(&o->runs, (struct time_entry){ time, o->nrun++, at });
	o->last = at;
	if (time > o->newest)
		o->newest = time;
	pd->count[LATE_RECORDS] += time < o->done;
	return check_room(pd);
}

int
pd_order_put_until(struct perfdata *pd, uint64_t time)
{
	struct order *o = &pd->order;

	while (o->runs.n && o->runs.v->time <= time) {
		const struct timed t = take_first(o);
		int ret;

		if (o->runs.n)		/* which is read next */
			__builtin_prefetch(o->v[o->runs.v->n].record);
		pd->at = t.at;
		pd->of = t.of;
		o->done = t.time;
		ret = pd->put(pd, t.record);
		pd_chunk_drop(o, t.chunk);
		if (ret < 0)
			return -1;
	}
	return 0;
}

int
pd_order_round(struct perfdata *pd)
{
	struct order *o = &pd->order;

	if (pd_order_put_until(pd, o->promised) < 0)
		return -1;
	o->promised = o->newest;
	return 0;
}

int
pd_order_end(struct perfdata *pd)
{
	return pd_order_put_until(pd, UINT64_MAX);
}

void
pd_order_free(struct order *o)
{
	while (o->runs.n)
		pd_chunk_drop(o, take_first(o).chunk);
	free(o->v);
	free(o->runs.v);
}
