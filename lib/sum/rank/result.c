/* SPDX-License-Identifier: ISC */
/* Queries on a ranking, from its result alone. */
#include "sum/rank.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"

/* Have the parts of a class this event or formula? */
static bool
has(const struct rank_class *c, struct text what)
{
	return !what.s || events_resolve(&c->events, what, NULL) == 1;
}

/* The classes that may have an event or a formula: for a name those that are linked to it,
 * otherwise all.  `next` is the number + 1 of a link, or of a class. */
struct candidates {
	const struct rank *r;
	bool linked;
	size_t next;
};

static struct candidates
candidates_of(const struct rank *r, struct text what)
{
	struct candidates c = { .r = r };
	size_t at;

	c.linked = name_index_find(&r->named, what, &at) && !events_is_known(what);
	c.next = c.linked ? r->newest[at] : r->nclasses;
	return c;
}

/* Returns the next class; NULL after the last one. */
static const struct rank_class *
next_candidate(struct candidates *c)
{
	const size_t at = c->next - 1;

	if (!c->next)
		return NULL;
	c->next = c->linked ? c->r->link[at].before : at;
	return &c->r->class[c->linked ? c->r->link[at].class : at];
}

/* Adds the terms of an event or formula in the parts of a class: false if these lack it.
 * Columns of one name have one sum. */
static bool
add_terms(const struct rank_class *class, struct text what, struct terms *terms)
{
	const struct events *e = &class->events;
	const long column = events_find(e, what);
	num *coef;
	size_t k;
	bool is;

	if (column >= 0) {
		if (class->slot[column] >= 0)
			terms_add(terms, (size_t)class->slot[column], 1);
		return true;
	}
	coef = mem_alloc(e->measured + 1, sizeof *coef);
	is = events_resolve(e, what, coef) == 1;
	for (k = 0; k < e->measured && is; k++)
		if (coef[k] && class->slot[k] >= 0 &&
		    events_find(e, events_at(e, k)->col[EVENT_NAME].t) == (long)k)
			terms_add(terms, (size_t)class->slot[k], coef[k]);
	free(coef);
	return is;
}

int
rank_resolve(const struct rank *r, struct text what, struct text with, struct terms *terms)
{
	struct candidates all = candidates_of(r, what);
	int ret = events_resolve(&r->events, what, NULL) < 0 ? -1 : 0;
	const struct rank_class *class;

	terms->n = 0;
	while (ret >= 0 && (class = next_candidate(&all)))
		if (has(class, with) && add_terms(class, what, terms))
			ret = 1;
	return ret;
}

/* Adds the names of the events of a formula that a class lacks. */
static void
add_lacking(const struct rank *r, const struct rank_class *class, struct text what,
    struct buf *names)
{
	num *c = mem_alloc(r->events.measured + 1, sizeof *c);
	size_t i;

	if (what.s && events_resolve(&r->events, what, c) == 1)
		for (i = 0; i < r->events.measured; i++) {
			const struct text name = events_at(&r->events, i)->col[EVENT_NAME].t;

			if (!c[i] || events_find(&class->events, name) >= 0)
				continue;
			buf_puts(names, names->n ? ", " : "");
			printable_add(names, name);
		}
	free(c);
}

/* Returns the number of parts of a class that have it. */
static uint64_t
parts_with(const struct rank *r, const struct rank_class *c, struct text what)
{
	const long column = events_find(&c->events, what);

	return column >= 0 && c->slot[column] >= 0 ? r->in_parts[c->slot[column]] : c->parts;
}

uint64_t
rank_lacking(const struct rank *r, struct text what, struct text with, struct buf *names)
{
	struct candidates all = candidates_of(r, what);
	const struct rank_class *c;
	uint64_t lack = r->parts;
	size_t i;

	while ((c = next_candidate(&all)))
		if (has(c, what) && has(c, with))
			lack -= parts_with(r, c, what);
	for (i = 0; i < r->nclasses && lack && !names->n; i++)
		if (!has(&r->class[i], what) || !has(&r->class[i], with)) {
			add_lacking(r, &r->class[i], what, names);
			add_lacking(r, &r->class[i], with, names);
		}
	return lack;
}

struct text
rank_default(const struct rank_request *q, const struct rank *r)
{
	return q->event.s || !r->events.measured ? q->event :
	    events_at(&r->events, 0)->col[EVENT_NAME].t;
}

struct record *
rank_event(const struct rank *r, struct text what)
{
	struct record *event;

	events_make(&r->events, what, NULL, &event);
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
	struct candidates all = candidates_of(r, what);
	const struct rank_class *c;

	while ((c = next_candidate(&all)))
		if (has(c, what))
			return true;
	return false;
}

const struct rank_delta *
rank_delta_of(const struct rank *r, long slot)
{
	return slot >= 0 && r->delta_at[slot] ? &r->delta[r->delta_at[slot] - 1] : NULL;
}

/* Returns an upper bound of inclusive costs; NUM_MAX: there is none. */
static num
most_of(const struct rank *r, size_t slot)
{
	return r->apart[slot] ? NUM_MAX : r->most[slot];
}

static bool
is_bounded(const struct rank *r, size_t row, size_t slot)
{
	return r->incl[row * r->rows.nval + slot] <= most_of(r, slot);
}

/* Returns the graph's flags for the side of a difference that a sum belongs to, or for
 * all. */
static unsigned
graph_flags(const struct rank *r, size_t row, size_t slot)
{
	const struct rank_delta *d = rank_delta_of(r, (long)slot);
	const unsigned char *side = !d ? NULL : r->side_flags[slot != d->old];

	return side ? side[row] : r->flags[row];
}

/* Is no cost negative, so that a sum is a bound? */
static bool
adds_up(const struct rank *r, size_t slot)
{
	return r->most[slot] != NUM_MAX;
}

/* Is it measured by the profiler itself, so that a cycle does not make it a lower bound? */
static bool
is_stated(const struct rank *r, size_t row, size_t slot)
{
	const struct rank_delta *d = rank_delta_of(r, (long)slot);
	num stated;

	if (d && d->change == slot)
		return is_stated(r, row, d->old) && is_stated(r, row, d->new);
	return rank_stated_cost(r, row, slot, &stated) &&
	    r->incl[row * r->rows.nval + slot] == stated;
}

static unsigned
cost_bound(const struct rank *r, size_t row, size_t slot)
{
	const unsigned either = RANK_MAY_BE_MORE | RANK_MAY_BE_LESS;
	const unsigned flags = graph_flags(r, row, slot);

	if (!r->incl_known || flags & GRAPH_MIXED || (r->uncalled[slot] && !r->stacked) ||
	    (r->filtered && !is_bounded(r, row, slot)))
		return either | RANK_UNKNOWN;
	/* If the upper bound equals the self cost, it is exact; in a cycle the sum is a
	 * lower bound. */
	if (flags & GRAPH_PARTIAL && !(flags & GRAPH_CYCLE))
		return r->incl[row * r->rows.nval + slot] == sums_val(&r->rows, row)[slot] ?
		    0 : either;
	/* If the lower bound equals the whole, it is exact. */
	if (!(flags & GRAPH_CYCLE) || is_stated(r, row, slot) ||
	    r->incl[row * r->rows.nval + slot] == most_of(r, slot))
		return 0;
	return adds_up(r, slot) ? RANK_MAY_BE_MORE : either;
}

unsigned
rank_bound_minus(unsigned bound)
{
	return (bound & RANK_UNKNOWN) | (bound & RANK_MAY_BE_MORE ? RANK_MAY_BE_LESS : 0) |
	    (bound & RANK_MAY_BE_LESS ? RANK_MAY_BE_MORE : 0);
}

unsigned
rank_incl_bound(const struct rank *r, size_t row, size_t slot)
{
	const struct rank_delta *d = rank_delta_of(r, (long)slot);

	if (!d || d->change != slot)
		return cost_bound(r, row, slot);
	return cost_bound(r, row, d->new) | rank_bound_minus(cost_bound(r, row, d->old));
}

/* Is a cost, among the sums `v`, not known for some records? */
static bool
lacks(const struct rank *r, const num *v, size_t slot)
{
	return r->unknown[slot] >= 0 && v[r->unknown[slot]] > 0;
}

/* Returns the range of a cost.  If it is only partly known, that part is a lower bound,
 * unless costs are negative. */
static struct rank_range
range_of(const struct rank *r, num cost, size_t slot, bool lacks)
{
	const bool least = !lacks || adds_up(r, slot);

	return (struct rank_range){ .least = least ? cost : NUM_MIN, .bottomless = !least,
	    .most = lacks ? NUM_MAX : cost, .endless = lacks, .known = !lacks };
}

struct rank_range
rank_self_range(const struct rank *r, size_t row, size_t slot)
{
	const num *v = sums_val(&r->rows, row);

	return range_of(r, v[slot], slot, lacks(r, v, slot));
}

struct rank_range
rank_total_range(const struct rank *r, size_t slot)
{
	return range_of(r, r->whole[slot], slot, lacks(r, r->whole, slot));
}

/* Is some part of an inclusive cost not known?  If the cost is only a bound, any row may
 * have that part. */
static bool
lacks_incl(const struct rank *r, size_t row, size_t slot, unsigned bound)
{
	const long stated = r->stated ? r->stated[slot].slot : -1;

	return lacks(r, r->incl + row * r->rows.nval, slot) ||
	    (stated >= 0 && lacks(r, sums_val(&r->rows, row), (size_t)stated)) ||
	    (bound && r->unknown[slot] >= 0);
}

struct rank_range
rank_incl_range(const struct rank *r, size_t row, size_t slot)
{
	const unsigned bound = cost_bound(r, row, slot);
	const num cost = r->incl[row * r->rows.nval + slot];
	struct rank_range c = range_of(r, cost, slot, lacks_incl(r, row, slot, bound));

	if (bound & RANK_MAY_BE_LESS) {
		c.bottomless = !adds_up(r, slot);
		c.least = c.bottomless ? NUM_MIN : sums_val(&r->rows, row)[slot];
	}
	if (bound & RANK_MAY_BE_MORE && c.known) {
		c.most = cost > most_of(r, slot) && !(bound & RANK_UNKNOWN) ? cost :
		    most_of(r, slot);
		c.endless = c.most == NUM_MAX;
	}
	return c;
}

bool
rank_stated_cost(const struct rank *r, size_t row, size_t slot, num *cost)
{
	const struct rank_stated *s = r->stated ? &r->stated[slot] : NULL;

	if (!s || s->slot < 0)
		return false;
	*cost = sums_val(&r->rows, row)[s->slot];
	return event_convert(cost, s->from, s->scale);
}

num
rank_point_size(const struct rank *r, size_t point)
{
	const uint64_t *key = sums_key(&r->points, point);

	return (num)((unsigned __int128)key[POINT_KEY_HIGH] << 64 | key[POINT_KEY_LOW]);
}
