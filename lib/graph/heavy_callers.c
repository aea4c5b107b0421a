/* SPDX-License-Identifier: ISC */
#include "graph/heavy_callers.h"

#include <stdlib.h>

#include "util/mem.h"

enum { CALLER, CALLEE };		/* the key of a call */

void
heavy_callers_init(struct heavy_callers *h, const struct sums *calls,
    const struct adjacency *into, size_t nodes)
{
	*h = (struct heavy_callers){ .calls = calls, .into = into };
	h->list_of = mem_alloc(nodes * (calls->nval - 1) + 1, sizeof *h->list_of);
}

void
heavy_callers_free(struct heavy_callers *h)
{
	free(h->list_of);
	free(h->list);
	free(h->place);
}

static num
weight_of(const struct heavy_callers *h, uint32_t place, size_t event)
{
	return sums_val(h->calls, h->into->edge[place])[1 + event];
}

static uint32_t
caller_of(const struct heavy_callers *h, uint32_t place)
{
	return (uint32_t)sums_key(h->calls, h->into->edge[place])[CALLER];
}

/* ---- lists ---- */

struct heavy {
	num weight;
	uint32_t place;
};

static int
by_weight(const void *pa, const void *pb)
{
	const struct heavy *a = pa, *b = pb;

	return a->weight != b->weight ? (a->weight < b->weight) - (a->weight > b->weight) :
	    (a->place > b->place) - (a->place < b->place);
}

/* Makes the list of a node: false if the sum does not fit 128 bits. */
static bool
make_list(struct heavy_callers *h, uint32_t node, size_t event, struct heavy_list *list)
{
	const uint32_t from = h->into->first[node], end = h->into->first[node + 1];
	struct heavy *v = mem_alloc(end - from + 1, sizeof *v);
	bool fits = true;
	uint32_t at;
	size_t i;

	*list = (struct heavy_list){ .from = h->nplace };
	for (at = from; at < end; at++) {
		v[list->n] = (struct heavy){ weight_of(h, at, event), at };
		if (caller_of(h, at) == node || !v[list->n].weight)
			continue;
		fits &= num_add(&list->all, v[list->n++].weight) == 0;
	}
	qsort(v, list->n, sizeof *v, by_weight);
	h->place = mem_grow(h->place, &h->capplace, h->nplace + list->n, sizeof *h->place);
	for (i = 0; i < list->n; i++)
		h->place[h->nplace++] = v[i].place;
	free(v);
	return fits;
}

/* NULL: the sum does not fit. */
static const struct heavy_list *
list_of(struct heavy_callers *h, uint32_t node, size_t event)
{
	uint32_t *at = &h->list_of[node * (h->calls->nval - 1) + event];
	struct heavy_list list;

	if (!*at) {
		if (!make_list(h, node, event, &list))
			return NULL;
		h->list = mem_grow(h->list, &h->caplist, h->nlist + 1, sizeof *h->list);
		h->list[h->nlist++] = list;
		*at = (uint32_t)h->nlist;
	}
	return &h->list[*at - 1];
}

/* ---- picking ---- */

/* Takes the weights of the callers on the path away. */
static void
leave_out_path(const struct heavy_callers *h, const struct heavy_ask *ask, num *all)
{
	size_t i, row;

	for (i = 0; i < ask->npath; i++) {
		const uint64_t key[] = { [CALLER] = ask->path[i], [CALLEE] = ask->node };

		if (ask->path[i] != ask->node && sums_find(h->calls, key, &row))
			*all -= sums_val(h->calls, row)[1 + ask->event];
	}
}

bool
heavy_callers_pick(struct heavy_callers *h, const struct heavy_ask *ask, struct buf *picked,
    num *all)
{
	const struct heavy_list *list = list_of(h, ask->node, ask->event);
	num limit, share;
	size_t i;

	if (!list)
		return false;
	*all = list->all;
	leave_out_path(h, ask, all);
	if (!*all || num_add(all, ask->root) < 0 || num_mul(ask->least, *all, &limit) < 0)
		return false;
	for (i = 0; i < list->n; i++) {
		const uint32_t place = h->place[list->from + i];

		if (ask->on_path[caller_of(h, place)])
			continue;
		if (num_mul(ask->cost, weight_of(h, place, ask->event), &share) < 0)
			return false;
		buf_add(picked, &place, sizeof place);
		if (share < limit)
			break;
	}
	return true;
}
