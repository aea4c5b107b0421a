/* SPDX-License-Identifier: ISC */
/* Events that several parts share. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/system.h"

static struct text
smaller(struct text a, struct text b)
{
	return !a.s || (b.s && text_cmp(b, a) < 0) ? b : a;
}

/* Ranks events by their attribute calls; the higher one wins: there are calls if either
 * event has any, and they are partly estimated if those of either are. */
static int
calls_rank(struct text calls)
{
	return text_is(calls, "absent") ? 0 : !calls.s ? 1 :
	    text_is(calls, "propagated") ? 3 : 2;
}

static void
join_calls(struct buf *attrs, struct text a, struct text b)
{
	struct buf scratch[2] = { { 0 }, { 0 } }, left = { 0 };
	struct text va = attr_get(a, "calls", &scratch[0]);
	struct text vb = attr_get(b, "calls", &scratch[1]), v;
	int c = calls_rank(va) - calls_rank(vb);

	if (!text_eq(va, vb)) {
		v = c > 0 || (c == 0 && text_cmp(va, vb) > 0) ? va : vb;
		attr_add_others(&left, buf_as_text(attrs), "calls");
		if (v.s)
			attr_add(&left, "calls", v);
		attrs->n = 0;
		merge_attrs(attrs, buf_as_text(&left), (struct text){ 0 });
	}
	buf_free(&left);
	buf_free(&scratch[0]);
	buf_free(&scratch[1]);
}

/* Joins two records of one event: of two texts, takes the smaller. */
static struct record *
join_event(const struct record *a, const struct record *b)
{
	struct buf attrs = { 0 };
	struct record r = rec_copy_of(a), *kept;
	unsigned i;

	for (i = EVENT_UNIT; i <= EVENT_DESCRIPTION; i++)
		r.col[i].t = smaller(a->col[i].t, b->col[i].t);
	merge_attrs(&attrs, a->attrs, b->attrs);
	join_calls(&attrs, a->attrs, b->attrs);
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	kept = rec_keep(&r);
	buf_free(&attrs);
	return kept;
}

int
merge_add_event(struct merge *m, struct group *g, const struct event *e)
{
	struct event *was = events_same(&g->events, e);
	struct record *joined;

	if (!was) {
		events_add(&g->events, e->r);
		return 0;
	}
	if (e->measured && event_check_units(was->r, e->r, m->how.diag) < 0)
		return -1;
	joined = join_event(was->r, e->r);
	if (joined->attrs.n > MOST_ATTRS && joined->attrs.n > was->r->attrs.n) {
		free(joined);
		return diag_fail(m->how.diag, "the attributes of event %s come to more "
		    "than %d KiB: too many of this name differ",
		    QUOTE(e->r->col[EVENT_NAME].t), MOST_ATTRS >> 10);
	}
	events_replace(&g->events, was, joined);
	return 0;
}

bool
merge_same_order(const struct events *all, const struct events *part)
{
	size_t i, n = 0;

	for (i = 0; i < part->n; i++) {
		const struct event *e = &part->v[i], *was = events_same(all, e);

		if (n < all->n && was == &all->v[n])
			n++;
		else if (!was || was > &all->v[n])
			return false;	/* otherwise it occurs twice */
	}
	return n == all->n;
}

/* Merged attributes are sorted. */
void
merge_rescale(struct events *e, size_t column, uint64_t scale, uint64_t whole, num by)
{
	const struct record *was = events_at(e, column);
	struct event *at = events_same(e, &(struct event){ (struct record *)was, true });
	struct record *r = event_rescaled(was, scale, whole, by), *kept;
	struct buf attrs = { 0 };

	merge_attrs(&attrs, r->attrs, (struct text){ 0 });
	r->attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	kept = rec_keep(r);
	events_replace(e, at, kept);
	free(r);
	buf_free(&attrs);
}

/* ---- order ---- */

/* Returns an event's place if the order of parts differs: Valgrind's order, the rest by
 * name. */
static int
known_place(struct text name)
{
	static const char *const known[] = {
		"Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc",
		"Bcm", "Bi", "Bim",
	};
	const int n = sizeof known / sizeof *known;
	int i;

	for (i = 0; i < n && !text_is(name, known[i]); i++)
		;
	return i;
}

static int
by_event(const void *pa, const void *pb, void *arg)
{
	const struct group *g = arg;
	const struct event *a = &g->events.v[*(const size_t *)pa];
	const struct event *b = &g->events.v[*(const size_t *)pb];
	struct text na = a->r->col[EVENT_NAME].t, nb = b->r->col[EVENT_NAME].t;
	int c = !a->measured - !b->measured;

	if (!c)
		c = known_place(na) - known_place(nb);
	return c ? c : text_cmp(na, nb);
}

size_t *
merge_event_order(struct group *g)
{
	size_t *order = mem_alloc(g->events.n + 1, sizeof *order), i;

	for (i = 0; i < g->events.n; i++)
		order[i] = i;
	if (g->mixed)
		system_sort(order, g->events.n, sizeof *order, by_event, g);
	return order;
}

bool
merge_find_costs(const struct group *g, bool *costs)
{
	const size_t n = g->events.measured;
	bool any = false;
	size_t row, i;
	unsigned k;

	for (k = 0; k < ROW_KINDS && n; k++) {
		const struct rows *r = g->rows[k];

		for (row = 0; row < r->t.n && r->def->tail & REC_VALUES && !costs[0]; row++)
			for (i = 0; i < n; i++) {
				const num v = sums_val(&r->t, row)[r->nsum + i];

				costs[i] |= v && v != NUM_ABSENT;
			}
	}
	for (i = 0; i < n; i++)
		any |= costs[i];
	return any;
}

const struct record *
merge_default_of(const struct group *g)
{
	const size_t n = g ? g->events.measured : 0;
	bool *costs = mem_alloc(n + 1, sizeof *costs);
	const struct record *event = NULL;

	if (n && (events_own_default(&g->events) >= 0 || merge_find_costs(g, costs)))
		event = events_at(&g->events, (size_t)events_default(&g->events, costs));
	free(costs);
	return event;
}

struct text
merge_default(const struct merge *m)
{
	const struct record *event = m->ngroup ? merge_default_of(m->group[0]) : NULL;

	return event ? event->col[EVENT_NAME].t : (struct text){ 0 };
}

/* A total that was added up from no values is 0. */
bool
merge_lacks_values(const struct merge *m, struct text event)
{
	const struct group *g = m->ngroup ? m->group[0] : NULL;
	const long column = g ? events_find(&g->events, event) : -1;
	bool any = false;
	size_t row;
	unsigned k;

	for (k = 0; k < ROW_KINDS && column >= 0; k++) {
		const struct rows *r = g->rows[k];
		const bool total = r == ROWS(g, REC_TOTAL);

		for (row = 0; row < r->t.n && r->def->tail & REC_VALUES; row++) {
			const num v = sums_val(&r->t, row)[r->nsum + (size_t)column];

			if (v != NUM_ABSENT && (v || !total))
				return false;
			any |= !total;
		}
	}
	return any;
}
