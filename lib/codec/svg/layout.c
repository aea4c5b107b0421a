/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/system.h"

/* Orders the names of siblings; equal names by their files and objects. */
static int
compare(const void *a, const void *b, void *arg)
{
	const struct stacks *s = arg;
	const uint32_t na = *(const uint32_t *)a, nb = *(const uint32_t *)b;
	const uint32_t pa = stacks_parent(s, na);
	const uint32_t pb = stacks_parent(s, nb);
	int c;

	if (pa != pb)
		return pa < pb ? -1 : 1;
	if ((c = text_cmp(stacks_name(s, na), stacks_name(s, nb))))
		return c;
	if ((c = text_cmp(stacks_object(s, na), stacks_object(s, nb))))
		return c;
	if ((c = text_cmp(stacks_file(s, na), stacks_file(s, nb))))
		return c;
	return na < nb ? -1 : na > nb;
}

/* Returns v of total, in units. */
static uint32_t
units(num v, num total)
{
	while (total > NUM_MAX / LAYOUT_WIDTH) {
		total >>= 1;
		v >>= 1;
	}
	return total ? (uint32_t)(v * LAYOUT_WIDTH / total) : 0;
}

static num
self_width(struct layout *l, const struct stacks *s, size_t node)
{
	const num *self = stacks_self(s, node);
	const num most = stacks_sides(s) > 1 && self[SIDE_NEW] > self[SIDE_OLD] ?
	    self[SIDE_NEW] : self[SIDE_OLD];

	l->negative += most < 0;
	return most < 0 ? 0 : most;
}

/* Returns the widths by node; NULL if they do not fit 128 bits. */
static num *
find_widths(struct layout *l, const struct stacks *s)
{
	num *width = mem_alloc(stacks_size(s), sizeof *width);
	size_t node;

	for (node = 0; node < stacks_size(s); node++)
		width[node] = self_width(l, s, node);
	if (stack_tree_sum(&s->tree, width, 1) == 0)
		return width;
	free(width);
	return NULL;
}

/* Returns the nodes to draw, siblings side by side: callers are at least as wide as
 * callees. */
static uint32_t *
choose(struct layout *l, const struct stacks *s, const num *width, struct threshold min)
{
	uint32_t *v = mem_alloc(stacks_size(s), sizeof *v), node;

	for (node = 0; node < stacks_size(s); node++)
		if (node == 0 || (width[node] > 0 &&
		    threshold_cmp(width[node], min, width[0]) >= 0))
			v[l->n++] = node;
	l->pruned = stacks_size(s) - l->n;
	system_sort(v, l->n, sizeof *v, compare, (void *)s);
	return v;
}

/* By node: where its callees begin in v, and their number. */
struct brood {
	uint32_t first, n;
};

static struct brood *
find_broods(const struct stacks *s, const uint32_t *v, size_t n)
{
	struct brood *of = mem_alloc(stacks_size(s), sizeof *of);
	size_t i;

	for (i = 0; i < n; i++) {
		const uint32_t parent = stacks_parent(s, v[i]);

		if (parent == NO_ID)
			continue;
		if (!of[parent].n++)
			of[parent].first = (uint32_t)i;
	}
	return of;
}

/* A frame whose place is known, but not yet those of its callees. */
struct todo {
	uint32_t node, depth;
	num from;
};

int
layout_make(struct layout *l, const struct stacks *s, struct threshold min)
{
	uint32_t *v;
	struct brood *broods;
	struct todo *todo;
	size_t n = 0, at = 0, i;
	num *width;

	*l = (struct layout){ 0 };
	if (!(width = find_widths(l, s)))
		return -1;
	v = choose(l, s, width, min);
	broods = find_broods(s, v, l->n);
	l->v = mem_alloc(l->n, sizeof *l->v);
	todo = mem_alloc(l->n, sizeof *todo);
	todo[n++] = (struct todo){ 0 };
	while (n) {
		const struct todo f = todo[--n];
		const uint32_t x = units(f.from, width[0]);
		num from = f.from + width[f.node];

		l->v[at++] = (struct box){ f.node, f.depth, x,
		    units(from, width[0]) - x };
		if (f.depth > l->deepest)
			l->deepest = f.depth;
		/* Adds them from the right, so that the left one is taken first. */
		from = f.from;
		for (i = 0; i < broods[f.node].n; i++)
			from += width[v[broods[f.node].first + i]];
		for (; i-- > 0; n++) {
			const uint32_t node = v[broods[f.node].first + i];

			from -= width[node];
			todo[n] = (struct todo){ node, f.depth + 1, from };
		}
	}
	free(todo);
	free(broods);
	free(v);
	free(width);
	return 0;
}

void
layout_free(struct layout *l)
{
	free(l->v);
}
