/* SPDX-License-Identifier: ISC */
#include "view/tree_page.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/system.h"

/* ---- the nodes that are shown ---- */

/* Sorts the heaviest first; of equal ones callers. */
static int
compare(const void *a, const void *b, void *arg)
{
	const num *const weight = arg;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (weight[i] != weight[k])
		return weight[i] > weight[k] ? -1 : 1;
	return i < k ? -1 : i > k;
}

/* Selects nodes with enough weight that are not too deep: all loops after this one are over
 * these. */
static void
find_heavy(struct tree_page *tp)
{
	const struct call_tree *t = tp->t;
	const num all = tree_most(t, t->v[0].cost), *weight = t->weight;
	num below = -1;		/* the largest weight that is known to be too small */
	size_t i, cap = 0;

	for (i = 1; i < t->n; i++) {
		if (weight[i] <= below || (!weight[i] && t->sides > 1))
			continue;
		if (threshold_cmp(weight[i], tp->q->min, all) < 0) {
			below = weight[i];
			continue;
		}
		if (tp->q->depth && t->v[i].depth > tp->q->depth)
			continue;
		tp->shown[i] = true;
		tp->heavy = mem_grow(tp->heavy, &cap, tp->nheavy + 1, sizeof *tp->heavy);
		tp->heavy[tp->nheavy++] = (uint32_t)i;
	}
}

/* Returns a node's cost without this child, on the side where that is larger. */
static num
without(const struct call_tree *t, size_t node, size_t child)
{
	num most = 0, n;
	size_t side;

	for (side = 0; side < t->sides; side++) {
		n = t->v[node].cost[side];
		if (num_sub(&n, t->v[child].cost[side]) < 0)
			return NUM_MAX;
		most = tree_size(n) > most ? tree_size(n) : most;
	}
	return most;
}

/* Is this loss too small for a line of its own?  It would not be shown elsewhere either; it
 * must be at most a tenth of the line's cost. */
static bool
is_little(const struct tree_page *tp, num lost, size_t child)
{
	const struct call_tree *t = tp->t;

	return lost <= tree_most(t, t->v[child].cost) / 9 &&
	    threshold_cmp(lost, tp->q->min, tree_most(t, t->v[0].cost)) < 0;
}

/* Joins functions to lines: each that is the only one shown below another, and has nearly
 * all of its cost, as long as the loss from the first to the last is small. */
static void
join_lines(struct tree_page *tp)
{
	const struct call_tree *t = tp->t;
	num *lost = mem_alloc(t->n, sizeof *lost);
	uint32_t *only = mem_alloc(t->n, sizeof *only), *heavy = mem_alloc(t->n, sizeof *heavy);
	size_t k;

	for (k = 0; k < tp->nheavy; k++) {
		const uint32_t up = t->v[tp->heavy[k]].parent;

		only[up] = tp->heavy[k];
		heavy[up]++;
	}
	for (k = 0; k < tp->nheavy; k++) {
		const size_t i = tp->heavy[k], child = only[i];
		num sum = lost[i];

		if (heavy[i] != 1 || num_add(&sum, without(t, i, child)) < 0)
			continue;
		if (sum && !is_little(tp, sum, child))
			continue;
		tp->next[i] = (uint32_t)child;
		lost[child] = sum;
	}
	free(lost);
	free(only);
	free(heavy);
}

bool
tree_begins_line(const struct tree_page *tp, size_t node)
{
	return tp->next[tp->t->v[node].parent] != node;
}

size_t
tree_line_last(const struct tree_page *tp, size_t node)
{
	while (tp->next[node])
		node = tp->next[node];
	return node;
}

/* Keeps lines that are not too deep; all functions of a line are on one level. */
static void
limit_depth(struct tree_page *tp)
{
	const struct call_tree *t = tp->t;
	uint32_t *level = mem_alloc(t->n, sizeof *level);
	size_t k;

	for (k = 0; k < tp->nheavy; k++) {
		const size_t i = tp->heavy[k];

		level[i] = level[t->v[i].parent] + tree_begins_line(tp, i);
		tp->shown[i] &= !tp->v->depth || level[i] <= tp->v->depth;
	}
	free(level);
}

/* Keeps the heaviest lines. */
static void
limit_lines(struct tree_page *tp)
{
	const struct call_tree *t = tp->t;
	uint32_t *node = mem_alloc(tp->nheavy + 1, sizeof *node);
	size_t i, k, n = 0;

	for (k = 0; k < tp->nheavy; k++)
		if (tp->shown[tp->heavy[k]] && tree_begins_line(tp, tp->heavy[k]))
			node[n++] = tp->heavy[k];
	if (tp->v->rows && tp->v->rows < n) {
		system_sort(node, n, sizeof *node, compare, t->weight);
		for (i = (size_t)tp->v->rows; i < n; i++)
			tp->shown[node[i]] = false;
	}
	for (k = 0; k < tp->nheavy; k++)
		if (!tree_begins_line(tp, tp->heavy[k]))
			tp->shown[tp->heavy[k]] = tp->shown[t->v[tp->heavy[k]].parent];
	free(node);
}

/* Leaves out the nodes below folded ones. */
static void
fold_nodes(struct tree_page *tp)
{
	const struct call_tree *t = tp->t;
	size_t k;

	for (k = 0; k < tp->nheavy && tp->v->folded; k++) {
		const uint32_t up = t->v[tp->heavy[k]].parent;

		if (up)
			tp->shown[tp->heavy[k]] &= tp->shown[up] && !tp->v->folded[up];
	}
}

static void
choose(struct tree_page *tp)
{
	size_t k;

	tp->shown = mem_alloc(tp->t->n, sizeof *tp->shown);
	tp->next = mem_alloc(tp->t->n, sizeof *tp->next);
	find_heavy(tp);
	if (tp->v->form == VIEW_TEXT)
		join_lines(tp);
	limit_depth(tp);
	fold_nodes(tp);
	limit_lines(tp);
	for (k = 0; k < tp->nheavy; k++)
		tp->nshown += tp->shown[tp->heavy[k]];
}

size_t
tree_sibling(const struct tree_page *tp, size_t node)
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
		if ((i = tree_sibling(tp, node)))
			return i;
	return 0;
}

/* ---- the rest ---- */

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
	if (v->flags & TREE_CYCLE && v->flags & TREE_GROWN && !tp->q->callers)
		memcpy(r.above, r.lost, sizeof r.above);
	r.estimated |= tree_guesses(tp->t, node, TREE_SELF_ESTIMATED);
	return r;
}

static void
add_rest(struct tree_rest *r, const struct tree_rest *more)
{
	size_t side;

	for (side = 0; side < SIDES; side++) {
		num_add(&r->cost[side], more->cost[side]);
		num_add(&r->lost[side], more->lost[side]);
		num_add(&r->above[side], more->above[side]);
	}
	r->n += more->n;
	r->estimated |= more->estimated;
}

struct tree_rest
tree_rest_of_line(const struct tree_page *tp, size_t node)
{
	struct tree_rest r = tree_rest_of(tp, node), more;
	size_t side;

	while (tp->next[node]) {
		for (side = 0; side < tp->t->sides; side++)
			num_add(&r.cost[side], tp->t->v[node].self[side]);
		node = tp->next[node];
		more = tree_rest_of(tp, node);
		add_rest(&r, &more);
	}
	return r;
}

/* ---- the page ---- */

static void
set_metric(struct tree_page *tp)
{
	const struct call_tree *t = tp->t;
	struct metric *m = &tp->metric;

	m->name = t->name;
	metric_set_unit(m, t->event);
	m->change = t->sides > 1;
	m->total = t->sides > 1 ? t->total[SIDE_NEW] - t->total[SIDE_OLD] : t->total[0];
	metric_set_decimals(m, tree_most(t, t->total), !tp->v->scaled);
	m->shown.per = m->per;
	if (tp->v->scaled && t->event)
		metric_scale(m, t->event->col[EVENT_UNIT].t, tree_most(t, t->total));
}

void
tree_page_init(struct tree_page *tp)
{
	choose(tp);
	set_metric(tp);
}

void
tree_page_free(struct tree_page *tp)
{
	free(tp->shown);
	free(tp->heavy);
	free(tp->next);
	buf_free(&tp->p.line);
}
