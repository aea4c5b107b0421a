/* SPDX-License-Identifier: ISC */
/*
 * The growth of a tree from a call graph.
 *
 * A function's numbers hold where it is whole: at its only call, if the caller is whole
 * there.  There its self cost and its calls are the measured ones.  Elsewhere its cost is
 * divided among itself and its callees in proportion to theirs, which is exact if one of
 * them has all of it.
 *
 * Calls within a cycle of functions count nested activations more than once.  A callee that
 * is already above is left out.  Where a cycle is entered by one call, functions are whole
 * as long as each calls only one other of the cycle; the rest is an estimate.  No call of a
 * function's first level is nested in another call of it: it is whole as the root of a
 * tree, and the calls from and into it are exact there.
 */
#ifndef PROF_SUM_TREE_FROM_CALLS_H
#define PROF_SUM_TREE_FROM_CALLS_H

#include "sum/tree/call_graph.h"

/* Adds the roots of trees.  0, or -1 if a sum does not fit 128 bits. */
int calls_roots(struct call_source *c, struct node_builder *g);
/* Adds the children of a node and its self cost; only the latter if it is too deep.  0 or
 * -1. */
int calls_expand(struct call_source *c, struct node_builder *g, size_t node);

#endif
