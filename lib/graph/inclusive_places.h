/* SPDX-License-Identifier: ISC */
/*
 * Inclusive cost of rows of places: lines, addresses, files, objects.
 *
 * A frame is at the place of the call that it makes, or where its own cost is.  The
 * inclusive cost of a row is that of all stacks with a frame at one of its places, each
 * counted once.  Functions may have places in several rows, and rows places of several
 * functions, which may call each other: calls from a row are nested if they are made
 * below another call from it.
 *
 * The graph of functions shows which calls may be.  For each row a function is
 *
 *	above	if no call from the row leads to it: nothing in it is nested
 *	below	if all calls into it come from the row or from functions below, and no
 *		thread begins with it: all in it is nested
 *	both	if neither is certain
 *
 * The inclusive cost is a sum over the functions of the row.  A function above adds its
 * self cost and its calls in the row; one below adds nothing.  One that is both adds at
 * least the calls into it, from functions above, that are not in the row, less its costs in
 * other rows; and at most the calls into it from functions that are above or both.  Where
 * both bounds are equal, as they are without functions that are both, the cost is exact.
 * Otherwise these are also lower bounds: the self cost of the row; the cost that the
 * functions of one cycle have in it without the calls within the cycle; and the mean cost
 * of a call.
 *
 * This follows calls down and up again, from row to row, up to PLACES_STEPS in all; for the
 * rows after that only these last three bounds are known.
 */
#ifndef PROF_GRAPH_INCLUSIVE_PLACES_H
#define PROF_GRAPH_INCLUSIVE_PLACES_H

#include "graph/graph.h"

#define PLACES_STEPS ((uint64_t)1 << 26)
#define PLACES_NONE UINT32_MAX

/* The key of the self costs in `places.more`. */
enum { MORE_ROW, MORE_NODE, MORE_KEYS };

struct places {
	const struct sums *rows;	/* self costs */
	const uint32_t *owner;		/* by row: the node that has its costs, except */
	const struct sums *more;	/* those of other nodes */
	const struct sums *edges;	/* as graph.h has them; nodes are functions */
	size_t nnodes;
	const uint32_t *whole;	/* by node: the row that has all its places; NULL: there may
				 * be several rows */
	/* By node: no call into it is made inside an activation of its family, a number
	 * that the levels of recursion of a function share.  NULL: unknown. */
	const bool *first;
	const uint32_t *family;
	bool partial;		/* as in graph_calls */
	bool filtered;		/* some costs may be missing */
	bool once;		/* calls nested in others along the same edge do not count */
	bool averages;		/* as in graph */
	const bool *propagated, *only;
	size_t count;
};

/* Sets incl[row * rows->nval + i] for the sums in `only`, and flags[row]: GRAPH_*.  0, or
 * -1 if a sum does not fit 128 bits. */
int places_inclusive(const struct places *p, num *incl, unsigned char *flags);

#endif
