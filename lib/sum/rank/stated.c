/* SPDX-License-Identifier: ISC */
/* Inclusive costs measured by the profiler, as a separate event. */
#include "state.h"

#include "util/mem.h"

/* Returns the sum of the event whose inclusive cost this one is, on the same side of a
 * difference; -1: none. */
static long
slot_stated_by(const struct rank *r, size_t column)
{
	const struct record *event = events_at(&r->events, column);
	const bool old = event_has_role(event, "old"), new = event_has_role(event, "new");
	const size_t of = events_measure_of(&r->events, column);
	const long slot = of == column || !text_eq(event->col[EVENT_UNIT].t,
	    events_at(&r->events, of)->col[EVENT_UNIT].t) ? -1 : r->slot[of];
	const struct rank_delta *d = rank_delta_of(r, slot);

	return !old && !new ? slot : !d ? -1 : (long)(old ? d->old : d->new);
}

num
rank_whole(const struct rank *r, struct text event, size_t slot)
{
	const long column = events_find(&r->events, event);
	const long of = column < 0 ? -1 : slot_stated_by(r, (size_t)column);
	num whole;

	if (of < 0 || (size_t)of == slot)
		return r->total[slot];
	if (num_mul(r->total[of], (num)rank_scale(r, slot), &whole) < 0)
		return 0;
	return whole % (num)rank_scale(r, (size_t)of) ? 0 :
	    whole / (num)rank_scale(r, (size_t)of);
}

bool
rank_states_inclusive(const struct rank *r)
{
	size_t i;

	for (i = 0; i < r->events.measured; i++)
		if (slot_stated_by(r, i) >= 0)
			return true;
	return false;
}

static void
find_stated(struct rank *r)
{
	size_t i;

	for (i = 0; i < r->events.measured; i++) {
		const long slot = slot_stated_by(r, i);

		if (slot >= 0 && r->slot[i] >= 0 &&
		    r->in_parts[slot] == r->in_parts[r->slot[i]])
			r->stated[slot] = (struct rank_stated){ r->slot[i],
			    rank_scale(r, (size_t)slot),
			    event_scale(events_at(&r->events, i)) };
	}
}

/* Takes stated costs, at least the self cost; a function without one has 0. */
static void
take_stated(struct rank *r, size_t slot)
{
	const size_t nval = r->rows.nval;
	size_t row;

	for (row = 0; row < r->rows.n; row++) {
		num stated;

		if (!rank_stated_cost(r, row, slot, &stated) || !stated ||
		    stated < sums_val(&r->rows, row)[slot])
			continue;
		r->incl[row * nval + slot] = stated;
		if (r->upper)
			r->upper[row * nval + slot] = stated;
	}
}

void
rank_use_stated(struct rank *r)
{
	size_t i;

	r->stated = mem_alloc(r->nslots + 1, sizeof *r->stated);
	for (i = 0; i < r->nslots; i++)
		r->stated[i].slot = -1;
	find_stated(r);
	for (i = 0; i < r->nslots; i++)
		if (r->stated[i].slot >= 0)
			take_stated(r, i);
}
