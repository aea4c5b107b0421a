/* SPDX-License-Identifier: ISC */
#include "graph/cct.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

enum { COUNTED = 1,	/* the node's activations are counted */
	MEASURED = 2 };	/* an inclusive cost is measured; all others are sums of the nodes
			 * below */

void
cct_free(struct cct *t)
{
	free(t->ctx);
	free(t->parent);
	free(t->val);
	free(t->points);
	free(t->node);
	*t = (struct cct){ 0 };
}

void
cct_clear(struct cct *t, const struct dict *dict, size_t nval)
{
	size_t i;

	for (i = 0; t->listed && i < t->n; i++)
		t->node[t->ctx[i]] = 0;
	if (t->cappoints)
		memset(t->points, 0, t->cappoints * sizeof *t->points);
	t->n = 0;
	t->listed = false;
	t->dict = dict;
	t->nval = nval;
}

/* Returns the context's node + 1; 0: it has none. */
static inline uint32_t
find(const struct cct *t, uint64_t ctx)
{
	if (!t->listed)
		return ctx - t->first < t->n ? (uint32_t)(ctx - t->first) + 1 : 0;
	return ctx < t->capnode ? t->node[ctx] : 0;
}

/* Returns the node above a node; NO_ID for a root. */
static uint32_t
parent_of(const struct cct *t, size_t node)
{
	uint32_t caller;

	if (t->listed)
		return t->parent[node];
	caller = dict_caller(t->dict, t->first + (uint32_t)node);
	return caller == NO_ID ? NO_ID : caller - t->first;
}

/* Adds n nodes, without costs; returns the last one. */
static size_t
add(struct cct *t, size_t n)
{
	t->val = mem_grow(t->val, &t->capval, (t->n + n) * t->nval, sizeof *t->val);
	if (t->nval)
		memset(cct_self(t, t->n), 0, n * t->nval * sizeof *t->val);
	t->n += n;
	return t->n - 1;
}

/* ---- all contexts from one on ---- */

/* Are the context and those above it that have no nodes the next ones?  Then sets *n to
 * their number. */
static bool
comes_next(const struct cct *t, uint32_t ctx, size_t *n)
{
	uint32_t up = ctx, above;

	while ((above = dict_caller(t->dict, up)) != NO_ID && !find(t, above)) {
		if (above != up - 1)
			return false;
		up = above;
	}
	*n = ctx - up + 1;
	return !t->n || up == t->first + t->n;
}

/* ---- listed ones ---- */

static void
list_node(struct cct *t, size_t i, uint32_t ctx, uint32_t parent)
{
	t->ctx = mem_grow(t->ctx, &t->capctx, i + 1, sizeof *t->ctx);
	t->parent = mem_grow(t->parent, &t->capparent, i + 1, sizeof *t->parent);
	t->node = mem_reach(t->node, &t->capnode, ctx, sizeof *t->node, 0);
	t->ctx[i] = ctx;
	t->parent[i] = parent;
	t->node[ctx] = (uint32_t)i + 1;
}

static void
list_all(struct cct *t)
{
	size_t i;

	for (i = 0; i < t->n; i++)
		list_node(t, i, t->first + (uint32_t)i, parent_of(t, i));
	t->listed = true;
}

/* A context's number is greater than its caller's.  Missing callers are found in one
 * pass from below and made from the top down. */
static size_t
add_listed(struct cct *t, uint32_t ctx)
{
	uint32_t up, next, above;

	t->node = mem_reach(t->node, &t->capnode, ctx, sizeof *t->node, 0);
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
		list_node(t, t->n, up, above);
		above = (uint32_t)add(t, 1);
	}
	return t->n - 1;
}

size_t
cct_node(struct cct *t, uint32_t ctx)
{
	const uint32_t node1 = find(t, ctx);
	size_t n;

	if (node1)
		return node1 - 1;
	if (!t->listed && comes_next(t, ctx, &n)) {
		if (!t->n)
			t->first = ctx + 1 - (uint32_t)n;
		return add(t, n);
	}
	if (!t->listed)
		list_all(t);
	return add_listed(t, ctx);
}

size_t
cct_lacks(const struct cct *t, uint64_t ctx)
{
	size_t n = 0;

	for (; ctx != NO_ID && !find(t, ctx); n++)
		ctx = dict_caller(t->dict, (uint32_t)ctx);
	return n;
}

/* ---- points ---- */

/* Made only when needed, as most trees are of samples, which have no points. */
static struct cct_points *
points_of(struct cct *t, size_t node, unsigned flag)
{
	t->points = mem_reach(t->points, &t->cappoints, node, sizeof *t->points, 0);
	t->points[node].flags |= flag;
	return &t->points[node];
}

static bool
has(const struct cct *t, size_t node, unsigned flag)
{
	return node < t->cappoints && t->points[node].flags & flag;
}

int
cct_count(struct cct *t, size_t node, num count)
{
	return num_add(&points_of(t, node, COUNTED)->count, count);
}

bool
cct_is_counted(const struct cct *t, size_t node)
{
	return has(t, node, COUNTED);
}

num
cct_activations(const struct cct *t, size_t node)
{
	return has(t, node, COUNTED) ? t->points[node].count : 0;
}

int
cct_measure(struct cct *t, size_t node, size_t slot, num incl)
{
	struct cct_points *k = points_of(t, node, MEASURED);

	k->slot = slot;
	return num_add(&k->incl, incl);
}

/* ---- the walk ---- */

#define AHEAD 8			/* nodes whose costs are loaded */

/* Returns the nodes in the order of the walk, callees in the order in which they were made.
 * A node comes after those above it and after all nodes below the callees made before. */
static uint32_t *
order_of_walk(const struct cct *t)
{
	/* The number of nodes from each one down; then the place of the next one below
	 * it. */
	uint32_t *next = mem_alloc(t->n, sizeof *next);
	uint32_t *order = mem_alloc(t->n, sizeof *order);
	uint32_t root = 0, parent, n, *place;
	size_t i;

	for (i = t->n; i-- > 0; ) {
		next[i]++;
		if ((parent = parent_of(t, i)) != NO_ID)
			next[parent] += next[i];
	}
	for (i = 0; i < t->n; i++) {
		place = (parent = parent_of(t, i)) == NO_ID ? &root : &next[parent];
		n = next[i];
		order[*place] = (uint32_t)i;
		next[i] = *place + 1;
		*place += n;
	}
	free(next);
	return order;
}

/* The nodes from a root to the current one, whose sums are inclusive so far. */
struct path {
	struct cct *t;
	const struct cct_walk *w;
	uint32_t *node;
	size_t n, capnode;
};

static int
enter(struct path *p, uint32_t node)
{
	p->node = mem_grow(p->node, &p->capnode, p->n + 1, sizeof *p->node);
	p->node[p->n] = node;
	return p->w->enter(p->w->arg, node, p->n++);
}

/* A measured cost exceeds the sum if a filter has dropped callees.  It is less if the cost
 * of recursion was counted in the outermost activation, which is another node. */
static int
leave(struct path *p)
{
	const size_t depth = --p->n, node = p->node[depth];
	num *incl = cct_self(p->t, node);
	const struct cct_points *k = has(p->t, node, MEASURED) ? &p->t->points[node] : NULL;

	if (k && incl[k->slot] < k->incl)
		incl[k->slot] = k->incl;
	if (depth && num_add_each(cct_self(p->t, p->node[depth - 1]), incl, p->t->nval) < 0)
		return -1;
	return p->w->leave(p->w->arg, node, depth, incl);
}

static int
walk(struct path *p, const uint32_t *order)
{
	const struct cct *t = p->t;
	uint32_t parent;
	size_t i;
	int ret;

	for (i = 0; i < t->n; i++) {
		if (i + AHEAD < t->n)
			__builtin_prefetch(cct_self(t, order[i + AHEAD]));
		parent = parent_of(t, order[i]);
		while (p->n && p->node[p->n - 1] != parent)
			if ((ret = leave(p)))
				return ret;
		if ((ret = enter(p, order[i])))
			return ret;
	}
	while (p->n)
		if ((ret = leave(p)))
			return ret;
	return 0;
}

int
cct_walk(struct cct *t, const struct cct_walk *w)
{
	uint32_t *order = order_of_walk(t);
	struct path path = { .t = t, .w = w };
	const int ret = walk(&path, order);

	free(order);
	free(path.node);
	return ret;
}
