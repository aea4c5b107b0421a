/* SPDX-License-Identifier: ISC */
#include "graph/ctx_nodes.h"

#include <stdlib.h>

#include "util/mem.h"

void
ctx_nodes_clear(struct ctx_nodes *n, uint32_t above)
{
	n->above = above;
	n->round++;
}

void
ctx_nodes_free(struct ctx_nodes *n)
{
	free(n->of);
	free(n->path);
}

static inline bool
is_known(const struct ctx_nodes *n, uint32_t ctx)
{
	return ctx < n->cap && n->of[ctx].round == n->round;
}

/* Goes up to the first context that has a node, and back down. */
uint32_t
ctx_nodes_get(struct ctx_nodes *n, const struct dict *d, uint32_t ctx,
    uint32_t (*add)(void *arg, uint32_t ctx, uint32_t parent), void *arg)
{
	uint32_t node;
	size_t i = 0;

	for (; ctx != NO_ID && !is_known(n, ctx); ctx = dict_caller(d, ctx)) {
		n->path = mem_grow(n->path, &n->cappath, i + 1, sizeof *n->path);
		n->path[i++] = ctx;
	}
	node = ctx == NO_ID ? n->above : n->of[ctx].node;
	while (i-- > 0) {
		ctx = n->path[i];
		node = add(arg, ctx, node);
		n->of = mem_reach(n->of, &n->cap, ctx, sizeof *n->of, 0);
		n->of[ctx] = (struct ctx_node){ n->round, node };
	}
	return node;
}
