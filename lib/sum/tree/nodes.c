/* SPDX-License-Identifier: ISC */
#include "sum/tree/nodes.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/system.h"

#define LIMITED_ROWS 1000	/* at most, as they are kept in order */

enum { MADE_PARENT, MADE_SOURCE, MADE_LABEL, MADE_KEYS };

void
node_builder_init(struct node_builder *g, const struct tree_request *q)
{
	*g = (struct node_builder){ .q = q, .t.sides = 1 };
	sums_init(&g->made, MADE_KEYS, 0);
	grow_child(g, NO_ID, 0, 0);
}

void
node_builder_free(struct node_builder *g)
{
	sums_free(&g->made);
	free(g->t.v);
	free(g->t.weight);
	free(g->verdict);
	free(g->top);
}

size_t
grow_child(struct node_builder *g, size_t parent, uint32_t source, uint32_t label)
{
	const uint64_t key[MADE_KEYS] = { parent, source, label };
	const size_t row = sums_row(&g->made, key);
	struct call_tree *t = &g->t;

	if (row < t->n)
		return row;
	t->v = mem_grow(t->v, &g->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct tree_node){ .parent = (uint32_t)parent, .func = NO_ID,
	    .thread = NO_ID, .source = source,
	    .root = parent == NO_ID || parent == 0 ? 0 :
	    t->v[parent].root ? t->v[parent].root : (uint32_t)parent,
	    .depth = parent == NO_ID ? 0 : t->v[parent].depth + 1 };
	return row;
}

bool
grow_matches(struct node_builder *g, uint32_t func)
{
	if (func == NO_ID)
		return false;
	g->verdict = mem_reach(g->verdict, &g->capverdict, func, sizeof *g->verdict, 0);
	if (!g->verdict[func])
		g->verdict[func] = match_text(g->q->functions,
		    dict_func_name(g->q->dict, func)) ? 1 : -1;
	return g->verdict[func] > 0;
}

bool
grow_step(struct node_builder *g, uint64_t n)
{
	g->steps += n;
	if (g->steps <= TREE_STEPS && g->t.n < TREE_NODES)
		return true;
	g->t.bounded = true;
	return false;
}

num
tree_most(const struct call_tree *t, const num *cost)
{
	const num old = tree_size(cost[SIDE_OLD]), new = tree_size(cost[SIDE_NEW]);

	return t->sides > 1 && new > old ? new : old;
}

static bool
is_heavy(const struct node_builder *g, size_t node)
{
	const struct call_tree *t = &g->t;

	return threshold_cmp(tree_most(t, t->v[node].cost), g->q->min,
	    tree_most(t, t->v[0].cost)) >= 0;
}

/* Keeps the costs of as many lines as will be shown. */
static void
add_line(struct node_builder *g, num cost)
{
	size_t i = 0;

	if (g->ntop < g->q->rows)
		memmove(g->top + 1, g->top, g->ntop++ * sizeof *g->top);
	else if (cost <= g->top[0])
		return;
	for (; i + 1 < g->ntop && g->top[i + 1] < cost; i++)
		g->top[i] = g->top[i + 1];
	g->top[i] = cost;
}

/* A function that is not the only one shown below another begins a line; so does a root. */
void
grow_limit(struct node_builder *g, size_t node)
{
	const struct call_tree *t = &g->t;
	const struct tree_node *v = &t->v[node];
	uint32_t i, n = 0;

	if (!g->q->rows || g->q->rows > LIMITED_ROWS || t->sides > 1)
		return;
	if (!g->top)
		g->top = mem_alloc(g->q->rows + 1, sizeof *g->top);
	for (i = v->first; i < v->first + v->n && is_heavy(g, i); i++)
		n++;
	for (i = v->first; i < v->first + n && (n > 1 || node == 0); i++)
		add_line(g, t->v[i].cost[0]);
	if (node == 0 && v->n >= g->q->rows)
		g->last_root = v->first + (uint32_t)g->q->rows - 1;
}

/* Each row costs at least as much as the smallest of these, but a line may go on with
 * functions that cost a little less.  Among equal costs roots come first. */
static bool
is_limited(const struct node_builder *g, uint32_t node)
{
	const struct tree_node *v = &g->t.v[node];

	if (g->last_root && (v->root ? v->root : node) > g->last_root)
		return true;
	return g->ntop && g->ntop == g->q->rows && v->cost[0] < g->top[0] - g->top[0] / 4;
}

bool
grow_follows(const struct node_builder *g, size_t node)
{
	return node == 0 || (is_heavy(g, node) && !is_limited(g, (uint32_t)node));
}

bool
grow_goes_on(const struct node_builder *g, size_t node)
{
	return !g->q->depth || g->t.v[node].depth < g->q->depth;
}

struct text
tree_node_name(const struct call_tree *t, const struct dict *dict, size_t node)
{
	const struct tree_node *v = &t->v[node];

	return v->thread != NO_ID ? dict_text(dict, v->thread) :
	    dict_func_name(dict, v->func);
}

/* ---- order ---- */

/* Orders by the largest cost or change, then by name, object and file. */
static int
compare(const void *a, const void *b, void *arg)
{
	const struct node_builder *g = arg;
	const struct call_tree *t = &g->t;
	const struct dict *d = g->q->dict;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const num x = tree_size(tree_cost(t, i)), y = tree_size(tree_cost(t, k));
	const uint32_t *f, *h;
	int c;

	if (x != y)
		return x > y ? -1 : 1;
	if ((c = text_cmp(tree_node_name(t, d, i), tree_node_name(t, d, k))))
		return c;
	f = dict_def(d, REC_FUNC, t->v[i].func);
	h = dict_def(d, REC_FUNC, t->v[k].func);
	if ((c = text_cmp(dict_object_path(d, f[FUNC_OBJECT]),
	    dict_object_path(d, h[FUNC_OBJECT]))))
		return c;
	if ((c = text_cmp(dict_path(d, f[FUNC_FILE]), dict_path(d, h[FUNC_FILE]))))
		return c;
	return i < k ? -1 : i > k;
}

void
grow_sort(struct node_builder *g, size_t parent)
{
	struct tree_node *v = g->t.v;
	const uint32_t first = v[parent].first, n = v[parent].n;
	struct tree_node *was;
	uint32_t *order, i;

	if (n < 2)
		return;
	order = mem_alloc(n, sizeof *order);
	was = mem_alloc(n, sizeof *was);
	for (i = 0; i < n; i++)
		order[i] = first + i;
	system_sort(order, n, sizeof *order, compare, g);
	memcpy(was, v + first, n * sizeof *was);
	for (i = 0; i < n; i++)
		v[first + i] = was[order[i] - first];
	free(was);
	free(order);
}

/* ---- recursion ---- */

void
grow_mark_recursion(struct node_builder *g)
{
	struct call_tree *t = &g->t;
	uint32_t *open = NULL, at = 0;
	size_t cap = 0;

	/* Goes down to the first child, otherwise to the next sibling, of an ancestor if
	 * need be. */
	for (;;) {
		struct tree_node *v = &t->v[at];

		if (v->func != NO_ID) {
			open = mem_reach(open, &cap, v->func, sizeof *open, 0);
			if (open[v->func]++)
				v->flags |= TREE_RECURSION;
		}
		if (v->n) {
			at = v->first;
			continue;
		}
		for (;;) {
			const struct tree_node *up;

			v = &t->v[at];
			if (v->func != NO_ID)
				open[v->func]--;
			if (v->parent == NO_ID)
				break;
			up = &t->v[v->parent];
			if (at + 1 < up->first + up->n) {
				at++;
				break;
			}
			at = v->parent;
		}
		if (at == 0)
			break;
	}
	free(open);
}
