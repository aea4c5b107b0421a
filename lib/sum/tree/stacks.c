/* SPDX-License-Identifier: ISC */
#include "sum/tree/stacks.h"

#include <stdlib.h>

#include "util/mem.h"

void
stacks_init(struct stacks *s, struct dict *dict, int root)
{
	*s = (struct stacks){ .dict = dict, .root.label = root };
	stack_tree_init(&s->tree, dict);
	stack_tree_add(&s->tree, NO_ID, NO_ID);
	stack_tree_below(&s->tree, 0);
}

void
stacks_free(struct stacks *s)
{
	stack_tree_free(&s->tree);
	thread_frame_free(&s->root);
	free(s->cost);
}

void
stacks_widen(struct stacks *s, size_t sides)
{
	sums_widen(&s->tree.nodes, sides);
}

void
stacks_part(struct stacks *s, const struct part *p)
{
	thread_frame_part(&s->root, p);
	stack_tree_below(&s->tree, 0);
}

static uint32_t
function_of(void *arg, uint32_t id, uint32_t parent)
{
	struct stacks *s = arg;
	const uint32_t *ctx = dict_frame(s->dict, id);
	bool fresh;

	(void)parent;
	if (s->see && stack_tree_is_new(&s->tree, id))
		s->see(s->arg, ctx);
	return dict_func_bare(s->dict, ctx[CTX_FUNC], &fresh);
}

uint32_t
stacks_node(struct stacks *s, const struct record *sample)
{
	const uint64_t ctx = sample->col[0].n;
	const struct buf *thread = &s->root.name;

	if (thread_frame_see(&s->root, sample->attrs))
		stack_tree_below(&s->tree, !thread->n ? 0 : stack_tree_add_thread(&s->tree, 0,
		    dict_str(s->dict, buf_as_text(thread))));
	return ctx == NO_ID ? s->tree.contexts.above :
	    stack_tree_node(&s->tree, (uint32_t)ctx, function_of, s);
}

int
stacks_finish(struct stacks *s)
{
	const size_t sides = stacks_sides(s);
	size_t node;

	s->cost = mem_alloc(stacks_size(s) * sides, sizeof *s->cost);
	for (node = 0; node < stacks_size(s); node++)
		memcpy(s->cost + node * sides, stacks_self(s, node), sides * sizeof *s->cost);
	return stack_tree_sum(&s->tree, s->cost, sides);
}

struct text
stacks_name(const struct stacks *s, size_t node)
{
	return stacks_is_thread(s, node) ? dict_text(s->dict,
	    stack_tree_label(&s->tree, node)) : dict_func_name(s->dict, stacks_func(s, node));
}
