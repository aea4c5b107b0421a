/* SPDX-License-Identifier: ISC */
#include "sum/tree.h"

#include <stdlib.h>

#include "stream/root.h"
#include "stream/total.h"
#include "sum/tree/calls.h"
#include "sum/tree/stacks.h"
#include "util/mem.h"

struct tree_maker {
	struct sink sink;
	const struct tree_request *q;
	struct grower g;
	struct heading_maker head;
	struct stack_source stacks;
	struct call_source calls;
	struct root root;
	struct events known;	/* of all parts */
	struct record *event;	/* the event, kept; NULL: a formula, or not seen yet */
	bool any;		/* a part had it */
	bool negative;		/* something costs less than nothing */
	struct num_extent costs[SIDES], called_costs[SIDES], totals[SIDES];
	bool has_calls;		/* a part's format has calls, or stacks */

	/* Of the part: */
	bool in_header;
	bool called;		/* it has calls */
	bool levels;		/* they are by levels of recursion, */
	bool joined;		/* but some have been joined */
	struct events events;
	num *coef[SIDES];	/* by column; what the event is of the part's events */
	size_t ncolumn;		/* 0: the part lacks the event */
	size_t capcoef[SIDES], capvalue;
	num *value;		/* of a record */
	struct total total;
	num self[SIDES];
};

static int
too_large(struct tree_maker *m)
{
	return diag_fail(m->q->diag, "a sum does not fit 128 bits");
}

/* ---- events ---- */

/* Sets what each column counts in an old and a new cost: is it a difference?  coef: what
 * it counts in the event; -1 with the diag set. */
static int
find_sides(struct tree_maker *m, const num *coef)
{
	size_t i, old, new;
	int sides = 0;

	for (i = 0; i < m->ncolumn; i++) {
		const bool change = coef[i] && event_is_change(&m->events, i, &old, &new);

		if (!coef[i])
			continue;
		if (!change && event_has_role(events_at(&m->events, i), "delta"))
			return diag_fail(m->q->diag, "the change of %.*s has no sides: choose "
			    "events with --events of prof-diff", (int)m->g.t.name.n,
			    m->g.t.name.s);
		if (sides && sides != 1 + change)
			return diag_fail(m->q->diag, "%.*s is of changes and of others",
			    (int)m->g.t.name.n, m->g.t.name.s);
		sides = 1 + change;
		m->coef[SIDE_OLD][change ? old : i] += coef[i];
		if (change)
			m->coef[SIDE_NEW][new] += coef[i];
	}
	return sides ? sides : 1;
}

static int
set_sides(struct tree_maker *m, size_t sides)
{
	if (m->any && sides != m->g.t.sides)
		return diag_fail(m->q->diag, "some parts are differences, and others are not: "
		    "choose with --where");
	m->g.t.sides = sides;
	sums_widen(&m->stacks.stacks.nodes, sides);
	calls_widen(&m->calls, sides);
	m->any = true;
	return 0;
}

/* The event of this column, and those of other parts must be of one unit. */
static int
keep_event(struct tree_maker *m, const struct record *event)
{
	if (m->event)
		return event_check_units(m->event, event, m->q->diag);
	m->event = rec_keep(event);
	m->calls.propagated |= event_calls(event, "propagated");
	return 0;
}

static void
reach_columns(struct tree_maker *m)
{
	const size_t n = m->events.measured;
	size_t side;

	m->ncolumn = n;
	for (side = 0; side < SIDES; side++) {
		m->coef[side] = mem_grow(m->coef[side], &m->capcoef[side], n + 1,
		    sizeof **m->coef);
		memset(m->coef[side], 0, n * sizeof **m->coef);
	}
	m->value = mem_grow(m->value, &m->capvalue, n + 1, sizeof *m->value);
}

/* The event is the one asked for, else the default. */
static int
choose_event(struct tree_maker *m)
{
	num *coef = mem_alloc(m->events.measured + 1, sizeof *coef);
	struct record *sum;
	long column;
	int ret = 0;

	reach_columns(m);
	if (!m->g.t.name.s)
		m->g.t.name = dict_text(m->q->dict, dict_str(m->q->dict, m->q->event.s ?
		    m->q->event : m->q->usual));
	if ((column = events_find(&m->events, m->g.t.name)) >= 0) {
		coef[column] = 1;
		ret = keep_event(m, events_at(&m->events, (size_t)column));
	} else if (events_resolve(&m->events, m->g.t.name, coef) != 1) {
		m->ncolumn = 0;
	} else if ((sum = events_sum(&m->events, m->g.t.name, coef))) {
		ret = keep_event(m, sum);
		free(sum);
	}
	if (m->ncolumn && ret == 0 && (ret = find_sides(m, coef)) > 0)
		ret = set_sides(m, (size_t)ret);
	free(coef);
	return ret;
}

static bool
has_calls(const struct events *e)
{
	size_t i;

	for (i = 0; i < e->n; i++)
		if (e->v[i].measured && !event_calls(e->v[i].r, "absent"))
			return true;
	return false;
}

/* The part's header is over. */
static int
settle(struct tree_maker *m)
{
	size_t i;

	m->in_header = false;
	m->has_calls |= has_calls(&m->events);
	for (i = 0; i < m->events.n; i++)
		if (!events_same(&m->known, &m->events.v[i]))
			events_add(&m->known, m->events.v[i].r);
	return m->events.measured ? choose_event(m) : 0;
}

/* ---- records ---- */

/* The values of a record as costs of the sides. */
static int
read_costs(struct tree_maker *m, struct text values, num *cost)
{
	struct sums_run run = { .values = values, .n = m->ncolumn };
	size_t side, i;
	num x;

	memset(m->value, 0, m->ncolumn * sizeof *m->value);
	if (sums_add_run(&run, m->value) < 0)
		return too_large(m);
	for (side = 0; side < m->g.t.sides; side++) {
		cost[side] = 0;
		for (i = 0; i < run.found; i++)
			if (m->value[i] && m->coef[side][i] &&
			    (num_mul(m->value[i], m->coef[side][i], &x) < 0 ||
			    num_add(&cost[side], x) < 0))
				return too_large(m);
		m->negative |= cost[side] < 0;
	}
	return 0;
}

/* Do costs add up, in any order? */
static int
check_costs(struct tree_maker *m, struct num_extent *all, const num *cost)
{
	size_t side;

	for (side = 0; side < m->g.t.sides; side++) {
		num_see(&all[side], cost[side]);
		if (!num_fits(&all[side]))
			return too_large(m);
	}
	return 0;
}

static int
add_costs(struct tree_maker *m, num *sum, const num *cost)
{
	size_t side;

	for (side = 0; side < m->g.t.sides; side++)
		if (num_add(&sum[side], cost[side]) < 0)
			return too_large(m);
	return 0;
}

static int
put_self(struct tree_maker *m, const struct record *r, num *sum)
{
	num cost[SIDES];

	if (read_costs(m, r->values, cost) < 0 || check_costs(m, m->costs, cost) < 0)
		return -1;
	return add_costs(m, sum, cost) < 0 || add_costs(m, m->self, cost) < 0 ? -1 : 0;
}

static int
put_sample(struct tree_maker *m, const struct record *r)
{
	if (root_see(&m->root, r->attrs))
		stacks_below(&m->stacks, m->q->dict, buf_as_text(&m->root.name));
	return put_self(m, r, stacks_self(&m->stacks, r->col[0].n));
}

static int
put_call(struct tree_maker *m, const struct record *r)
{
	num *sum = calls_edge(&m->calls, r->col[PLACE_FUNC].n, r->col[CALL_CALLEE].n);
	const struct text count = r->col[CALL_COUNT].t;
	num cost[SIDES], n = 0;

	m->called = true;
	level_names_see(&m->calls.levels, r->col[PLACE_FUNC].n);
	level_names_see(&m->calls.levels, r->col[CALL_CALLEE].n);
	if (count.s && (num_get_num(count.s, count.n, &n) < 0 || num_add(sum, n) < 0))
		return too_large(m);
	return read_costs(m, r->values, cost) < 0 || check_costs(m, m->called_costs, cost) < 0 ?
	    -1 : add_costs(m, sum + 1, cost);
}

/* ---- parts ---- */

/* What the part's percentages are of. */
static int
end_part(struct tree_maker *m)
{
	size_t side, i;
	num stated, x;

	if (m->in_header && settle(m) < 0)
		return -1;
	for (side = 0; m->ncolumn && side < m->g.t.sides; side++) {
		num sum = 0, *to = &m->g.t.total[side];

		for (i = 0; i < m->ncolumn; i++)
			if (total_stated(&m->total, i, &stated) &&
			    (num_mul(stated, m->coef[side][i], &x) < 0 ||
			    num_add(&sum, x) < 0))
				return too_large(m);
		if (!total_stated(&m->total, 0, &stated))
			sum = m->self[side];
		num_see(&m->totals[side], sum);
		if (!num_fits(&m->totals[side]) || num_add(to, sum) < 0)
			return too_large(m);
	}
	/* Callgrind's decoder tells of levels as late as it sees one. */
	m->calls.mixed |= m->called && (!m->levels || m->joined);
	m->called = m->levels = m->joined = false;
	memset(m->self, 0, sizeof m->self);
	m->ncolumn = 0;
	return 0;
}

static int
begin_part(struct tree_maker *m, const struct record *r)
{
	if (end_part(m) < 0)
		return -1;
	level_names_part(&m->calls.levels, r);
	heading_part(&m->head, r);
	events_clear(&m->events);
	total_clear(&m->total);
	root_begin(&m->root);
	stacks_below(&m->stacks, m->q->dict, (struct text){ 0 });
	m->in_header = true;
	return 0;
}

static void
put_meta(struct tree_maker *m, const struct record *r)
{
	struct buf scratch = { 0 };
	const struct text v = meta_value(r, &scratch);

	heading_meta(&m->head, r);
	root_meta(&m->root, r);
	if (meta_is(r, "recursion"))
		m->levels |= text_is(v, "levels");
	else if (meta_is(r, "filter"))
		m->calls.filtered = true;
	else if (meta_is(r, "calls")) {
		m->joined |= text_is(v, "joined");
		m->calls.partial |= text_is(v, "partial");
		m->calls.callers_lost |= text_is(v, "callers");
	}
	buf_free(&scratch);
}

static int
put_costs(struct tree_maker *m, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_SAMPLE:
		m->has_calls = true;
		return m->ncolumn ? put_sample(m, r) : 0;
	case REC_COST:
		return m->ncolumn ? put_self(m, r, calls_self(&m->calls,
		    r->col[PLACE_FUNC].n)) : 0;
	case REC_CALL:
		m->has_calls = true;
		return m->ncolumn ? put_call(m, r) : 0;
	case REC_TOTAL:
		return total_put(&m->total, r) < 0 ? too_large(m) : 0;
	case REC_DECLARED:
		return diag_fail(m->q->diag, "%s records are in no tree", r->def->tag);
	default:
		return 0;
	}
}

static int
tree_put(struct sink *s, const struct record *r)
{
	struct tree_maker *m = (struct tree_maker *)s;

	switch (rec_kind(r)) {
	case REC_PART:
		return begin_part(m, r);
	case REC_META:
		put_meta(m, r);
		return 0;
	case REC_EVENT:
		events_add(&m->events, r);
		return 0;
	case REC_END:
		return end_part(m);
	default:
		if (m->in_header && rec_kind(r) > REC_CTX && settle(m) < 0)
			return -1;
		return put_costs(m, r);
	}
}

/* ---- the whole ---- */

static int
no_event(struct tree_maker *m)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < m->known.n; i++) {
		buf_puts(&b, b.n ? ", " : "");
		buf_text(&b, m->known.v[i].r->col[EVENT_NAME].t);
	}
	diag_fail_plain(m->q->diag, "no event %s%s; events: %s", QUOTE(m->q->event),
	    events_suggest(&m->known, m->q->event), b.n ? buf_str(&b) : "none");
	buf_free(&b);
	return -1;
}

/* Does the change between two sides fit 128 bits?  From then on it is just subtracted. */
static bool
change_fits(const struct call_tree *t, const num *side)
{
	num change = side[SIDE_NEW];

	return t->sides == 1 || num_sub(&change, side[SIDE_OLD]) == 0;
}

static bool
costs_fit(const struct call_tree *t, size_t first)
{
	while (first < t->n && change_fits(t, t->v[first].cost))
		first++;
	return first == t->n;
}

static bool
selves_fit(const struct call_tree *t)
{
	size_t i;

	for (i = 0; i < t->n && change_fits(t, t->v[i].self); i++)
		;
	return i == t->n && change_fits(t, t->total);
}

/* The children of a node, in order. */
static int
expand(struct tree_maker *m, size_t node)
{
	struct grower *g = &m->g;
	const size_t first = g->t.n;
	int ret = 0;

	if (node == 0)
		ret = (stacks_any(&m->stacks) ? stacks_roots(&m->stacks, g) : 0) ? -1 :
		    calls_any(&m->calls) ? calls_roots(&m->calls, g) : 0;
	else if (g->t.v[node].source == GROW_CALLS)
		ret = calls_expand(&m->calls, g, node);
	else if (grow_goes_on(g, node))
		ret = stacks_expand(&m->stacks, g, node);
	g->t.v[node].first = (uint32_t)first;
	g->t.v[node].n = (uint32_t)(g->t.n - first);
	if (!costs_fit(&g->t, first))
		return -1;
	grow_sort(g, node);
	return ret;
}

/* What all trees cost. */
static int
sum_roots(struct call_tree *t)
{
	size_t i, side;

	for (i = 1; i < t->n; i++)
		for (side = 0; side < t->sides; side++)
			if (num_add(&t->v[0].cost[side], t->v[i].cost[side]) < 0)
				return -1;
	t->v[0].flags |= TREE_SETTLED | TREE_GROWN;
	return 0;
}

static int
grow(struct tree_maker *m)
{
	struct grower *g = &m->g;
	size_t node;
	int ret;

	if ((stacks_any(&m->stacks) && stacks_finish(&m->stacks) < 0) ||
	    (calls_any(&m->calls) && calls_finish(&m->calls, g->t.total) < 0))
		return -1;
	ret = expand(m, 0) < 0 ? -1 : sum_roots(&g->t);
	for (node = 0; node < g->t.n && ret == 0; node++) {
		if (node && grow_follows(g, node))
			ret = expand(m, node);
		if (!m->negative)
			grow_limit(g, node);
	}
	grow_mark_recursion(g);
	return selves_fit(&g->t) ? ret : -1;
}

const struct call_tree *
tree_maker_finish(struct tree_maker *m)
{
	struct call_tree *t = &m->g.t;

	if (m->q->event.s && !m->any && m->head.h.parts)
		return no_event(m) < 0 ? NULL : t;
	if (calls_any(&m->calls) && !stacks_any(&m->stacks) &&
	    (!m->has_calls || calls_none(&m->calls))) {
		diag_fail_plain(m->q->diag, "the profile has neither calls nor stacks, so "
		    "there is no tree: prof-top ranks its functions");
		return NULL;
	}
	t->event = m->event;
	t->overlap = m->q->functions != NULL;
	if (grow(m) < 0) {
		too_large(m);
		return NULL;
	}
	if (m->q->functions && t->n == 1) {
		diag_fail_plain(m->q->diag, "no function matches --function %s",
		    diag_quote(match_pattern(m->q->functions).s,
		    match_pattern(m->q->functions).n));
		return NULL;
	}
	return t;
}

struct tree_maker *
tree_maker_new(const struct tree_request *q)
{
	struct tree_maker *m = mem_alloc(1, sizeof *m);

	m->sink = (struct sink){ .put = tree_put };
	m->q = q;
	m->root.label = q->root;
	grower_init(&m->g, q);
	heading_init(&m->head, q->dict);
	stacks_init(&m->stacks, q->dict);
	calls_init(&m->calls, q->dict);
	return m;
}

void
tree_maker_free(struct tree_maker *m)
{
	size_t side;

	if (!m)
		return;
	grower_free(&m->g);
	heading_free(&m->head);
	stacks_free(&m->stacks);
	calls_free(&m->calls);
	root_free(&m->root);
	events_free(&m->known);
	events_free(&m->events);
	free(m->event);
	for (side = 0; side < SIDES; side++)
		free(m->coef[side]);
	free(m->value);
	total_free(&m->total);
	free(m);
}

struct sink *
tree_maker_sink(struct tree_maker *m)
{
	return &m->sink;
}

const struct rank_heading *
tree_maker_heading(const struct tree_maker *m)
{
	return &m->head.h;
}
