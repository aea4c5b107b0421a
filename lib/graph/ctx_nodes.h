/* SPDX-License-Identifier: ISC */
/*
 * The nodes of contexts in a tree whose nodes stand for several contexts, such as all with
 * the same text.
 */
#ifndef PROF_GRAPH_CTX_NODES_H
#define PROF_GRAPH_CTX_NODES_H

#include "stream/dict.h"

/* Empty if zeroed. */
struct ctx_nodes {
	uint32_t above;		/* NO_ID, or the node above all: set by ctx_nodes_clear() */
	uint32_t round;		/* how often it was set */
	struct ctx_node { uint32_t round, node; } *of;	/* by context */
	size_t cap;
	uint32_t *path;		/* contexts on the way down */
	size_t cappath;
};

/* Removes all; those of contexts without a caller come below a node from now on. */
void ctx_nodes_clear(struct ctx_nodes *n, uint32_t above);
void ctx_nodes_free(struct ctx_nodes *n);

/* Returns the node of a context; add() returns that of a context below the node of its
 * caller, and is called once for each context. */
uint32_t ctx_nodes_get(struct ctx_nodes *n, const struct dict *d, uint32_t ctx,
    uint32_t (*add)(void *arg, uint32_t ctx, uint32_t parent), void *arg);

/* Had this context no node, not even before ctx_nodes_clear()? */
static inline bool
ctx_nodes_is_new(const struct ctx_nodes *n, uint32_t ctx)
{
	return ctx >= n->cap || !n->of[ctx].round;
}

#endif
