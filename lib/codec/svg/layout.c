/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <stdlib.h>

#include "util/mem.h"

/* Names of brothers, in order; those of one name by their files and objects. */
static int
compare(const void *a, const void *b, void *arg)
{
	const struct tree *t = arg;
	const uint32_t na = *(const uint32_t *)a, nb = *(const uint32_t *)b;
	const uint32_t pa = stack_tree_parent(&t->stacks, na);
	const uint32_t pb = stack_tree_parent(&t->stacks, nb);
	int c;

	if (pa != pb)
		return pa < pb ? -1 : 1;
	if ((c = text_cmp(tree_name(t, na), tree_name(t, nb))))
		return c;
	if ((c = text_cmp(dict_object_path(t->dict, tree_func(t, na)[FUNC_OBJECT]),
	    dict_object_path(t->dict, tree_func(t, nb)[FUNC_OBJECT]))))
		return c;
	if ((c = text_cmp(dict_path(t->dict, tree_func(t, na)[FUNC_FILE]),
	    dict_path(t->dict, tree_func(t, nb)[FUNC_FILE]))))
		return c;
	return na < nb ? -1 : na > nb;
}

/* v of total, in units. */
static uint32_t
units(num v, num total)
{
	while (total > NUM_MAX / LAYOUT_WIDTH) {
		total >>= 1;
		v >>= 1;
	}
	return total ? (uint32_t)(v * LAYOUT_WIDTH / total) : 0;
}

/* Nodes to draw, brothers side by side: callers are at least as wide as callees. */
static uint32_t *
choose(struct layout *l, const struct tree *t, struct threshold min)
{
	uint32_t *v = mem_alloc(tree_size(t), sizeof *v), node;

	for (node = 0; node < tree_size(t); node++)
		if (node == 0 || (t->width[node] > 0 &&
		    threshold_cmp(t->width[node], min, t->width[0]) >= 0))
			v[l->n++] = node;
	l->pruned = tree_size(t) - l->n;
	qsort_r(v, l->n, sizeof *v, compare, (void *)t);
	return v;
}

/* By node, where its callees begin in v, and their number. */
struct brood {
	uint32_t first, n;
};

static struct brood *
find_broods(const struct tree *t, const uint32_t *v, size_t n)
{
	struct brood *of = mem_alloc(tree_size(t), sizeof *of);
	size_t i;

	for (i = 0; i < n; i++) {
		const uint32_t parent = stack_tree_parent(&t->stacks, v[i]);

		if (parent == NO_ID)
			continue;
		if (!of[parent].n++)
			of[parent].first = (uint32_t)i;
	}
	return of;
}

/* A frame whose place is known, and whose callees' are not. */
struct todo {
	uint32_t node, depth;
	num from;
};

void
layout_make(struct layout *l, const struct tree *t, struct threshold min)
{
	uint32_t *v;
	struct brood *broods;
	struct todo *todo;
	size_t n = 0, at = 0, i;

	*l = (struct layout){ 0 };
	v = choose(l, t, min);
	broods = find_broods(t, v, l->n);
	l->v = mem_alloc(l->n, sizeof *l->v);
	todo = mem_alloc(l->n, sizeof *todo);
	todo[n++] = (struct todo){ 0 };
	while (n) {
		const struct todo f = todo[--n];
		const uint32_t x = units(f.from, t->width[0]);
		num from = f.from + t->width[f.node];

		l->v[at++] = (struct frame){ f.node, f.depth, x,
		    units(from, t->width[0]) - x };
		if (f.depth > l->deepest)
			l->deepest = f.depth;
		/* From the right: the first to be taken is the one on the left. */
		from = f.from;
		for (i = 0; i < broods[f.node].n; i++)
			from += t->width[v[broods[f.node].first + i]];
		for (; i-- > 0; n++) {
			const uint32_t node = v[broods[f.node].first + i];

			from -= t->width[node];
			todo[n] = (struct todo){ node, f.depth + 1, from };
		}
	}
	free(todo);
	free(broods);
	free(v);
}

void
layout_free(struct layout *l)
{
	free(l->v);
}
