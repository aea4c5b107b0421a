/* SPDX-License-Identifier: ISC */
/*
 * Records in the order of time.  Those of several processors are interleaved.  At the end of
 * a round nothing is to come that is earlier than the newest record of the round before:
 * what is not later than that has its turn (tools/perf/util/ordered-events.c).
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

/* ---- the queue ---- */

int
pd_order_add(struct perfdata *pd, uint64_t time, const char *record, struct chunk *c)
{
	struct order *o = &pd->order;

	if (!c->held) {
		c->held = true;
		o->bytes += c->cap;
		if (o->bytes > ORDER_MOST)
			return perf_fail(pd, "more than %u MiB of records wait for others: the "
			    "recording has no rounds", (unsigned)(ORDER_MOST >> 20));
	}
	o->v = mem_grow(o->v, &o->cap, o->n + 1, sizeof *o->v);
	o->v[o->n++] = (struct timed){ time, pd->at, record, c };
	c->users++;
	if (time > o->newest)
		o->newest = time;
	return 0;
}

/* Finds the runs that are in order: how many. */
static size_t
find_runs(struct order *o)
{
	size_t i, n = 0;

	for (i = 0; i < o->n; i++) {
		if (i && o->v[i].time >= o->v[i - 1].time)
			continue;
		o->run = mem_grow(o->run, &o->caprun, n + 2, sizeof *o->run);
		o->run[n++] = i;
	}
	o->run[n] = o->n;
	return n;
}

/* Merges two runs, [a, b) and [b, end); of equal times the first one's are first. */
static void
merge(struct order *o, size_t a, size_t b, size_t end)
{
	const size_t middle = b;
	size_t to = a;

	while (a < middle || b < end)
		o->spare[to++] = b == end || (a < middle && o->v[a].time <= o->v[b].time) ?
		    o->v[a++] : o->v[b++];
}

/* A natural merge sort: there are few runs, one a processor and round. */
static void
sort(struct order *o)
{
	size_t n = find_runs(o), i, k;

	o->spare = mem_grow(o->spare, &o->capspare, o->n, sizeof *o->spare);
	for (; n > 1; n = k) {
		struct timed *was = o->v;
		size_t cap = o->cap;

		for (i = k = 0; i < n; i += 2) {
			const size_t from = o->run[i], middle = o->run[i + 1];

			merge(o, from, middle, i + 1 < n ? o->run[i + 2] : middle);
			o->run[k++] = from;
		}
		o->run[k] = o->n;
		o->v = o->spare;
		o->cap = o->capspare;
		o->spare = was;
		o->capspare = cap;
	}
}

static int
put_until(struct perfdata *pd, uint64_t time)
{
	struct order *o = &pd->order;
	size_t i;

	if (!o->n)
		return 0;
	sort(o);
	for (i = 0; i < o->n && o->v[i].time <= time; i++) {
		int ret;

		pd->at = o->v[i].at;
		ret = pd->put(pd, o->v[i].record);
		pd_chunk_drop(o, o->v[i].chunk);
		if (ret < 0) {
			o->done = i + 1;
			return -1;
		}
	}
	memmove(o->v, o->v + i, (o->n - i) * sizeof *o->v);
	o->n -= i;
	return 0;
}

int
pd_order_round(struct perfdata *pd)
{
	struct order *o = &pd->order;

	if (put_until(pd, o->promised) < 0)
		return -1;
	o->promised = o->newest;
	return 0;
}

int
pd_order_end(struct perfdata *pd)
{
	return put_until(pd, UINT64_MAX);
}

void
pd_order_free(struct order *o)
{
	size_t i;

	for (i = o->done; i < o->n; i++)
		pd_chunk_drop(o, o->v[i].chunk);
	free(o->v);
	free(o->spare);
	free(o->run);
}
