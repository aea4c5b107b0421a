/* SPDX-License-Identifier: ISC */
/*
 * The edges of a graph, indexed by one of their ends.  Edges are rows of a table; nodes
 * are numbers in its keys.
 */
#ifndef PROF_GRAPH_ADJACENCY_H
#define PROF_GRAPH_ADJACENCY_H

#include "stream/sums.h"

struct adjacency {
	/* For each node edge[first[node] .. first[node + 1]): rows of the table, in
	 * their order. */
	uint32_t *first, *edge;
};

/* Indexes the edges by the node in a column of the key; there are `nodes` nodes. has(arg,
 * row): is this row an edge?  NULL: all are.  The caller frees the result with
 * adjacency_free(). */
struct adjacency adjacency_make(const struct sums *edges, size_t column, size_t nodes,
    bool (*has)(const void *arg, size_t row), const void *arg);
void adjacency_free(struct adjacency *a);

#endif
