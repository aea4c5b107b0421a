/* SPDX-License-Identifier: ISC */
/*
 * Samples in the kernel whose user stack comes later, in a separate record with the same
 * cookie, when the thread returns to its program (Linux 6.19).  Several samples may wait
 * for one record.
 */
#include "perfdata.h"

#include <stdlib.h>

#include "util/mem.h"

enum { KEY_THREAD, KEY_COOKIE, KEYS };

#define BYTES_MOST ((uint64_t)64 << 20)	/* of waiting samples; beyond it all are put */

void
pd_deferred_init(struct deferred *d)
{
	sums_init(&d->lists, KEYS, 0);
}

static void
clear(struct deferred *d)
{
	while (d->n)
		free(d->v[--d->n].record);
	sums_clear(&d->lists);
	d->bytes = 0;
	d->left = 0;
}

void
pd_deferred_free(struct deferred *d)
{
	clear(d);
	sums_free(&d->lists);
	free(d->list);
	free(d->v);
}

/* ---- keeping ---- */

/* Makes the fields of a sample refer to a copy of its record. */
static void
move_fields(struct perf_sample *s, const char *from, char *to)
{
	struct bytes *const fields[] = { &s->chain, &s->branches, &s->registers, &s->stack,
	    &s->group };
	size_t i;

	for (i = 0; i < sizeof fields / sizeof *fields; i++)
		if (fields[i]->p) {
			fields[i]->p = to + (fields[i]->p - from);
			fields[i]->end = to + (fields[i]->end - from);
		}
}

int
pd_deferred_keep(struct perfdata *pd, const struct perf_sample *s, const char *p, size_t n)
{
	struct deferred *d = &pd->deferred;
	const uint64_t key[KEYS] = { s->tid, s->cookie };
	const size_t was = d->lists.n;
	struct waiting_list *list;
	struct waiting *w;
	size_t row;

	if (d->bytes > BYTES_MOST && pd_deferred_end(pd) < 0)
		return -1;
	row = sums_row(&d->lists, key);
	d->list = mem_reach(d->list, &d->caplist, row, sizeof *d->list, 0);
	list = &d->list[row];
	if (row >= was)
		*list = (struct waiting_list){ NO_ID, NO_ID };
	d->v = mem_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
	w = &d->v[d->n];
	*w = (struct waiting){ mem_resize(NULL, 1, n), *s, NO_ID };
	memcpy(w->record, p, n);
	move_fields(&w->sample, p, w->record);
	if (list->first == NO_ID)
		list->first = (uint32_t)d->n;
	else
		d->v[list->last].next = (uint32_t)d->n;
	list->last = (uint32_t)d->n++;
	d->bytes += n + sizeof *w;
	d->left++;
	return 0;
}

/* ---- putting ---- */

static int
put(struct perfdata *pd, struct waiting *w, struct bytes later)
{
	int ret;

	w->sample.attr = &pd->events.v[w->sample.event];	/* they may have moved */
	w->sample.later = later;
	ret = pd_stacks_put_sample(pd, &w->sample);
	free(w->record);
	w->record = NULL;
	pd->deferred.left--;
	return ret;
}

int
pd_deferred_record(struct perfdata *pd, struct perf_record *r)
{
	struct deferred *d = &pd->deferred;
	const uint64_t key[KEYS] = { pd_record_thread(pd, r), bytes_u64(&r->body) };
	const uint64_t n = bytes_u64(&r->body);
	struct bytes later;
	size_t row;
	uint32_t i;

	if (r->body.ended || n > bytes_left(&r->body) / 8)
		return perf_fail(pd, "a deferred stack ends too early");
	later = bytes_take(&r->body, 8 * n);
	if (!sums_find(&d->lists, key, &row))
		return 0;
	for (i = d->list[row].first; i != NO_ID; i = d->v[i].next)
		if (put(pd, &d->v[i], later) < 0)
			return -1;
	d->list[row] = (struct waiting_list){ NO_ID, NO_ID };
	if (!d->left)
		clear(d);
	return 0;
}

int
pd_deferred_end(struct perfdata *pd)
{
	struct deferred *d = &pd->deferred;
	size_t i;

	for (i = 0; i < d->n; i++)
		if (d->v[i].record && put(pd, &d->v[i], (struct bytes){ 0 }) < 0)
			return -1;
	clear(d);
	return 0;
}
