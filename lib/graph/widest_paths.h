/* SPDX-License-Identifier: ISC */
/*
 * Widest paths: for each node of a graph, the path from a root whose narrowest edge is the
 * widest.
 */
#ifndef PROF_GRAPH_WIDEST_PATHS_H
#define PROF_GRAPH_WIDEST_PATHS_H

#include "stream/sums.h"

struct widest_graph {
	const struct sums *edges;
	size_t from, to;	/* columns of their key: nodes */
	size_t nodes;
	size_t nval;		/* the width of an edge is the sum of the last nval of its
				 * sums */
	const num *root;	/* by node, nval each: its width as a root, 0: it is none */
};

#define WIDEST_ROOT UINT32_MAX

/* Sets up[node] to the node before it on its widest path; WIDEST_ROOT for a root, and for
 * nodes that no root reaches.  If paths are equally wide, takes the one through the first
 * node.  No width may be negative.  0, or -1 if 128 bits do not suffice. */
int widest_paths(const struct widest_graph *g, uint32_t *up);

#endif
