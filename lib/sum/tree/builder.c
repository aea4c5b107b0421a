/* SPDX-License-Identifier: ISC */
#include "sum/tree.h"

#include <stdlib.h>

#include "stream/part.h"
#include "sum/tree/from_calls.h"
#include "sum/tree/from_stacks.h"
#include "util/mem.h"

struct tree_builder {
	struct part_sink parts;
	const struct tree_request *q;
	struct node_builder g;
	struct heading_maker head;
	struct measure measure;
	struct stacks stacks;
	struct members members;	/* of the stacks, once these are complete */
	struct call_source calls;
	struct num_extent called[SIDES];	/* the costs of calls */
	struct events known;	/* of all parts */
	bool has_calls;		/* a part's format has calls, or stacks */
	bool any_call;		/* the part has calls */
};

/* ---- records ---- */

static int
too_large(struct tree_builder *m)
{
	return diag_too_large(m->q->diag, "a sum");
}

static int
put_sample(struct tree_builder *m, const struct record *r)
{
	uint32_t node = stacks_node(&m->stacks, r);

	if (r->col[0].n == NO_ID)	/* of an unknown function */
		node = stack_tree_add(&m->stacks.tree, node, NO_ID);
	return measure_self(&m->measure, r->values, stacks_self(&m->stacks, node));
}

static int
put_call(struct tree_builder *m, const struct record *r)
{
	num *sum = calls_edge(&m->calls, r->col[PLACE_FUNC].n, r->col[CALL_CALLEE].n);
	const struct text count = r->col[CALL_COUNT].t;
	num cost[SIDES], n = 0;

	m->any_call = true;
	recursion_levels_see(&m->calls.levels, r->col[PLACE_FUNC].n);
	recursion_levels_see(&m->calls.levels, r->col[CALL_CALLEE].n);
	if (count.s && (num_get_num(count.s, count.n, &n) < 0 || num_add(sum, n) < 0))
		return too_large(m);
	return measure_read(&m->measure, r->values, m->called, cost) < 0 ? -1 :
	    measure_add(&m->measure, sum + 1, cost);
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct tree_builder *m = (struct tree_builder *)s;
	const bool wanted = m->measure.available;

	switch (rec_kind(r)) {
	case REC_SAMPLE:
		m->has_calls = true;
		return wanted ? put_sample(m, r) : 0;
	case REC_COST:
		return wanted ? measure_self(&m->measure, r->values,
		    calls_self(&m->calls, r->col[PLACE_FUNC].n)) : 0;
	case REC_CALL:
		m->has_calls = true;
		return wanted ? put_call(m, r) : 0;
	case REC_DECLARED:
		return diag_fail(m->q->diag, "%s records cannot be in a tree", r->def->tag);
	default:
		return 0;
	}
}

/* ---- parts ---- */

/* Begins the measure of the requested event, or of the default one. */
static int
begin_measure(struct tree_builder *m, const struct events *e)
{
	const struct text name = m->q->event.s ? m->q->event : m->q->usual;

	if (!e->measured)
		return 0;
	m->has_calls |= events_have_calls(e);
	if (measure_begin(&m->measure, e, name) < 0)
		return -1;
	stacks_widen(&m->stacks, m->measure.sides);
	calls_widen(&m->calls, m->measure.sides);
	return 0;
}

static int
begin_part(struct part_sink *s, const struct part *p)
{
	struct tree_builder *m = (struct tree_builder *)s;
	size_t i;

	recursion_levels_part(&m->calls.levels, p->head);
	stacks_part(&m->stacks, p);
	m->any_call = false;
	for (i = 0; i < p->events.n; i++)
		if (!events_same(&m->known, &p->events.v[i]))
			events_add(&m->known, p->events.v[i].r);
	return begin_measure(m, &p->events);
}

/* Ends a part.  The kind of its calls is known only now: a decoder reports levels of
 * recursion when it sees the first. */
static int
end_part(struct part_sink *s, const struct part *p)
{
	struct tree_builder *m = (struct tree_builder *)s;
	const struct metadata *facts = &p->metadata;
	struct call_source *c = &m->calls;

	heading_add_part(&m->head, p);
	c->mixed |= m->any_call && !part_has_levels(p);
	c->filtered |= metadata_find(facts, "filter", 0) >= 0;
	c->partial |= metadata_has(facts, "calls", "partial");
	c->callers_lost |= metadata_has(facts, "calls", "callers");
	return measure_end(&m->measure, &p->total);
}

/* ---- the whole ---- */

static int
no_event(struct tree_builder *m)
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

/* Do all changes fit 128 bits?  From then on they are subtracted without checks. */
static bool
costs_fit(const struct call_tree *t, size_t first)
{
	while (first < t->n && sides_fit(t->sides, t->v[first].cost))
		first++;
	return first == t->n;
}

static bool
selves_fit(const struct call_tree *t)
{
	size_t i;

	for (i = 0; i < t->n && sides_fit(t->sides, t->v[i].self); i++)
		;
	return i == t->n && sides_fit(t->sides, t->total);
}

static bool
has_stacks(const struct tree_builder *m)
{
	return stacks_size(&m->stacks) > 1;
}

/* Adds the children of a node, in order. */
static int
expand(struct tree_builder *m, size_t node)
{
	struct node_builder *g = &m->g;
	const size_t first = g->t.n;
	int ret = 0;

	if (node == 0)
		ret = (has_stacks(m) ? members_roots(&m->members, g) : 0) ? -1 :
		    calls_any(&m->calls) ? calls_roots(&m->calls, g) : 0;
	else if (g->t.v[node].source == GROW_CALLS)
		ret = calls_expand(&m->calls, g, node);
	else if (grow_goes_on(g, node))
		ret = members_expand(&m->members, g, node);
	g->t.v[node].first = (uint32_t)first;
	g->t.v[node].n = (uint32_t)(g->t.n - first);
	if (!costs_fit(&g->t, first))
		return -1;
	grow_sort(g, node);
	return ret;
}

/* Sums the costs of all trees. */
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

/* Has a negative cost occurred? */
static bool
any_negative(const struct tree_builder *m)
{
	size_t side;

	for (side = 0; side < SIDES; side++)
		if (m->measure.selves[side].below || m->called[side].below)
			return true;
	return false;
}

static int
complete(struct tree_builder *m)
{
	if (has_stacks(m)) {
		if (stacks_finish(&m->stacks) < 0)
			return -1;
		members_init(&m->members, &m->stacks);
	}
	m->calls.propagated = m->measure.event && event_calls(m->measure.event, "propagated");
	return calls_any(&m->calls) ? calls_finish(&m->calls, m->measure.total) : 0;
}

static int
grow(struct tree_builder *m)
{
	const bool negative = any_negative(m);
	struct node_builder *g = &m->g;
	size_t node;
	int ret;

	if (complete(m) < 0)
		return -1;
	ret = expand(m, 0) < 0 ? -1 : sum_roots(&g->t);
	for (node = 0; node < g->t.n && ret == 0; node++) {
		if (node && grow_follows(g, node))
			ret = expand(m, node);
		if (!negative)
			grow_limit(g, node);
	}
	grow_mark_recursion(g);
	return selves_fit(&g->t) ? ret : -1;
}

static void
take_measure(struct call_tree *t, const struct measure *of)
{
	t->event = of->event;
	t->name = of->name;
	t->sides = of->sides;
	t->lacking = of->sum ? of->lacking : 0;
	t->cumulative = of->event && event_is_inclusive(of->event);
	memcpy(t->total, of->total, sizeof t->total);
}

/* Finds the weights of all nodes; returns the tree.  Callers come before callees. */
static const struct call_tree *
weighed(struct call_tree *t)
{
	num *weight = t->weight = mem_alloc(t->n, sizeof *weight);
	size_t i;

	for (i = t->n; i-- > 1; ) {
		const num own = tree_size(tree_cost(t, i));
		num *up = &weight[t->v[i].parent];

		weight[i] = own > weight[i] ? own : weight[i];
		*up = weight[i] > *up ? weight[i] : *up;
	}
	return t;
}

const struct call_tree *
tree_builder_finish(struct tree_builder *m)
{
	struct call_tree *t = &m->g.t;

	if (m->q->event.s && !m->measure.known && m->head.h.parts)
		return no_event(m) < 0 ? NULL : weighed(t);
	if (calls_any(&m->calls) && !has_stacks(m) &&
	    (!m->has_calls || calls_none(&m->calls))) {
		diag_fail_plain(m->q->diag, "the profile has neither calls nor stacks, "
		    "and so no tree: prof-top ranks its functions");
		return NULL;
	}
	take_measure(t, &m->measure);
	t->overlap = m->q->functions != NULL;
	t->has_costs = calls_any(&m->calls);
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
	return weighed(t);
}

static const struct part_methods methods = {
	.begin = begin_part, .put = put_record, .end = end_part,
};

struct tree_builder *
tree_builder_new(const struct tree_request *q)
{
	struct tree_builder *m = mem_alloc(1, sizeof *m);

	part_sink_init(&m->parts, &methods, q->diag, NULL);
	m->parts.sink.free = NULL;
	m->q = q;
	node_builder_init(&m->g, q);
	heading_init(&m->head, q->dict);
	m->head.takes_off = q->takes_off;
	measure_init(&m->measure, q->diag);
	stacks_init(&m->stacks, q->dict, q->root);
	calls_init(&m->calls, q->dict);
	return m;
}

void
tree_builder_free(struct tree_builder *m)
{
	if (!m)
		return;
	part_sink_clear(&m->parts);
	node_builder_free(&m->g);
	heading_free(&m->head);
	measure_free(&m->measure);
	stacks_free(&m->stacks);
	members_free(&m->members);
	calls_free(&m->calls);
	events_free(&m->known);
	free(m);
}

struct sink *
tree_builder_sink(struct tree_builder *m)
{
	return &m->parts.sink;
}

const struct rank_heading *
tree_builder_heading(const struct tree_builder *m)
{
	return &m->head.h;
}
