/* SPDX-License-Identifier: ISC */
/* Inclusive costs measured by the profiler, as a separate event. */
#include "state.h"

#include "util/mem.h"

/* Returns the sum of the event whose inclusive cost this one is, on the same side of a
 * difference; -1: none. */
static long
slot_stated_by(const struct rank *r, size_t column)
{
	const size_t of = events_whole_of(&r->events, column);

	return of == column ? -1 : r->slot[of];
}

/* ---- totals ---- */

static void
take_whole(struct rank *r, const struct rank_class *class, size_t column)
{
	const size_t of = events_whole_of(&class->events, column);
	const long slot = class->slot[column], from = class->slot[of];

	if (slot < 0 || from < 0 || from == slot)
		return;
	r->whole[slot] = r->total[from];
	if (!event_convert(&r->whole[slot], event_scale(events_at(&class->events, of)),
	    event_scale(events_at(&class->events, column))))
		r->whole[slot] = 0;
}

/* What runs cost, and of how many records a cost is not known. */
static void
take_whole_extra(struct rank *r, size_t i)
{
	const struct extra_column *c = &r->extra->v[i], *with;
	const size_t of = events_whole_of(&r->events, c->event);
	size_t k;

	for (k = 0; k < r->extra->n && of != c->event; k++) {
		with = &r->extra->v[k];
		if (with->event != of || with->side != c->side || with->run != c->run)
			continue;
		r->whole[r->first_extra + i] = r->total[r->first_extra + k];
		if (c->run && !event_convert(&r->whole[r->first_extra + i], with->scale,
		    c->scale))
			r->whole[r->first_extra + i] = 0;
	}
}

void
rank_find_wholes(struct rank *r)
{
	size_t i, k;

	r->whole = mem_alloc(r->nslots + 1, sizeof *r->whole);
	if (r->nslots)
		memcpy(r->whole, r->total, r->nslots * sizeof *r->whole);
	for (i = 0; i < r->nclasses; i++)
		for (k = 0; k < r->class[i].events.measured; k++)
			take_whole(r, &r->class[i], k);
	for (i = 0; r->extra && i < r->extra->n; i++)
		take_whole_extra(r, i);
}

/* ---- inclusive costs ---- */

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
