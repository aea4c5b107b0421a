/* SPDX-License-Identifier: ISC */
#include "view/tree_page.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- which nodes ---- */

bool
tree_is_link(const struct call_tree *t, size_t node)
{
	const struct tree_node *v = &t->v[node], *child = &t->v[v->first];
	size_t side;

	if (!(v->flags & TREE_GROWN) || v->n != 1 || node == 0)
		return false;
	for (side = 0; side < t->sides; side++)
		if (v->self[side] || v->cost[side] != child->cost[side])
			return false;
	return true;
}

/* Is it shown in the line of its parent? */
static bool
is_joined(const struct call_tree *t, size_t node)
{
	return t->v[node].parent != 0 && tree_is_link(t, t->v[node].parent);
}

struct choice {
	const num *weight;	/* by node: the largest cost or change in it and below */
	uint32_t *node;
	size_t n;
};

/* The heaviest first; of equal ones callers. */
static int
compare(const void *a, const void *b, void *arg)
{
	const num *weight = arg;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (weight[i] != weight[k])
		return weight[i] > weight[k] ? -1 : 1;
	return i < k ? -1 : i > k;
}

static num *
weigh(const struct call_tree *t)
{
	num *weight = mem_alloc(t->n, sizeof *weight);
	size_t i;

	for (i = t->n; i-- > 1; ) {
		const num own = tree_size(tree_cost(t, i));
		num *up = &weight[t->v[i].parent];

		weight[i] = own > weight[i] ? own : weight[i];
		*up = weight[i] > *up ? weight[i] : *up;
	}
	return weight;
}

/* What weighs enough, in its order. */
static void
choose(struct tree_page *tp)
{
	const struct call_tree *t = tp->t;
	num *weight = weigh(t);
	uint32_t *node = mem_alloc(t->n, sizeof *node);
	size_t i, n = 0;

	for (i = 1; i < t->n; i++)
		if (!is_joined(t, i) && (weight[i] || t->sides == 1) &&
		    (!tp->q->depth || t->v[i].depth <= tp->q->depth) &&
		    threshold_cmp(weight[i], tp->q->min, tree_most(t, t->v[0].cost)) >= 0)
			node[n++] = (uint32_t)i;
	if (tp->v->rows && tp->v->rows < n) {
		qsort_r(node, n, sizeof *node, compare, weight);
		n = (size_t)tp->v->rows;
	}
	tp->shown = mem_alloc(t->n, sizeof *tp->shown);
	for (i = 0; i < n; i++)
		tp->shown[node[i]] = true;
	for (i = 1; i < t->n; i++)
		if (is_joined(t, i))
			tp->shown[i] = tp->shown[t->v[i].parent];
	for (i = 1; i < t->n; i++)
		tp->nshown += tp->shown[i];
	free(node);
	free(weight);
}

size_t
tree_brother(const struct tree_page *tp, size_t node)
{
	const struct tree_node *up = &tp->t->v[tp->t->v[node].parent];

	while (++node < up->first + up->n)
		if (tp->shown[node])
			return node;
	return 0;
}

size_t
tree_next(const struct tree_page *tp, size_t node)
{
	const struct tree_node *v = tp->t->v;
	size_t i;

	for (i = v[node].first; i < v[node].first + v[node].n; i++)
		if (tp->shown[i])
			return i;
	for (; node; node = v[node].parent)
		if ((i = tree_brother(tp, node)))
			return i;
	return 0;
}

/* ---- what is left out ---- */

bool
tree_guesses(const struct call_tree *t, size_t node, unsigned flag)
{
	size_t side;

	for (side = 0; side < t->sides; side++)
		if (t->v[node].flags & tree_bit(flag, side))
			return true;
	return false;
}

struct tree_rest
tree_rest_of(const struct tree_page *tp, size_t node)
{
	const struct tree_node *v = &tp->t->v[node];
	struct tree_rest r = { 0 };
	size_t i, side;

	if (!(v->flags & TREE_SETTLED))
		return r;
	for (side = 0; side < tp->t->sides; side++) {
		r.lost[side] = v->cost[side];
		num_sub(&r.lost[side], v->self[side]);
	}
	for (i = v->first; i < v->first + v->n; i++) {
		for (side = 0; side < tp->t->sides; side++) {
			const num cost = tp->t->v[i].cost[side];

			num_sub(&r.lost[side], cost);
			if (!tp->shown[i])
				num_add(&r.cost[side], cost);
		}
		r.n += !tp->shown[i];
		r.estimated |= !tp->shown[i] &&
		    tree_guesses(tp->t, i, TREE_COST_ESTIMATED);
	}
	r.estimated |= tree_guesses(tp->t, node, TREE_SELF_ESTIMATED);
	return r;
}

/* ---- the page ---- */

static void
set_metric(struct tree_page *tp)
{
	static const struct rank_delta change;
	const struct call_tree *t = tp->t;
	struct metric *m = &tp->metric;

	m->name = t->name;
	m->per = t->event ? event_scale(t->event) : 1;
	if (m->per != 1)
		m->unit = t->event->col[EVENT_UNIT].t;
	m->delta = t->sides > 1 ? &change : NULL;
	m->total = t->sides > 1 ? t->total[SIDE_NEW] - t->total[SIDE_OLD] : t->total[0];
	m->little = tree_most(t, t->total) < m->per / 10;
}

void
tree_page_init(struct tree_page *tp)
{
	choose(tp);
	set_metric(tp);
	tp->request.dict = tp->q->dict;
	tp->view = (struct view){ .nshow = tp->t->name.s != NULL, .width = tp->v->width,
	    .color = tp->v->color };
	tp->table.v = &tp->view;
	tp->table.q = &tp->request;
	tp->table.metric = &tp->metric;
	tp->table.nmetric = tp->view.nshow;
	tp->p.t = &tp->table;
}

void
tree_page_free(struct tree_page *tp)
{
	free(tp->shown);
	buf_free(&tp->p.line);
}
