/* SPDX-License-Identifier: ISC */
/* Inclusive costs that the producer has measured, as an event of their own. */
#include "state.h"

#include "util/mem.h"

/* The sum of the event whose inclusive cost this one is, on the same side of a
 * difference; -1. */
static long
slot_stated_by(const struct rank *r, const struct record *event)
{
	const bool old = event_has_role(event, "old"), new = event_has_role(event, "new");
	struct buf scratch = { 0 };
	const struct text name = attr_get(event->attrs, "inclusive", &scratch);
	const long column = name.s ? events_find(&r->events, name) : -1;
	const long slot = column < 0 ? -1 : r->slot[column];
	const struct rank_delta *d = rank_delta_of(r, slot);

	buf_free(&scratch);
	return !old && !new ? slot : !d ? -1 : (long)(old ? d->old : d->new);
}

bool
rank_states_inclusive(const struct rank *r)
{
	size_t i;

	for (i = 0; i < r->events.measured; i++)
		if (slot_stated_by(r, events_at(&r->events, i)) >= 0)
			return true;
	return false;
}

static void
find_stated(struct rank *r)
{
	size_t i;

	for (i = 0; i < r->events.measured; i++) {
		const long slot = slot_stated_by(r, events_at(&r->events, i));

		if (slot >= 0 && r->slot[i] >= 0 &&
		    r->in_parts[slot] == r->in_parts[r->slot[i]])
			r->stated[slot] = r->slot[i];
	}
}

/* None is less than the self cost; a function of which nothing was stated has 0. */
static void
take_stated(struct rank *r, size_t slot)
{
	const size_t nval = r->rows.nval;
	size_t row;

	for (row = 0; row < r->rows.n; row++) {
		const num *sums = sums_val(&r->rows, row), stated = sums[r->stated[slot]];

		if (!stated || stated < sums[slot])
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
		r->stated[i] = -1;
	find_stated(r);
	for (i = 0; i < r->nslots; i++)
		if (r->stated[i] >= 0)
			take_stated(r, i);
}
