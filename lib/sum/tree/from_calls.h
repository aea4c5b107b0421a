/* SPDX-License-Identifier: ISC */
/*
 * What grows from a call graph.
 *
 * All that is known of a function is known where it is whole: where it is called from one
 * place only, that is whole itself.  There its self cost and its calls are the measured
 * ones.  Elsewhere its cost in this place is divided among itself and what it calls in
 * proportion of these, which is exact if all of it is in one of them.
 *
 * Calls within a cycle of functions count activations in each other more than once.  What
 * is called is left out where it is above already.  Where a cycle is entered by one call,
 * functions are whole as long as each calls but one other of the cycle; the rest is an
 * estimate.  The first level of a function is called in no other call of it: it is whole as
 * the root of a tree, and the calls from and into it are exact there.
 */
#ifndef PROF_SUM_TREE_FROM_CALLS_H
#define PROF_SUM_TREE_FROM_CALLS_H

#include "sum/tree/call_graph.h"

/* What trees begin with.  0, or -1 if a sum does not fit 128 bits. */
int calls_roots(struct call_source *c, struct grower *g);
/* The children of a node and its self cost, and only that if it is too deep.  The same. */
int calls_expand(struct call_source *c, struct grower *g, size_t node);

#endif
