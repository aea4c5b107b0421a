/* SPDX-License-Identifier: ISC */
/* The events of a part that are summed, and their sums. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

static bool
wants_default(const struct ranker *s)
{
	return !s->q->nwant || s->q->default_too;
}

/* Sets the part's events that are requested: the terms of `want`, otherwise the default. */
static void
find_asked(const struct ranker *s, bool *asked)
{
	num *coef = mem_alloc(rank_events(s)->measured + 1, sizeof *coef);
	size_t i, k;
	long column;

	for (i = 0; i < s->q->nwant; i++) {
		struct text side[2] = { s->q->want[i], { 0 } };
		int n;

		formula_ratio(s->q->want[i], &side[0], &side[1]);
		for (n = 0; n < 2 && side[n].s; n++)
			if (events_resolve(rank_events(s), side[n], coef) == 1)
				for (k = 0; k < rank_events(s)->measured; k++)
					asked[k] |= coef[k] != 0;
	}
	if (wants_default(s))
		for (column = events_find(rank_events(s), rank_default(s->q, &s->r));
		    column >= 0; column = events_twin(rank_events(s), column))
			asked[column] = true;
	free(coef);
}

/* Is the event that this attribute names requested? */
static bool
is_asked(const struct ranker *s, struct text attrs, const char *key, const bool *asked)
{
	struct buf scratch = { 0 };
	const struct text of = attr_get(attrs, key, &scratch);
	const long whole = of.s ? events_find(rank_events(s), of) : -1;
	const bool yes = (whole >= 0 && asked[whole]) || (of.s && wants_default(s) &&
	    text_eq(of, rank_default(s->q, &s->r)));

	buf_free(&scratch);
	return yes;
}

/* Is the event summed?  In a difference, a change brings its old and new costs, and the
 * counts of calls, which its graphs need.  Any event brings the one that states its
 * inclusive cost. */
static bool
wanted(const struct ranker *s, size_t column, const bool *asked)
{
	const struct text attrs = events_at(rank_events(s), column)->attrs;

	return attr_is(attrs, "of", "calls") || s->q->all_events || asked[column] ||
	    is_asked(s, attrs, "of", asked) || is_asked(s, attrs, "inclusive", asked);
}

/* Has the part a formula? */
static bool
has_formula(const struct ranker *s, struct text what)
{
	struct text side[2] = { what, { 0 } };

	formula_ratio(what, &side[0], &side[1]);
	return events_resolve(rank_events(s), side[0], NULL) == 1 &&
	    (!side[1].s || events_resolve(rank_events(s), side[1], NULL) == 1);
}

/* Sets the text that identifies the part's class: empty unless a formula is requested.  The
 * events of a class are those of all its parts: they must not have a formula together that
 * each of them lacks. */
static void
sign_part(const struct ranker *s, const bool *use, struct buf *sign)
{
	const struct events *e = rank_events(s);
	bool formula = s->q->all_events && e->measured < e->n, lacking = false;
	size_t i, column = 0;

	for (i = 0; i < s->q->nwant; i++)
		if (events_find(&s->r.events, s->q->want[i]) < 0) {
			formula = true;
			lacking |= !has_formula(s, s->q->want[i]);
		}
	for (i = 0; i < e->n && formula; i++)
		if (!e->v[i].measured || use[column++] || lacking) {
			buf_text(sign, e->v[i].r->col[EVENT_NAME].t);
			buf_putc(sign, e->v[i].measured ? '\n' : '\t');
		}
}

static struct rank_class *
find_class(struct ranker *s, const bool *use)
{
	struct rank *r = &s->r;
	struct buf sign = { 0 };
	size_t at;

	sign_part(s, use, &sign);
	at = name_index_add(&s->signs, buf_as_text(&sign), r->nclasses);
	buf_free(&sign);
	if (at == r->nclasses) {
		r->class = mem_grow(r->class, &s->capclass, at + 1, sizeof *r->class);
		r->class[r->nclasses++] = (struct rank_class){ .slot = NULL };
	}
	return &r->class[at];
}

/* Links a class to those names of the part's events that it is not linked to yet. */
static void
link_events(struct ranker *s, uint32_t class)
{
	struct rank *r = &s->r;
	size_t i;

	for (i = 0; i < rank_events(s)->n; i++) {
		const struct event *e = &rank_events(s)->v[i];
		size_t at;

		if (events_same(&r->class[class].events, e))
			continue;
		at = name_index_add(&r->named, e->r->col[EVENT_NAME].t, r->nnamed);
		r->nnamed += at == r->nnamed;
		r->newest = mem_reach(r->newest, &s->capnewest, at, sizeof *r->newest, 0);
		if (r->newest[at] && r->link[r->newest[at] - 1].class == class)
			continue;
		r->link = mem_grow(r->link, &s->caplink, r->nlinks + 1, sizeof *r->link);
		r->link[r->nlinks] = (struct rank_link){ class, r->newest[at] };
		r->newest[at] = (uint32_t)++r->nlinks;
	}
}

/* Adds a sum. */
static size_t
add_slot(struct ranker *s)
{
	struct rank *r = &s->r;
	const size_t n = r->nslots++;

	r->total = mem_reach(r->total, &s->captotal, n, sizeof *r->total, 0);
	r->in_parts = mem_reach(r->in_parts, &s->capin_parts, n, sizeof *r->in_parts, 0);
	s->propagated = mem_reach(s->propagated, &s->cappropagated, n,
	    sizeof *s->propagated, 0);
	s->negative = mem_reach(s->negative, &s->capnegative, n, sizeof *s->negative, 0);
	r->apart = mem_reach(r->apart, &s->capapart, n, sizeof *r->apart, 0);
	r->uncalled = mem_reach(r->uncalled, &s->capuncalled, n, sizeof *r->uncalled, 0);
	s->self = mem_reach(s->self, &s->capself, n, sizeof *s->self, 0);
	s->below = mem_reach(s->below, &s->capbelow, n, sizeof *s->below, 0);
	s->calls_below = mem_reach(s->calls_below, &s->capcalls_below, n,
	    sizeof *s->calls_below, 0);
	s->totals = mem_reach(s->totals, &s->captotals, n, sizeof *s->totals, 0);
	return n;
}

/* Returns the sum of a measured event with this name in a class, which is added if it is
 * new. */
static long
slot_for(struct ranker *s, struct rank_class *c, const struct record *event)
{
	struct rank *r = &s->r;
	const long column = events_find(&r->events, event->col[EVENT_NAME].t);
	const long at = events_find(&c->events, event->col[EVENT_NAME].t);
	size_t n;

	if (c->slot[at] >= 0)
		return c->slot[at];
	n = add_slot(s);
	r->uncalled[n] = true;
	s->propagated[n] = event_calls(event, "propagated");
	if (r->slot[column] < 0)
		r->slot[column] = (long)n;
	return c->slot[at] = (long)n;
}

/* Adds the extra columns, after those of the part's events. */
static void
add_extra(struct ranker *s)
{
	const size_t n = s->r.extra ? s->r.extra->n : 0;
	size_t i;

	for (i = 0; i < n; i++) {
		const size_t slot = add_slot(s);

		if (i == 0)
			s->r.first_extra = slot;
		s->column[rank_events(s)->measured + i] = (long)slot;
	}
	if (n)
		s->ncolumn = rank_events(s)->measured + n;
}

/* Widens rows for new sums. */
static void
widen(struct ranker *s)
{
	const size_t n = s->r.nslots;

	sums_widen(&s->r.rows, n);
	sums_widen(&s->r.edges, n + 1);
	sums_widen(&s->level_edges, n + 1);
	sums_widen(&s->edges, n + 1);
	sums_widen(&s->stacked, SUM_SELF(n));
	sums_widen(&s->steps, n + 1);
	sums_widen(&s->more, n);
	sums_widen(&s->pointed, n);
}

/* Adds the part's events to the known ones, with slots that have no sum yet. */
static void
add_events(struct events *to, long **slot, size_t *cap, const struct events *part)
{
	size_t i;

	for (i = 0; i < part->n; i++) {
		if (events_same(to, &part->v[i]))
			continue;
		events_add(to, part->v[i].r);
		if (part->v[i].measured) {
			*slot = mem_grow(*slot, cap, to->measured, sizeof **slot);
			(*slot)[to->measured - 1] = -1;
		}
	}
}

static int
check_units(const struct ranker *s, const struct record *event)
{
	const struct events *e = &s->r.events;

	return event_check_units(events_at(e, (size_t)events_find(e,
	    event->col[EVENT_NAME].t)), event, s->q->diag);
}

/* Checks that many events do not take more room than the profile's size justifies. ctx: a
 * context about to be added. */
static int
check_room(const struct ranker *s, uint64_t ctx)
{
	const struct rank *r = &s->r;
	uint64_t rows = EVENT_SUMS + r->rows.n + r->edges.n + s->level_edges.n + s->edges.n +
	    s->steps.n + s->more.n + s->pointed.n + 2 * (r->nodes.n + s->stacked.n + s->cct.n +
	    cct_lacks(&s->cct, ctx));

	return r->nslots <= TABLE_WIDE || sums_fits(rows * r->nslots, s->values) ? 0 :
	    sums_refuse(s->q->diag, r->nslots);
}

/* The same for a record. */
int
rank_count_values(struct ranker *s, const struct record *r)
{
	s->values += sums_count(r->values);
	return check_room(s, rec_kind(r) == REC_SAMPLE ? r->col[0].n :
	    rec_kind(r) == REC_POINT ? r->col[POINT_CTX].n : NO_ID);
}

bool
rank_is_first(const struct ranker *s, size_t column)
{
	const struct events *e = rank_events(s);

	return column >= e->measured ||
	    events_find(e, events_at(e, column)->col[EVENT_NAME].t) == (long)column;
}

int
rank_settle(struct ranker *s)
{
	struct rank *r = &s->r;
	const struct events *e = rank_events(s);
	const size_t n = e->measured;
	bool *asked = mem_alloc(n + 1, sizeof *asked);
	bool *use = mem_alloc(n + 1, sizeof *use);
	struct rank_class *class;
	int ret = 0;
	size_t i;
	long of;

	add_events(&r->events, &r->slot, &s->capslot, e);
	find_asked(s, asked);
	/* A side's graph is that of its change, and inclusive costs are shares of others. */
	for (i = 0; i < n; i++)
		if (asked[i]) {
			if ((of = events_change_of(e, i)) >= 0)
				asked[of] = true;
			asked[events_measure_of(e, i)] = true;
		}
	for (i = 0; i < n; i++)
		use[i] = wanted(s, i, asked);
	free(asked);
	class = find_class(s, use);
	class->parts++;
	r->parts++;
	link_events(s, (uint32_t)(class - r->class));
	add_events(&class->events, &class->slot, &class->capslot, e);
	for (i = 0; i < n && ret == 0; i++)
		ret = use[i] ? check_units(s, events_at(e, i)) : 0;
	r->calls_known |= events_have_calls(e);
	r->extra = s->q->extra;
	s->column = mem_grow(s->column, &s->capcolumn, n + (r->extra ? r->extra->n : 0),
	    sizeof *s->column);
	s->ncolumn = 0;
	s->twins = false;
	for (i = 0; i < n; i++) {
		s->column[i] = use[i] ? slot_for(s, class, events_at(e, i)) : -1;
		if (!use[i])
			continue;
		s->ncolumn = i + 1;
		s->twins |= !rank_is_first(s, i);
		s->self[s->column[i]] = 0;
		r->uncalled[s->column[i]] &= event_calls(events_at(e, i), "absent");
	}
	add_extra(s);
	ret = ret == 0 ? check_room(s, NO_ID) : ret;
	if (ret == 0)
		widen(s);
	s->first_only = s->by_function && s->ncolumn == 1 && r->nslots == 1;
	cct_clear(&s->cct, s->q->dict, r->nslots);
	free(use);
	return ret;
}
