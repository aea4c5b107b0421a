/* SPDX-License-Identifier: ISC */
/* What a ranking says, asked of the result alone. */
#include "sum/rank.h"

#include <stdlib.h>

#include "util/mem.h"

int
rank_resolve(const struct rank *r, struct text what, num *coef)
{
	size_t n = r->events.measured, i;
	num *c = mem_alloc(n + 1, sizeof *c);
	int ret = events_resolve(&r->events, what, c);

	for (i = 0; i < r->nslots; i++)
		coef[i] = 0;
	for (i = 0; i < n; i++)
		if (r->slot[i] >= 0)
			coef[r->slot[i]] = c[i];
	free(c);
	return ret;
}

struct record *
rank_event(const struct rank *r, struct text what)
{
	const long column = events_find(&r->events, what);
	num *coef = mem_alloc(r->events.measured + 1, sizeof *coef);
	struct record *event = column >= 0 ? rec_keep(events_at(&r->events, (size_t)column)) :
	    events_resolve(&r->events, what, coef) == 1 ?
	    events_sum(&r->events, what, coef) : NULL;

	free(coef);
	return event;
}

uint64_t
rank_scale(const struct rank *r, size_t slot)
{
	size_t i;

	for (i = 0; i < r->events.measured; i++)
		if (r->slot[i] == (long)slot)
			return event_scale(events_at(&r->events, i));
	return 1;
}

bool
rank_knows(const struct rank *r, struct text what)
{
	num *coef = mem_alloc(r->nslots + 1, sizeof *coef);
	int ret = rank_resolve(r, what, coef);

	free(coef);
	return ret == 1;
}

const struct rank_delta *
rank_delta_of(const struct rank *r, long slot)
{
	return slot >= 0 && r->delta_at[slot] ? &r->delta[r->delta_at[slot] - 1] : NULL;
}

static bool
is_bounded(const struct rank *r, size_t row, size_t slot)
{
	return r->most[slot] == NUM_MAX ||
	    r->incl[row * r->rows.nval + slot] <= r->most[slot];
}

bool
rank_incl_sure(const struct rank *r, size_t row, size_t slot)
{
	const struct rank_delta *d = rank_delta_of(r, (long)slot);

	if (!r->incl_known || r->flags[row] & GRAPH_MIXED)
		return false;
	if (!r->filtered)
		return true;
	if (d && d->change == slot)
		return is_bounded(r, row, d->old) && is_bounded(r, row, d->new);
	return is_bounded(r, row, slot);
}

bool
rank_incl_stated(const struct rank *r, size_t row, size_t slot)
{
	const struct rank_delta *d = rank_delta_of(r, (long)slot);
	const long stated = r->stated ? r->stated[slot] : -1;

	if (d && d->change == slot)
		return rank_incl_stated(r, row, d->old) && rank_incl_stated(r, row, d->new);
	return stated >= 0 &&
	    r->incl[row * r->rows.nval + slot] == sums_val(&r->rows, row)[stated];
}

num
rank_point_size(const struct rank *r, size_t point)
{
	const uint64_t *key = sums_key(&r->points, point);

	return (num)((unsigned __int128)key[POINT_KEY_HIGH] << 64 | key[POINT_KEY_LOW]);
}
