/* SPDX-License-Identifier: ISC */
#include "graph/cct.h"

#include <stdlib.h>

#include "util/mem.h"

/* Returns the number of a node's sums: self costs and inclusive ones. */
static size_t
width(const struct cct *t)
{
	return 2 * t->nval;
}

static num *
val(const struct cct *t, size_t node)
{
	return t->val + node * width(t);
}

void
cct_free(struct cct *t)
{
	free(t->ctx);
	free(t->parent);
	free(t->flags);
	free(t->val);
	free(t->points);
	free(t->node);
	*t = (struct cct){ 0 };
}

void
cct_clear(struct cct *t, const struct dict *dict, size_t nval)
{
	while (t->n)
		t->node[t->ctx[--t->n]] = 0;
	t->dict = dict;
	t->nval = nval;
}

static void
make_node(struct cct *t, uint32_t ctx, uint32_t parent)
{
	size_t i = t->n++;

	t->ctx = mem_grow(t->ctx, &t->capctx, t->n, sizeof *t->ctx);
	t->parent = mem_grow(t->parent, &t->capparent, t->n, sizeof *t->parent);
	t->flags = mem_grow(t->flags, &t->capflags, t->n, sizeof *t->flags);
	t->val = mem_grow(t->val, &t->capval, t->n * width(t), sizeof *t->val);
	t->ctx[i] = ctx;
	t->parent[i] = parent;
	t->flags[i] = 0;
	if (t->nval)
		memset(val(t, i), 0, width(t) * sizeof *t->val);
	t->node[ctx] = (uint32_t)t->n;
}

/* A context's number is greater than its caller's.  Missing callers are found in one
 * pass from below and made from the top down. */
size_t
cct_node(struct cct *t, uint32_t ctx)
{
	uint32_t up, next, above;

	t->node = mem_reach(t->node, &t->capnode, ctx, sizeof *t->node, 0);
	if (t->node[ctx])
		return t->node[ctx] - 1;
	/* The path down is kept in the missing contexts' entries of t->node. */
	for (up = ctx, next = NO_ID; up != NO_ID && !t->node[up]; ) {
		above = dict_caller(t->dict, up);
		t->node[up] = next;
		next = up;
		up = above;
	}
	above = up == NO_ID ? NO_ID : t->node[up] - 1;
	while (next != NO_ID) {
		up = next;
		next = t->node[up];
		make_node(t, up, above);
		above = (uint32_t)t->n - 1;
	}
	return t->n - 1;
}

size_t
cct_lacks(const struct cct *t, uint64_t ctx)
{
	size_t n = 0;

	for (; ctx != NO_ID && (ctx >= t->capnode || !t->node[ctx]); n++)
		ctx = dict_caller(t->dict, (uint32_t)ctx);
	return n;
}

num *
cct_self(const struct cct *t, size_t node)
{
	return val(t, node);
}

const num *
cct_incl(const struct cct *t, size_t node)
{
	return val(t, node) + t->nval;
}

/* Made only when needed, as most trees are of samples, which have no points. */
static struct cct_points *
points_of(struct cct *t, size_t node, unsigned char flag)
{
	t->points = mem_reach(t->points, &t->cappoints, node, sizeof *t->points, 0);
	if (!t->flags[node])
		t->points[node] = (struct cct_points){ 0 };
	t->flags[node] |= flag;
	return &t->points[node];
}

int
cct_count(struct cct *t, size_t node, num count)
{
	return num_add(&points_of(t, node, CCT_COUNTED)->count, count);
}

num
cct_activations(const struct cct *t, size_t node)
{
	return t->flags[node] & CCT_COUNTED ? t->points[node].count : 0;
}

int
cct_measure(struct cct *t, size_t node, size_t slot, num incl)
{
	struct cct_points *k = points_of(t, node, CCT_MEASURED);

	k->slot = slot;
	return num_add(&k->incl, incl);
}

/* Sums inclusive costs from the leaves up.  A measured cost exceeds the sum if a filter has
 * dropped callees.  It is less if the cost of recursion was counted in the outermost
 * activation, which is another node. */
static int
sum_up(struct cct *t)
{
	size_t i, k;

	for (i = 0; i < t->n && t->nval; i++)
		memset(val(t, i) + t->nval, 0, t->nval * sizeof *t->val);
	for (i = t->n; i-- > 0; ) {
		num *self = val(t, i), *incl = self + t->nval;

		for (k = 0; k < t->nval; k++)
			if (num_add(&incl[k], self[k]) < 0)
				return -1;
		if (t->flags[i] & CCT_MEASURED && incl[t->points[i].slot] < t->points[i].incl)
			incl[t->points[i].slot] = t->points[i].incl;
		for (k = 0; k < t->nval && t->parent[i] != NO_ID; k++)
			if (num_add(&val(t, t->parent[i])[t->nval + k], incl[k]) < 0)
				return -1;
	}
	return 0;
}

/* Returns the first callee of each of the n nodes, then the first root; *sibling: the next
 * sibling of each.  All are node + 1, in the order in which they were made. */
static uint32_t *
callees(const struct cct *t, uint32_t **sibling)
{
	uint32_t *first = mem_alloc(t->n + 1, sizeof *first);
	size_t i;

	*sibling = mem_alloc(t->n + 1, sizeof **sibling);
	for (i = t->n; i-- > 0; ) {
		uint32_t *head = &first[t->parent[i] == NO_ID ? t->n : t->parent[i]];

		(*sibling)[i] = *head;
		*head = (uint32_t)i + 1;
	}
	return first;
}

int
cct_walk(struct cct *t, const struct cct_walk *w)
{
	uint32_t *first, *sibling, at;
	int ret = sum_up(t);

	if (ret < 0)
		return ret;
	first = callees(t, &sibling);
	for (at = first[t->n]; at && ret == 0; ) {
		if ((ret = w->enter(w->arg, at - 1)) || first[at - 1]) {
			at = first[at - 1];
			continue;
		}
		for (;;) {
			if (w->leave && (ret = w->leave(w->arg, at - 1)))
				break;
			if (sibling[at - 1]) {
				at = sibling[at - 1];
				break;
			}
			if (t->parent[at - 1] == NO_ID) {
				at = 0;
				break;
			}
			at = t->parent[at - 1] + 1;
		}
	}
	free(first);
	free(sibling);
	return ret;
}
