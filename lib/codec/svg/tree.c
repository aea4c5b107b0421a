/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <stdlib.h>

#include "util/mem.h"

static uint32_t
find_node(struct tree *t, uint32_t parent, enum node_kind kind, uint64_t id)
{
	const uint64_t key[NODE_KEYS] = { parent, kind, id };

	return (uint32_t)sums_row(&t->nodes, key);
}

void
tree_init(struct tree *t, struct dict *dict, struct loss *loss)
{
	*t = (struct tree){ .dict = dict, .loss = loss };
	sums_init(&t->nodes, NODE_KEYS, 1);
	sums_init(&t->places, 2, 0);
	find_node(t, NO_ID, NODE_WHOLE, 0);
}

void
tree_free(struct tree *t)
{
	sums_free(&t->nodes);
	sums_free(&t->places);
	free(t->place);
	free(t->stack);
	free(t->incl);
	free(t->width);
}

uint32_t
tree_thread(struct tree *t, struct text name)
{
	return name.n ? find_node(t, 0, NODE_THREAD, dict_str(t->dict, name)) : 0;
}

/* Finds the place of a context; if that is new, its node is to be set. */
static bool
find_place(struct tree *t, uint32_t thread, uint64_t ctx, size_t *row)
{
	const uint64_t key[] = { thread, ctx };
	const size_t n = t->places.n;

	*row = sums_row(&t->places, key);
	t->place = mem_reach(t->place, &t->capplace, *row, sizeof *t->place, 0);
	return t->places.n == n;
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

uint32_t
tree_node(struct tree *t, uint32_t thread, uint64_t ctx)
{
	uint32_t node = thread;
	size_t row, n = 0;
	bool fresh;

	for (; ctx != NO_ID; ctx = dict_def(t->dict, REC_CTX, (uint32_t)ctx)[CTX_PARENT]) {
		if (find_place(t, thread, ctx, &row)) {
			node = t->place[row];
			break;
		}
		t->stack = mem_grow(t->stack, &t->capstack, n + 1, sizeof *t->stack);
		t->stack[n++] = (uint32_t)row;
	}
	while (n) {
		const uint32_t at = t->stack[--n];
		const uint32_t *c = dict_def(t->dict, REC_CTX,
		    (uint32_t)sums_key(&t->places, at)[1]);

		node = find_node(t, node, NODE_FUNC,
		    dict_func_bare(t->dict, c[CTX_FUNC], &fresh));
		t->place[at] = node;
		lose(t, c);
	}
	return node;
}

static num
self_width(struct tree *t, size_t node)
{
	const num *self = sums_val(&t->nodes, node);
	num most = self[0];
	size_t side;

	for (side = 1; side < t->nodes.nval; side++)
		most = self[side] > most ? self[side] : most;
	t->negative += most < 0;
	return most < 0 ? 0 : most;
}

int
tree_finish(struct tree *t)
{
	const size_t n = t->nodes.n, nval = t->nodes.nval;
	size_t node, side;

	t->incl = mem_alloc(n * nval, sizeof *t->incl);
	t->width = mem_alloc(n, sizeof *t->width);
	for (node = 0; node < n; node++) {
		memcpy(t->incl + node * nval, sums_val(&t->nodes, node),
		    nval * sizeof *t->incl);
		t->width[node] = self_width(t, node);
	}
	for (node = n; --node > 0; ) {
		const size_t parent = (size_t)tree_key(t, node)[NODE_PARENT];

		for (side = 0; side < nval; side++)
			if (num_add(&t->incl[parent * nval + side],
			    t->incl[node * nval + side]) < 0)
				return -1;
		if (num_add(&t->width[parent], t->width[node]) < 0)
			return -1;
	}
	return 0;
}

const uint32_t *
tree_func(const struct tree *t, size_t node)
{
	const uint64_t *key = tree_key(t, node);

	return dict_def(t->dict, REC_FUNC,
	    key[NODE_KIND] == NODE_FUNC ? (uint32_t)key[NODE_ID] : NO_ID);
}

struct text
tree_name(const struct tree *t, size_t node)
{
	const uint64_t *key = tree_key(t, node);

	switch ((enum node_kind)key[NODE_KIND]) {
	case NODE_WHOLE:
		return TEXT("all");
	case NODE_THREAD:
		return dict_text(t->dict, (uint32_t)key[NODE_ID]);
	default:
		return dict_func_name(t->dict, (uint32_t)key[NODE_ID]);
	}
}
