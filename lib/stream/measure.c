/* SPDX-License-Identifier: ISC */
#include "stream/measure.h"

#include <stdlib.h>

#include "stream/sums.h"
#include "util/mem.h"

void
measure_init(struct measure *m, struct diag *d)
{
	*m = (struct measure){ .diag = d, .sides = 1 };
}

void
measure_free(struct measure *m)
{
	free(m->event);
	free(m->term);
	free(m->slot);
	free(m->value);
	free(m->self);
	if (m->whole)
		measure_free(m->whole);
	free(m->whole);
}

static int
too_large(const struct measure *m)
{
	return diag_too_large(m->diag, "a sum");
}

/* ---- the columns of a part ---- */

static void
add_term(struct measure *m, size_t column, size_t side, num coef)
{
	if (m->slot[column] < 0) {
		m->slot[column] = (long)m->nvalue++;
		m->value = mem_grow(m->value, &m->capvalue, m->nvalue, sizeof *m->value);
		m->self = mem_grow(m->self, &m->capself, m->nvalue, sizeof *m->self);
		m->self[m->nvalue - 1] = 0;
	}
	if (m->ncolumn <= column)
		m->ncolumn = column + 1;
	m->term = mem_grow(m->term, &m->cap, m->n + 1, sizeof *m->term);
	m->term[m->n++] = (struct measure_term){ column, (size_t)m->slot[column], side, coef };
}

/* Returns the number of sides; -1 with the diag set. */
static int
set_terms(struct measure *m, const struct events *e, const num *coef)
{
	size_t i, old, new;
	int sides = 0;

	m->slot = mem_grow(m->slot, &m->capslot, e->measured, sizeof *m->slot);
	for (i = 0; i < e->measured; i++)
		m->slot[i] = -1;
	for (i = 0; i < e->measured; i++) {
		const bool change = coef[i] && event_is_change(e, i, &old, &new);

		if (!coef[i])
			continue;
		if (!change && event_has_role(events_at(e, i), "delta"))
			return diag_fail(m->diag, "the change of %.*s has no sides: choose "
			    "events with --events of prof-diff", (int)m->name.n, m->name.s);
		if (sides && sides != 1 + change)
			return diag_fail(m->diag, "%.*s is of changes and of others",
			    (int)m->name.n, m->name.s);
		sides = 1 + change;
		add_term(m, change ? old : i, SIDE_OLD, coef[i]);
		if (change)
			add_term(m, new, SIDE_NEW, coef[i]);
	}
	return sides ? sides : 1;
}

/* Takes the event over if it is the first; events of other parts must have the same
 * unit. */
static int
keep_event(struct measure *m, struct record *event)
{
	int ret = 0;

	if (!m->event) {
		m->event = event;
		return 0;
	}
	if (event)
		ret = event_check_units(m->event, event, m->diag);
	free(event);
	return ret;
}

static int
set_sides(struct measure *m, size_t sides)
{
	if (m->known && sides != m->sides)
		return diag_fail(m->diag, "some parts are differences, and others are not: "
		    "choose with --where");
	m->known = true;
	m->sides = sides;
	return 0;
}

/* The event whose total percentages are of, if it is another. */
static int
begin_whole(struct measure *m, const struct events *e)
{
	const long column = events_find(e, m->name);
	const size_t of = column < 0 ? 0 : events_whole_of(e, (size_t)column);

	if (m->whole)
		m->whole->available = false;
	if (column < 0 || of == (size_t)column)
		return 0;
	if (!m->whole) {
		m->whole = mem_alloc(1, sizeof *m->whole);
		measure_init(m->whole, m->diag);
	}
	return measure_begin(m->whole, e, events_at(e, of)->col[EVENT_NAME].t);
}

int
measure_begin(struct measure *m, const struct events *e, struct text name)
{
	num *coef = mem_alloc(e->measured + 1, sizeof *coef);
	struct record *event = NULL;
	int ret = 0;

	m->name = name;
	m->n = m->ncolumn = m->nvalue = 0;
	m->available = events_make(e, name, coef, &event);
	m->lacking += !m->available;
	if (m->available && (ret = keep_event(m, event)) == 0 &&
	    (ret = set_terms(m, e, coef)) > 0)
		ret = set_sides(m, (size_t)ret);
	m->sum |= m->n > m->sides && events_find(e, name) < 0;
	free(coef);
	return ret == 0 ? begin_whole(m, e) : ret;
}

/* ---- costs ---- */

int
measure_read(struct measure *m, struct text values, struct num_extent *all, num *cost)
{
	struct sums_run run = { .values = values, .n = m->ncolumn };
	size_t i;
	num v;

	for (i = 0; i < m->nvalue; i++)
		m->value[i] = 0;
	for (i = 0; i < m->sides; i++)
		cost[i] = 0;
	if (sums_add_columns(&run, m->slot, m->value, NULL) < 0)
		return too_large(m);
	for (i = 0; i < m->n; i++) {
		const struct measure_term *t = &m->term[i];

		v = m->value[t->slot];
		if ((t->coef != 1 && num_mul(v, t->coef, &v) < 0) ||
		    num_add(&cost[t->side], v) < 0)
			return too_large(m);
	}
	for (i = 0; i < m->sides; i++) {
		num_see(&all[i], cost[i]);
		if (!num_fits(&all[i]))
			return too_large(m);
	}
	return 0;
}

int
measure_add(const struct measure *m, num *sum, const num *cost)
{
	size_t side;

	for (side = 0; side < m->sides; side++)
		if (num_add(&sum[side], cost[side]) < 0)
			return too_large(m);
	return 0;
}

int
measure_self(struct measure *m, struct text values, num *sum)
{
	num cost[SIDES], whole[SIDES] = { 0 };

	if (m->whole && m->whole->available && measure_self(m->whole, values, whole) < 0)
		return -1;
	if (measure_read(m, values, m->selves, cost) < 0)
		return -1;
	if (num_add_each(m->self, m->value, m->nvalue) < 0)
		return too_large(m);
	return measure_add(m, sum, cost);
}

/* ---- the total ---- */

/* Sets the totals from those of the terms: 0, or -1 if one does not fit 128 bits. */
static int
own_total(const struct measure *m, const struct total *stated, num *total)
{
	num v;
	size_t i;

	for (i = 0; i < m->sides; i++)
		total[i] = 0;
	for (i = 0; i < m->n; i++) {
		const struct measure_term *t = &m->term[i];

		if (!total_stated(stated, t->column, &v))
			v = m->self[t->slot];
		if (num_mul(v, t->coef, &v) < 0 || num_add(&total[t->side], v) < 0)
			return -1;
	}
	return 0;
}

static int
part_total(struct measure *m, const struct total *stated, num *total)
{
	struct measure *whole = m->whole;
	size_t side;

	if (!whole || !whole->available || whole->sides != m->sides)
		return own_total(m, stated, total);
	whole->available = false;
	if (own_total(whole, stated, total) < 0)
		return -1;
	for (side = 0; side < m->sides; side++)
		m->inexact |= !event_convert(&total[side], event_scale(whole->event),
		    event_scale(m->event));
	return 0;
}

int
measure_end(struct measure *m, const struct total *stated)
{
	num total[SIDES];
	size_t side;

	if (!m->available)
		return 0;
	m->available = false;
	if (part_total(m, stated, total) < 0)
		return too_large(m);
	for (side = 0; side < m->sides; side++) {
		num_see(&m->totals[side], total[side]);
		if (!num_fits(&m->totals[side]))
			return too_large(m);
	}
	if (measure_add(m, m->total, total) < 0)
		return -1;
	if (m->inexact)
		memset(m->total, 0, sizeof m->total);
	return 0;
}
