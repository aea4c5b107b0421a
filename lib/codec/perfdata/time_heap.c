/* SPDX-License-Identifier: ISC */
#include "perfdata.h"

#include "util/mem.h"

static bool
is_before(const struct time_entry *a, const struct time_entry *b)
{
	return a->time < b->time || (a->time == b->time && a->order < b->order);
}

void
pd_heap_put(struct time_heap *h, struct time_entry e)
{
	size_t i, up;

	h->v = mem_grow(h->v, &h->cap, h->n + 1, sizeof *h->v);
	for (i = h->n++; i && is_before(&e, &h->v[up = (i - 1) / 2]); i = up)
		h->v[i] = h->v[up];
	h->v[i] = e;
}

void
pd_heap_replace_first(struct time_heap *h, struct time_entry e)
{
	size_t i = 0, down;

	for (; (down = 2 * i + 1) < h->n; i = down) {
		down += down + 1 < h->n && is_before(&h->v[down + 1], &h->v[down]);
		if (!is_before(&h->v[down], &e))
			break;
		h->v[i] = h->v[down];
	}
	h->v[i] = e;
}

void
pd_heap_drop_first(struct time_heap *h)
{
	pd_heap_replace_first(h, h->v[--h->n]);
}
