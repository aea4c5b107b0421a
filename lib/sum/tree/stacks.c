/* SPDX-License-Identifier: ISC */
#include "sum/tree/stacks.h"

#include <stdlib.h>

#include "util/mem.h"

#define THREAD 0x80000000u	/* in the label of a thread: the rest is its name */

void
stacks_init(struct stack_source *s, struct dict *dict)
{
	*s = (struct stack_source){ 0 };
	stack_tree_init(&s->stacks, dict);
	stack_tree_below(&s->stacks, stack_tree_add(&s->stacks, NO_ID, NO_ID));
}

void
stacks_free(struct stack_source *s)
{
	stack_tree_free(&s->stacks);
	free(s->cost);
	free(s->first);
	free(s->child);
	free(s->member);
	free(s->pending);
}

void
stacks_below(struct stack_source *s, struct dict *dict, struct text name)
{
	stack_tree_below(&s->stacks, !name.n ? 0 :
	    stack_tree_add(&s->stacks, 0, THREAD | dict_str(dict, name)));
}

static uint32_t
function_of(void *arg, uint32_t ctx, uint32_t parent)
{
	const struct dict *d = arg;
	bool fresh;

	(void)parent;
	return dict_func_bare((struct dict *)d, dict_def(d, REC_CTX, ctx)[CTX_FUNC], &fresh);
}

/* What has no stack is of something unknown. */
num *
stacks_self(struct stack_source *s, uint64_t ctx)
{
	struct stack_tree *t = &s->stacks;

	return sums_val(&t->nodes, ctx == NO_ID ? stack_tree_add(t, t->root, NO_ID) :
	    stack_tree_node(t, (uint32_t)ctx, function_of, (void *)t->dict));
}

bool
stacks_any(const struct stack_source *s)
{
	return s->stacks.nodes.n > 1;
}

/* ---- the tree of stacks, once it is known ---- */

static uint32_t
parent_of(const struct stack_source *s, size_t at)
{
	return stack_tree_parent(&s->stacks, at);
}

static bool
is_thread(const struct stack_source *s, size_t at)
{
	const uint32_t label = stack_tree_label(&s->stacks, at);

	return parent_of(s, at) == 0 && label != NO_ID && label & THREAD;
}

static void
list_children(struct stack_source *s)
{
	const size_t n = s->stacks.nodes.n;
	uint32_t *end;
	size_t i;

	s->first = mem_alloc(n + 1, sizeof *s->first);
	s->child = mem_alloc(n, sizeof *s->child);
	end = mem_alloc(n + 1, sizeof *end);
	for (i = 1; i < n; i++)
		s->first[parent_of(s, i) + 1]++;
	for (i = 0; i < n; i++)
		s->first[i + 1] += s->first[i];
	memcpy(end, s->first, (n + 1) * sizeof *end);
	for (i = 1; i < n; i++)
		s->child[end[parent_of(s, i)]++] = (uint32_t)i;
	free(end);
}

int
stacks_finish(struct stack_source *s)
{
	const struct sums *nodes = &s->stacks.nodes;
	const size_t nval = nodes->nval;
	size_t i, k;

	s->cost = mem_alloc(nodes->n * nval, sizeof *s->cost);
	for (i = 0; i < nodes->n; i++)
		memcpy(s->cost + i * nval, sums_val(nodes, i), nval * sizeof *s->cost);
	for (i = nodes->n; --i > 0; )
		for (k = 0; k < nval; k++)
			if (num_add(&s->cost[parent_of(s, i) * nval + k],
			    s->cost[i * nval + k]) < 0)
				return -1;
	list_children(s);
	return 0;
}

/* ---- members ---- */

static int
add_costs(num *sum, const num *v, size_t n)
{
	size_t k;

	for (k = 0; k < n; k++)
		if (num_add(&sum[k], v[k]) < 0)
			return -1;
	return 0;
}

/* The cost that a member carries up. */
static const num *
carried(const struct stack_source *s, const struct grower *g, uint32_t from)
{
	return g->q->functions ? s->cost + from * g->t.sides :
	    sums_val(&s->stacks.nodes, from);
}

/* Makes a member part of a child of `parent`, which the label of its place tells. */
static int
add_member(struct stack_source *s, struct grower *g, size_t parent, struct stack_member m)
{
	const uint32_t label = stack_tree_label(&s->stacks, m.at);
	const size_t child = grow_child(g, parent, GROW_STACKS, label), n = g->t.sides;
	struct tree_node *v = &g->t.v[child];

	if (is_thread(s, m.at))
		v->thread = label & ~THREAD;
	else
		v->func = label;
	v->flags |= TREE_SETTLED;
	v->nat++;
	s->pending = mem_grow(s->pending, &s->cappending, s->npending + 1,
	    sizeof *s->pending);
	s->pending[s->npending++] = (struct stack_pending){ (uint32_t)child, m };
	if (!g->q->callers)
		return add_costs(v->cost, s->cost + m.at * n, n) < 0 ||
		    add_costs(v->self, sums_val(&s->stacks.nodes, m.at), n) < 0 ? -1 : 0;
	return add_costs(v->cost, carried(s, g, m.from), n) < 0 ||
	    (parent_of(s, m.at) == 0 &&
	    add_costs(v->self, carried(s, g, m.from), n) < 0) ? -1 : 0;
}

/* Gives the members to the nodes that they are part of, from number `first` on. */
static void
place_members(struct stack_source *s, struct grower *g, size_t first)
{
	size_t i;

	for (i = first; i < g->t.n; i++) {
		g->t.v[i].at = s->nmember;
		s->nmember += g->t.v[i].nat;
		g->t.v[i].nat = 0;
	}
	s->member = mem_grow(s->member, &s->capmember, s->nmember + 1, sizeof *s->member);
	for (i = 0; i < s->npending; i++) {
		struct tree_node *v = &g->t.v[s->pending[i].node];

		s->member[v->at + v->nat++] = s->pending[i].m;
	}
	s->npending = 0;
}

/* ---- roots ---- */

static int
add_children(struct stack_source *s, struct grower *g, size_t node, uint32_t at)
{
	uint32_t i;

	for (i = s->first[at]; i < s->first[at + 1]; i++)
		if (add_member(s, g, node,
		    (struct stack_member){ s->child[i], s->child[i] }) < 0)
			return -1;
	return 0;
}

static int
add_own_costs(struct stack_source *s, struct grower *g)
{
	const size_t n = s->stacks.nodes.n;
	uint32_t i;

	for (i = 1; i < n; i++) {
		const num *self = sums_val(&s->stacks.nodes, i);

		if ((self[0] || (g->t.sides > 1 && self[SIDE_NEW])) &&
		    add_member(s, g, 0, (struct stack_member){ i, i }) < 0)
			return -1;
	}
	return 0;
}

/* Functions that match, where they are not below themselves. */
static int
add_matching(struct stack_source *s, struct grower *g)
{
	const size_t n = s->stacks.nodes.n;
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
		func = is_thread(s, at) ? NO_ID : stack_tree_label(&s->stacks, at);
		if (grow_matches(g, func)) {
			open = mem_reach(open, &cap, func, sizeof *open, 0);
			if (down && open[func]++ == 0)
				ret = add_member(s, g, 0, (struct stack_member){ at, at });
			else if (!down)
				open[func]--;
		}
		if (!down)
			at = parent_of(s, at);
	}
	free(next);
	free(open);
	return ret;
}

int
stacks_roots(struct stack_source *s, struct grower *g)
{
	const size_t first = g->t.n;
	const int ret = g->q->functions ? add_matching(s, g) : g->q->callers ?
	    add_own_costs(s, g) : add_children(s, g, 0, 0);

	place_members(s, g, first);
	return ret;
}

/* ---- children ---- */

int
stacks_expand(struct stack_source *s, struct grower *g, size_t node)
{
	const size_t first = g->t.n, at = g->t.v[node].at, n = g->t.v[node].nat;
	size_t i;
	int ret = 0;

	if (!grow_step(g, n))
		return 0;
	g->t.v[node].flags |= TREE_GROWN;
	for (i = at; i < at + n && ret == 0; i++) {
		const struct stack_member m = s->member[i];

		if (!g->q->callers)
			ret = add_children(s, g, node, m.at);
		else if (parent_of(s, m.at) != 0)
			ret = add_member(s, g, node,
			    (struct stack_member){ parent_of(s, m.at), m.from });
	}
	place_members(s, g, first);
	return ret;
}
