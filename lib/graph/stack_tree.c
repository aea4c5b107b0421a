/* SPDX-License-Identifier: ISC */
#include "graph/stack_tree.h"

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
	ctx_nodes_free(&t->contexts);
}

void
stack_tree_below(struct stack_tree *t, uint32_t root)
{
	ctx_nodes_clear(&t->contexts, root);
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

struct labels {
	struct stack_tree *tree;
	uint32_t (*label)(void *arg, uint32_t ctx, uint32_t parent);
	void *arg;
};

static uint32_t
add_context(void *arg, uint32_t ctx, uint32_t parent)
{
	const struct labels *l = arg;

	return stack_tree_add(l->tree, parent, l->label(l->arg, ctx, parent));
}

uint32_t
stack_tree_node(struct stack_tree *t, uint32_t ctx,
    uint32_t (*label)(void *arg, uint32_t ctx, uint32_t parent), void *arg)
{
	struct labels l = { t, label, arg };

	return ctx_nodes_get(&t->contexts, t->dict, ctx, add_context, &l);
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
