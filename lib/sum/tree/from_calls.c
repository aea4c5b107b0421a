/* SPDX-License-Identifier: ISC */
/* Nodes of a tree that grows from a call graph. */
#include "sum/tree/from_calls.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- nodes ---- */

/* Are all calls of the remaining functions there? */
static bool
is_complete(const struct call_source *c)
{
	return !c->partial && !c->callers_lost;
}

/* Do the calls into a cycle cost the same as its functions? */
static bool
is_even(const struct call_cycle *of, size_t side)
{
	return of->in[side] == of->need[side];
}

/* Adds a node, which is valid until the next one is added. */
static struct tree_node *
add_node(struct call_source *c, struct node_builder *g, size_t parent, uint32_t row)
{
	const size_t node = grow_child(g, parent, GROW_CALLS, row);
	struct tree_node *v = &g->t.v[node];

	v->func = (uint32_t)*sums_key(&c->rows, row);
	v->at = row;
	if (c->calls_itself[row])
		v->flags |= TREE_RECURSION;
	if (cycle_of(c, row)->members > 1)
		v->flags |= TREE_CYCLE | (parent == 0 ||
		    c->cycle[g->t.v[parent].at] != c->cycle[row] ? TREE_ENTERS : 0);
	return v;
}

/* ---- roots ---- */

/* Returns the cost of a cycle that no call explains, with which a tree begins. */
static num
rootness(const struct call_cycle *of, size_t side)
{
	num n = of->need[side];

	if (!of->calls)
		return n;
	return of->in[side] < n ? n - of->in[side] : 0;
}

/* Does a root have all of a function?  In a cycle, only the one function that can be its
 * beginning does, if nothing was dropped: then its calls there also have their measured
 * cost. */
static unsigned
root_flags(const struct call_source *c, const struct call_cycle *of)
{
	if (of->calls || c->partial || (of->members > 1 && of->roots != 1))
		return TREE_COST_ESTIMATED;
	return of->members > 1 && c->filtered ? TREE_WHOLE | TREE_COST_ESTIMATED : TREE_WHOLE;
}

static void
add_root(struct call_source *c, struct node_builder *g, uint32_t row)
{
	const struct call_cycle *of = cycle_of(c, row);
	num cost[SIDES] = { 0 }, any = 0;
	struct tree_node *v;
	size_t side;

	for (side = 0; side < g->t.sides; side++)
		any |= cost[side] = rootness(of, side);
	if (!any || of->head != row)
		return;
	v = add_node(c, g, 0, row);
	for (side = 0; side < g->t.sides; side++) {
		v->cost[side] = cost[side];
		v->flags |= tree_bit(root_flags(c, of), side);
	}
}

/* Returns the inclusive cost: the larger of the calls into it and its self cost with the
 * calls from it. */
static num
inclusive(const struct call_cycle *of, size_t side)
{
	return of->calls && of->in[side] > of->need[side] ? of->in[side] : of->need[side];
}

/* Adds the costs of calls to those of a row, which `a` indexes. */
static int
add_calls(const struct call_source *c, const struct adjacency *a, uint32_t row,
    size_t side, num *sum)
{
	uint32_t i;

	for (i = a->first[row]; i < a->first[row + 1]; i++)
		if (num_add(sum, cost_of(c, a->edge[i], side)) < 0)
			return -1;
	return 0;
}

/* Sets the inclusive cost of a member of a cycle: the calls into it, which may be nested in
 * each other, but at most the cost of the cycle, and at least its self cost. */
static int
inclusive_within(const struct call_source *c, uint32_t row, size_t side, num *cost)
{
	const num most = inclusive(cycle_of(c, row), side), self = self_of(c, row, side);

	*cost = 0;
	if (add_calls(c, &c->into, row, side, cost) < 0)
		return -1;
	if (*cost < self)
		*cost = self;
	if (*cost > most)
		*cost = most;
	return 0;
}

/* Sets the inclusive cost of a function's first level, no call of which is nested in
 * another, even in a cycle: the larger of the calls into it, if any, and its self cost with
 * the calls from it. */
static int
inclusive_first(const struct call_source *c, uint32_t row, size_t side, num *cost)
{
	num in = 0, out = self_of(c, row, side);

	if (add_calls(c, &c->into, row, side, &in) < 0 ||
	    add_calls(c, &c->out, row, side, &out) < 0)
		return -1;
	*cost = in > out ? in : out;
	return 0;
}

/* Adds a function that matches, which is whole at the root of its tree, unless it is in a
 * cycle and may be nested in itself. */
static int
add_match(struct call_source *c, struct node_builder *g, uint32_t row)
{
	const struct call_cycle *of = cycle_of(c, row);
	struct tree_node *v = add_node(c, g, 0, row);
	const bool whole = !c->partial && (of->members == 1 || c->first[row]);
	size_t side;
	int ret = 0;

	for (side = 0; side < g->t.sides; side++) {
		if (of->members == 1)
			v->cost[side] = inclusive(of, side);
		else if (c->first[row])
			ret |= inclusive_first(c, row, side, &v->cost[side]);
		else
			ret |= inclusive_within(c, row, side, &v->cost[side]);
		v->flags |= tree_bit(whole ? TREE_WHOLE : TREE_COST_ESTIMATED, side);
	}
	return ret;
}

static void
add_own_cost(struct call_source *c, struct node_builder *g, uint32_t row)
{
	const num *self = sums_val(&c->rows, row);

	if (self[0] || (g->t.sides > 1 && self[SIDE_NEW]))
		memcpy(add_node(c, g, 0, row)->cost, self, g->t.sides * sizeof *self);
}

int
calls_roots(struct call_source *c, struct node_builder *g)
{
	uint32_t row;

	for (row = 0; row < c->rows.n; row++) {
		if (g->q->functions) {
			if (grow_matches(g, (uint32_t)*sums_key(&c->rows, row)) &&
			    add_match(c, g, row) < 0)
				return -1;
		} else if (g->q->callers) {
			add_own_cost(c, g, row);
		} else {
			add_root(c, g, row);
		}
	}
	return 0;
}

/* ---- children ---- */

/* Marks a node's function, and those of the same cycle above it; returns their number. */
static uint64_t
mark_path(struct call_source *c, const struct node_builder *g, size_t node)
{
	const uint32_t cycle = c->cycle[g->t.v[node].at];
	const struct tree_node *v = &g->t.v[node];
	uint64_t n = 1;

	for (; v->depth && c->cycle[v->at] == cycle; v = &g->t.v[v->parent], n++)
		c->stamp[v->at] = (uint32_t)node + 1;
	return n;
}

/* Adds a call of a function that is above the node. */
static int
add_above(struct call_source *c, uint32_t edge)
{
	size_t side;
	int ret = 0;

	for (side = 0; side < c->rows.nval; side++)
		ret |= num_add(&c->above[side], cost_of(c, edge, side));
	return ret;
}

/* Lists the calls by, or of, a node's function that are not recursion. */
static int
list_edges(struct call_source *c, struct node_builder *g, size_t node)
{
	const struct adjacency *a = g->q->callers ? &c->into : &c->out;
	const size_t row = g->t.v[node].at;
	/* No call of or by a first level is nested in another: calls have their measured
	 * cost, unless part of them is above, in the same cycle. */
	const bool apart = c->first[row] && g->t.v[node].flags & TREE_ENTERS;
	uint32_t i, e;

	c->n = c->ninner = 0;
	memset(c->above, 0, sizeof c->above);
	for (i = a->first[row]; i < a->first[row + 1]; i++) {
		e = a->edge[i];
		if (c->stamp[g->q->callers ? from_of(c, e) : to_of(c, e)] == node + 1) {
			if (add_above(c, e) < 0)
				return -1;
			continue;
		}
		c->inner[c->n] = is_inner(c, e) && !apart;
		c->ninner += c->inner[c->n];
		c->edge[c->n++] = e;
	}
	return 0;
}

/* Two shares come before those of edges: the node's self cost, and a cost that is not below
 * it, because it is not in the profile, or is in calls of functions above it. */
enum { PART_SELF, PART_LOST, PART_EDGES };

/* Returns the weight of an edge within a cycle: its cost, or, where that is the cost of the
 * whole cycle or none, that of the function that it leads to. */
static num
weight_of(const struct call_source *c, const struct node_builder *g, size_t i, size_t side)
{
	const uint32_t e = c->edge[i];

	return c->inner[i] && c->propagated ?
	    self_of(c, g->q->callers ? from_of(c, e) : to_of(c, e), side) :
	    cost_of(c, e, side);
}

/* Divides `whole` into parts by the weights.  Returns 1; 0 if that is not possible, as some
 * weights are negative or all are 0; -1 if their sum does not fit. */
static int
divide(struct call_source *c, num whole, size_t side)
{
	const size_t n = PART_EDGES + c->n;
	num all = 0;
	size_t i;

	for (i = 0; i < n; i++)
		if (c->weight[i] < 0)
			return 0;
	if (num_sum(c->weight, n, &all) < 0)
		return -1;
	if (all)
		apportion(&c->apportion, whole, c->weight, all, n, c->part[side]);
	return all != 0;
}

/* At a node with all of a function's cost, calls have their measured cost.  The remainder
 * is that of calls within its cycle; with callers below, of no call. */
static int
take_whole(struct call_source *c, const struct node_builder *g, const struct tree_node *v,
    size_t side)
{
	const num self = g->q->callers ? 0 : self_of(c, v->at, side);
	const struct call_cycle *of = cycle_of(c, v->at);
	num *part = c->part[side], rest = v->cost[side], inner = 0, below;
	int divided = 0, ret = num_sub(&rest, self);
	size_t i;

	c->weight[PART_SELF] = c->weight[PART_LOST] = 0;
	for (i = 0; i < c->n; i++) {
		c->weight[PART_EDGES + i] = c->inner[i] ? weight_of(c, g, i, side) : 0;
		if (c->inner[i])
			ret |= num_add(&inner, cost_of(c, c->edge[i], side));
		else
			ret |= num_sub(&rest, cost_of(c, c->edge[i], side));
	}
	/* Where costs were lost, the rest is of nothing that remains. */
	below = rest > inner && of->calls && !is_even(of, side) && !c->propagated ?
	    inner : rest;
	if (ret < 0 || (below > 0 && (divided = divide(c, below, side)) < 0))
		return -1;
	if (!divided)
		memset(part, 0, (PART_EDGES + c->n) * sizeof *part);
	part[PART_SELF] = g->q->callers ? rest : self;
	for (i = 0; i < c->n; i++)
		if (!c->inner[i])
			part[PART_EDGES + i] = cost_of(c, c->edge[i], side);
	return 1;
}

/* At other nodes, everything gets a share.  Returns 0 if there is none, as costs are
 * negative. */
static int
take_shares(struct call_source *c, const struct node_builder *g, const struct tree_node *v,
    size_t side)
{
	const struct call_cycle *of = cycle_of(c, v->at);
	const bool lost = of->members == 1 && of->in[side] > of->need[side];
	num *part = c->part[side], any = 0;
	size_t i, n = 0;

	c->weight[PART_SELF] = !g->q->callers ? self_of(c, v->at, side) :
	    of->head == v->at ? rootness(of, side) : 0;
	c->weight[PART_LOST] = g->q->callers || c->propagated ? 0 :
	    lost ? of->in[side] - of->need[side] : c->above[side];
	for (i = 0; i < c->n; i++)
		c->weight[PART_EDGES + i] = weight_of(c, g, i, side);
	memset(part, 0, (PART_EDGES + c->n) * sizeof *part);
	for (i = 0; i < PART_EDGES + c->n; i++) {
		any |= c->weight[i];
		n += c->weight[i] != 0;
	}
	c->sole[side] = n == 1 && is_complete(c) && (!c->filtered || is_even(of, side));
	if (any && v->cost[side])
		return divide(c, v->cost[side], side);
	part[PART_SELF] = v->cost[side];
	return 1;
}

/* Can the cost come from one place only? */
static bool
is_sole(const struct call_source *c, const struct tree_node *v, size_t side)
{
	const struct call_cycle *of = cycle_of(c, v->at);
	size_t i, n = of->head == v->at && rootness(of, side) != 0;

	for (i = 0; i < c->n; i++)
		n += cost_of(c, c->edge[i], side) != 0;
	return of->members == 1 && n == 1 && (!of->calls || is_even(of, side)) &&
	    is_complete(c);
}

/* Are the costs of these calls measured, or equivalent to that? */
static bool
is_measured(const struct call_source *c, const struct call_cycle *callee, size_t side)
{
	return !c->propagated || (callee->calls == 1 && is_even(callee, side));
}

/* Is the whole cost of a cycle, except the part above, below this call within it?  It is
 * where a cycle is entered by one call, and from there as long as each member calls only
 * one that is not above: none of the others can have been called before. */
static bool
is_only_way(const struct call_source *c, const struct tree_node *v, size_t i, size_t side)
{
	return c->inner[i] && c->ninner == 1 && !c->propagated &&
	    (cycle_of(c, v->at)->calls == 0 || is_even(cycle_of(c, v->at), side));
}

/* Are all calls of a function in this place, because its only caller is here only?  Its
 * callees may have lost costs. */
static bool
is_only_place(const struct call_source *c, const struct call_cycle *of, size_t side)
{
	return of->calls == 1 && of->in[side] >= of->need[side] && is_complete(c);
}

/* May some of a function's cost below others be of a thread that begins with it?  Where it
 * has lost costs, the rest does not show that. */
static bool
may_begin(const struct call_source *c, const struct tree_node *v, size_t side)
{
	return c->filtered && v->parent && c->uneven[side][v->at] && !c->whole[side];
}

/* Returns the properties of a callee's cost on a side of its caller's. */
static unsigned
callee_flags(const struct call_source *c, const struct tree_node *v, size_t i, size_t side)
{
	const struct call_cycle *of = cycle_of(c, to_of(c, c->edge[i]));

	/* If the cost is 0, so is every share. */
	if (!v->cost[side] && !(v->flags & tree_bit(TREE_COST_ESTIMATED | TREE_WHOLE, side)))
		return 0;
	if (!(v->flags & tree_bit(TREE_WHOLE, side)))
		return c->sole[side] ? v->flags & tree_bit(TREE_COST_ESTIMATED, side) :
		    tree_bit(TREE_COST_ESTIMATED, side);
	if (is_only_way(c, v, i, side))
		return tree_bit(TREE_WHOLE, side);
	if (c->inner[i] || !is_measured(c, of, side))
		return tree_bit(TREE_COST_ESTIMATED, side);
	return !is_inner(c, c->edge[i]) && is_only_place(c, of, side) ?
	    tree_bit(TREE_WHOLE, side) : 0;
}

/* Where the cost above is an estimate, or more than the calls have, the costs below are
 * estimates. */
static unsigned
below_estimate(const struct call_source *c, const struct tree_node *v, size_t side)
{
	return may_begin(c, v, side) ? tree_bit(TREE_COST_ESTIMATED, side) :
	    v->flags & tree_bit(TREE_COST_ESTIMATED, side);
}

/* The same for a caller. */
static unsigned
caller_flags(const struct call_source *c, const struct tree_node *v, size_t side)
{
	const bool sure = v->flags & tree_bit(TREE_WHOLE, side) ?
	    is_measured(c, cycle_of(c, v->at), side) :
	    !(v->flags & tree_bit(TREE_COST_ESTIMATED, side)) &&
	    (!v->cost[side] || is_sole(c, v, side));

	return sure ? 0 : tree_bit(TREE_COST_ESTIMATED, side);
}

static void
add_children(struct call_source *c, struct node_builder *g, size_t node)
{
	const struct tree_node v = g->t.v[node];
	unsigned of_callers[SIDES] = { 0 };
	size_t i, side;

	for (side = 0; side < g->t.sides && g->q->callers; side++)
		of_callers[side] = caller_flags(c, &v, side);
	for (i = 0; i < c->n; i++) {
		const uint32_t e = c->edge[i];
		struct tree_node *child;
		num any = 0;

		for (side = 0; side < g->t.sides; side++)
			any |= c->part[side][PART_EDGES + i];
		if (!any)
			continue;
		child = add_node(c, g, node, g->q->callers ? from_of(c, e) : to_of(c, e));
		for (side = 0; side < g->t.sides; side++) {
			child->cost[side] = c->part[side][PART_EDGES + i];
			child->flags |= g->q->callers ? of_callers[side] :
			    callee_flags(c, &v, i, side) | below_estimate(c, &v, side);
		}
	}
}

/* Is a node's self cost, or the cost of no caller, an estimate? */
static bool
guesses_self(const struct call_source *c, const struct node_builder *g,
    const struct tree_node *v, size_t side)
{
	const struct call_cycle *of = cycle_of(c, v->at);

	if (g->q->callers)
		return caller_flags(c, v, side) != 0 && !(of->members == 1 &&
		    is_even(of, side) && of->calls);
	if (!v->cost[side] && !(v->flags & tree_bit(TREE_COST_ESTIMATED, side)))
		return false;
	if (of->members == 1 && !v->self[side] && !self_of(c, v->at, side))
		return false;
	return below_estimate(c, v, side) ||
	    (!(v->flags & tree_bit(TREE_WHOLE, side)) && !c->sole[side]);
}

int
calls_expand(struct call_source *c, struct node_builder *g, size_t node)
{
	struct tree_node *v = &g->t.v[node];
	const uint64_t above = mark_path(c, g, node);
	size_t side;
	int ret;

	if (list_edges(c, g, node) < 0)
		return -1;
	if (!grow_step(g, above + c->n))
		return 0;
	for (side = 0; side < g->t.sides; side++) {
		ret = v->flags & tree_bit(TREE_WHOLE, side) ? take_whole(c, g, v, side) :
		    take_shares(c, g, v, side);
		if (ret <= 0)
			return ret;
	}
	for (side = 0; side < g->t.sides; side++) {
		v->self[side] = c->part[side][PART_SELF];
		if (guesses_self(c, g, v, side))
			v->flags |= tree_bit(TREE_SELF_ESTIMATED, side);
	}
	v->flags |= TREE_SETTLED;
	if (!grow_goes_on(g, node))
		return 0;
	v->flags |= TREE_GROWN;
	add_children(c, g, node);
	return 0;
}
