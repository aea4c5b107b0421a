/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <stdlib.h>

#include "util/mem.h"

#define THREAD 0x80000000u	/* in the label of a thread: the rest is its name */

void
tree_init(struct tree *t, struct dict *dict, struct loss *loss)
{
	*t = (struct tree){ .dict = dict, .loss = loss };
	stack_tree_init(&t->stacks, dict);
	stack_tree_below(&t->stacks, stack_tree_add(&t->stacks, NO_ID, NO_ID));
}

void
tree_free(struct tree *t)
{
	stack_tree_free(&t->stacks);
	free(t->seen);
	free(t->incl);
	free(t->width);
}

void
tree_below(struct tree *t, struct text name)
{
	stack_tree_below(&t->stacks, !name.n ? 0 :
	    stack_tree_add(&t->stacks, 0, THREAD | dict_str(t->dict, name)));
}

/* Frames are functions. */
static void
lose(struct tree *t, const uint32_t *ctx)
{
	const uint32_t *f = dict_def(t->dict, REC_FUNC, ctx[CTX_FUNC]);

	if (ctx[CTX_FILE] != NO_ID || ctx[CTX_LINE] != NO_ID || ctx[CTX_ADDR] != NO_ID)
		loss_add(t->loss, "places of frames");
	if (ctx[CTX_ATTRS] != NO_ID)
		loss_add(t->loss, "attributes of frames");
	if (f[FUNC_FILE] != NO_ID || f[FUNC_KEY] != NO_ID || f[FUNC_ATTRS] != NO_ID)
		loss_add(t->loss, "files, keys and attributes of functions");
}

static uint32_t
function_of(void *arg, uint32_t ctx, uint32_t parent)
{
	struct tree *t = arg;
	const uint32_t *c = dict_def(t->dict, REC_CTX, ctx);
	bool fresh;

	(void)parent;
	t->seen = mem_reach(t->seen, &t->capseen, ctx, 1, 0);
	if (!t->seen[ctx])
		lose(t, c);
	t->seen[ctx] = 1;
	return dict_func_bare(t->dict, c[CTX_FUNC], &fresh);
}

num *
tree_self(struct tree *t, uint64_t ctx)
{
	return sums_val(&t->stacks.nodes, ctx == NO_ID ? t->stacks.root :
	    stack_tree_node(&t->stacks, (uint32_t)ctx, function_of, t));
}

static num
self_width(struct tree *t, size_t node)
{
	const num *self = sums_val(&t->stacks.nodes, node);
	num most = self[0];
	size_t side;

	for (side = 1; side < t->stacks.nodes.nval; side++)
		most = self[side] > most ? self[side] : most;
	t->negative += most < 0;
	return most < 0 ? 0 : most;
}

/* Does the change of each node fit 128 bits?  From then on it is just subtracted. */
static bool
changes_fit(const struct tree *t)
{
	const size_t nval = t->stacks.nodes.nval;
	size_t node;
	num change;

	for (node = 0; node < t->stacks.nodes.n && nval > 1; node++) {
		change = t->incl[node * nval + SIDE_NEW];
		if (num_sub(&change, t->incl[node * nval + SIDE_OLD]) < 0)
			return false;
	}
	return true;
}

int
tree_finish(struct tree *t)
{
	const size_t n = t->stacks.nodes.n, nval = t->stacks.nodes.nval;
	size_t node, side;

	t->incl = mem_alloc(n * nval, sizeof *t->incl);
	t->width = mem_alloc(n, sizeof *t->width);
	for (node = 0; node < n; node++) {
		memcpy(t->incl + node * nval, sums_val(&t->stacks.nodes, node),
		    nval * sizeof *t->incl);
		t->width[node] = self_width(t, node);
	}
	for (node = n; --node > 0; ) {
		const size_t parent = stack_tree_parent(&t->stacks, node);

		for (side = 0; side < nval; side++)
			if (num_add(&t->incl[parent * nval + side],
			    t->incl[node * nval + side]) < 0)
				return -1;
		if (num_add(&t->width[parent], t->width[node]) < 0)
			return -1;
	}
	return changes_fit(t) ? 0 : -1;
}

enum tree_kind
tree_kind(const struct tree *t, size_t node)
{
	if (node == 0)
		return TREE_WHOLE;
	return stack_tree_parent(&t->stacks, node) == 0 && stack_tree_label(&t->stacks,
	    node) != NO_ID && stack_tree_label(&t->stacks, node) & THREAD ? TREE_THREAD :
	    TREE_FUNC;
}

const uint32_t *
tree_func(const struct tree *t, size_t node)
{
	return dict_def(t->dict, REC_FUNC, tree_kind(t, node) != TREE_FUNC ? NO_ID :
	    stack_tree_label(&t->stacks, node));
}

struct text
tree_name(const struct tree *t, size_t node)
{
	const uint32_t label = stack_tree_label(&t->stacks, node);

	switch (tree_kind(t, node)) {
	case TREE_WHOLE:
		return TEXT("all");
	case TREE_THREAD:
		return dict_text(t->dict, label & ~THREAD);
	default:
		return dict_func_name(t->dict, label);
	}
}
