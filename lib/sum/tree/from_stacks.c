/* SPDX-License-Identifier: ISC */
#include "sum/tree/from_stacks.h"

#include <stdlib.h>

#include "util/mem.h"

/* Lists the children of each node. */
void
members_init(struct members *s, struct stacks *stacks)
{
	const size_t n = stacks_size(stacks);
	uint32_t *end;
	size_t i;

	*s = (struct members){ .stacks = stacks };
	s->first = mem_alloc(n + 1, sizeof *s->first);
	s->child = mem_alloc(n, sizeof *s->child);
	end = mem_alloc(n + 1, sizeof *end);
	for (i = 1; i < n; i++)
		s->first[stacks_parent(stacks, i) + 1]++;
	for (i = 0; i < n; i++)
		s->first[i + 1] += s->first[i];
	memcpy(end, s->first, (n + 1) * sizeof *end);
	for (i = 1; i < n; i++)
		s->child[end[stacks_parent(stacks, i)]++] = (uint32_t)i;
	free(end);
}

void
members_free(struct members *s)
{
	free(s->first);
	free(s->child);
	free(s->v);
	free(s->pending);
}

/* ---- members ---- */

/* Returns the cost that a member carries up. */
static const num *
carried(const struct members *s, const struct node_builder *g, uint32_t from)
{
	return g->q->functions ? stacks_cost(s->stacks, from) : stacks_self(s->stacks, from);
}

/* Returns the child of `parent` that the node `at` belongs to. */
static size_t
child_at(const struct members *s, struct node_builder *g, size_t parent, uint32_t at)
{
	const bool thread = stacks_is_thread(s->stacks, at);
	const uint32_t label = stack_tree_label(&s->stacks->tree, at);
	const size_t child = grow_child(g, parent, thread ? GROW_THREADS : GROW_STACKS, label);

	*(thread ? &g->t.v[child].thread : &g->t.v[child].func) = label;
	return child;
}

/* Adds a member to a child of `parent`. */
static int
add_member(struct members *s, struct node_builder *g, size_t parent, struct member m)
{
	const size_t child = child_at(s, g, parent, m.at), n = g->t.sides;
	struct tree_node *v = &g->t.v[child];

	v->flags |= TREE_SETTLED;
	v->nat++;
	s->pending = mem_grow(s->pending, &s->cappending, s->npending + 1,
	    sizeof *s->pending);
	s->pending[s->npending++] = (struct pending){ (uint32_t)child, m };
	if (!g->q->callers)
		return num_add_each(v->cost, stacks_cost(s->stacks, m.at), n) < 0 ||
		    num_add_each(v->self, stacks_self(s->stacks, m.at), n) < 0 ? -1 : 0;
	return num_add_each(v->cost, carried(s, g, m.from), n) < 0 ||
	    (stacks_parent(s->stacks, m.at) == 0 &&
	    num_add_each(v->self, carried(s, g, m.from), n) < 0) ? -1 : 0;
}

/* Moves the members, from number `first` on, to their nodes. */
static void
place_members(struct members *s, struct node_builder *g, size_t first)
{
	size_t i;

	for (i = first; i < g->t.n; i++) {
		g->t.v[i].at = s->n;
		s->n += g->t.v[i].nat;
		g->t.v[i].nat = 0;
	}
	s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
	for (i = 0; i < s->npending; i++) {
		struct tree_node *v = &g->t.v[s->pending[i].node];

		s->v[v->at + v->nat++] = s->pending[i].m;
	}
	s->npending = 0;
}

/* ---- roots ---- */

static int
add_children(struct members *s, struct node_builder *g, size_t node, uint32_t at)
{
	uint32_t i;

	for (i = s->first[at]; i < s->first[at + 1]; i++)
		if (add_member(s, g, node,
		    (struct member){ s->child[i], s->child[i] }) < 0)
			return -1;
	return 0;
}

static int
add_own_costs(struct members *s, struct node_builder *g)
{
	const size_t n = stacks_size(s->stacks);
	uint32_t i;

	for (i = 1; i < n; i++) {
		const num *self = stacks_self(s->stacks, i);

		if ((self[0] || (g->t.sides > 1 && self[SIDE_NEW])) &&
		    add_member(s, g, 0, (struct member){ i, i }) < 0)
			return -1;
	}
	return 0;
}

/* Adds functions that match, where they are not below themselves. */
static int
add_matching(struct members *s, struct node_builder *g)
{
	const size_t n = stacks_size(s->stacks);
	uint32_t *next = mem_alloc(n + 1, sizeof *next), *open = NULL, at = 0, func;
	size_t cap = 0;
	int ret = 0;

	memcpy(next, s->first, (n + 1) * sizeof *next);
	while (ret == 0) {
		const bool down = next[at] < s->first[at + 1];

		if (down)
			at = s->child[next[at]++];
		else if (at == 0)
			break;
		func = stacks_func(s->stacks, at);
		if (grow_matches(g, func)) {
			open = mem_reach(open, &cap, func, sizeof *open, 0);
			if (down && open[func]++ == 0)
				ret = add_member(s, g, 0, (struct member){ at, at });
			else if (!down)
				open[func]--;
		}
		if (!down)
			at = stacks_parent(s->stacks, at);
	}
	free(next);
	free(open);
	return ret;
}

int
members_roots(struct members *s, struct node_builder *g)
{
	const size_t first = g->t.n;
	const int ret = g->q->functions ? add_matching(s, g) : g->q->callers ?
	    add_own_costs(s, g) : add_children(s, g, 0, 0);

	place_members(s, g, first);
	return ret;
}

/* ---- children ---- */

int
members_expand(struct members *s, struct node_builder *g, size_t node)
{
	const size_t first = g->t.n, at = g->t.v[node].at, n = g->t.v[node].nat;
	size_t i;
	int ret = 0;

	if (!grow_step(g, n))
		return 0;
	g->t.v[node].flags |= TREE_GROWN;
	for (i = at; i < at + n && ret == 0; i++) {
		const struct member m = s->v[i];

		if (!g->q->callers)
			ret = add_children(s, g, node, m.at);
		else if (stacks_parent(s->stacks, m.at) != 0)
			ret = add_member(s, g, node,
			    (struct member){ stacks_parent(s->stacks, m.at), m.from });
	}
	place_members(s, g, first);
	return ret;
}
