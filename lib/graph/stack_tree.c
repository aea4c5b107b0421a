/* SPDX-License-Identifier: ISC */
#include "graph/stack_tree.h"

#include <stdlib.h>

#include "util/mem.h"

void
stack_tree_init(struct stack_tree *t, const struct dict *dict)
{
	*t = (struct stack_tree){ .dict = dict };
	sums_init(&t->nodes, NODE_KEYS, 1);
	stack_tree_below(t, NO_ID);
}

void
stack_tree_free(struct stack_tree *t)
{
	sums_free(&t->nodes);
	free(t->of_ctx);
	free(t->path);
}

void
stack_tree_below(struct stack_tree *t, uint32_t root)
{
	t->root = root;
	t->round++;
}

static uint32_t
add(struct stack_tree *t, uint32_t parent, enum stack_kind kind, uint32_t label)
{
	const uint64_t key[NODE_KEYS] = { parent, (uint64_t)kind << 32 | label };

	return (uint32_t)sums_row(&t->nodes, key);
}

uint32_t
stack_tree_add(struct stack_tree *t, uint32_t parent, uint32_t label)
{
	return add(t, parent, STACK_FRAME, label);
}

uint32_t
stack_tree_add_thread(struct stack_tree *t, uint32_t parent, uint32_t name)
{
	return add(t, parent, STACK_THREAD, name);
}

static bool
is_known(const struct stack_tree *t, uint32_t ctx)
{
	return ctx < t->capof_ctx && t->of_ctx[ctx].round == t->round;
}

/* Goes up to the first context that has a node, and back down. */
uint32_t
stack_tree_node(struct stack_tree *t, uint32_t ctx,
    uint32_t (*label)(void *arg, uint32_t ctx, uint32_t parent), void *arg)
{
	uint32_t node;
	size_t n = 0;

	for (; ctx != NO_ID && !is_known(t, ctx);
	    ctx = dict_caller(t->dict, ctx)) {
		t->path = mem_grow(t->path, &t->cappath, n + 1, sizeof *t->path);
		t->path[n++] = ctx;
	}
	node = ctx == NO_ID ? t->root : t->of_ctx[ctx].node;
	while (n-- > 0) {
		ctx = t->path[n];
		node = stack_tree_add(t, node, label(arg, ctx, node));
		t->of_ctx = mem_reach(t->of_ctx, &t->capof_ctx, ctx, sizeof *t->of_ctx, 0);
		t->of_ctx[ctx] = (struct stack_node){ t->round, node };
	}
	return node;
}

int
stack_tree_sum(const struct stack_tree *t, num *sum, size_t n)
{
	size_t node, i;

	for (node = t->nodes.n; node-- > 0; ) {
		const uint32_t parent = stack_tree_parent(t, node);

		for (i = 0; i < n && parent != NO_ID; i++)
			if (num_add(&sum[parent * n + i], sum[node * n + i]) < 0)
				return -1;
	}
	return 0;
}
