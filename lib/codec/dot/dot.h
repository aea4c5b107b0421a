/* SPDX-License-Identifier: ISC */
/*
 * The call graph, drawn by Graphviz.  Its numbers are those of prof-top, as both read
 * them from a ranking by function.  Each of these calls only those after it:
 *
 *	dot.c			the codec: records go to a ranking
 *	write.c			the graph as text: its label, and
 *	nodes.c, edges.c	its nodes and edges
 *	attributes.c		their looks
 *	choose.c		the functions and edges that are drawn
 *	text.c			quoting, so that Graphviz shows texts unchanged
 */
#ifndef PROF_CODEC_DOT_DOT_H
#define PROF_CODEC_DOT_DOT_H

#include "stream/loss.h"
#include "util/threshold.h"
#include "view/heading_text.h"

/* Limits of the drawing, set by options. */
struct dot_limits {
	uint64_t nodes;			/* functions at most; 0: any number */
	struct threshold node, edge;	/* the least share of each */
};

/* ---- choose.c ---- */

/* The drawn part of a table.  Numbers of rows and edges are those of its ranking. */
struct drawing {
	const struct table *t;		/* its first metric is drawn, if it has any */
	struct dot_limits limits;
	num base;			/* the base of shares */
	size_t *node, nnodes;		/* rows, the heaviest first */
	size_t *number;			/* by row: the index in `node` + 1; 0: left out */
	size_t *edge, nedges;		/* the heaviest first */
	uint32_t *cycle;		/* by row: the cycle, which may be the row alone, */
	uint32_t *members;		/* and by cycle its number of rows */
	/* Left out: below the least share, or above the number of functions; edges of
	 * functions that are left out. */
	size_t small_nodes, further_nodes, small_edges, loose_edges;
};

/*
 * Draws the functions with the largest inclusive costs, and, with a quarter of the room,
 * those with the largest self costs.  If there is room, it adds the callers that connect
 * them with drawn functions.  Edges are those between these functions; the edge that
 * connects a function is always drawn.
 *
 * Shares are relative to the total; in a difference, and if costs add up to 0, to the
 * largest cost.
 */
struct drawing drawing_make(const struct table *t, const struct dot_limits *limits);
void drawing_free(struct drawing *d);

/* Return the numbers of a row or an edge; absent if there are none. */
struct value drawing_self(const struct drawing *d, size_t row);
struct value drawing_incl(const struct drawing *d, size_t row);
struct value drawing_cost(const struct drawing *d, size_t edge);

/* Return the weight by which rows and edges are chosen: the larger of both costs. */
num drawing_weight(const struct drawing *d, size_t row);
num drawing_edge_weight(const struct drawing *d, size_t edge);

/* ---- write.c ---- */

/* Writes the graph; the caller checks the output. */
void dot_write(const struct drawing *d, struct output *out, struct loss *loss);

/* ---- text.c ---- */

/* Adds the lines of t as a quoted string, in which nothing is an escape or an entity:
 * centred, each ended at the left, or as a tooltip, which Graphviz unescapes twice. */
enum dot_text { DOT_CENTERED, DOT_LEFT, DOT_TOOLTIP };
void dot_quote(struct buf *b, struct text t, enum dot_text as);

/* Characters of a name in a tooltip; a longer one is truncated. */
#define DOT_LONGEST 2048

/* Adds a name on one line of at most `width` characters: false if some were left out. */
bool dot_add_name(struct buf *b, struct text name, size_t width);

/* Adds text on a few lines of about `width` characters; the middle of a longer text is left
 * out. */
void dot_add_lines(struct buf *b, struct text t, size_t width);

#endif
