/* SPDX-License-Identifier: ISC */
/*
 * The call graph, drawn by Graphviz.  Its numbers are those of prof-top, as both read
 * them from a ranking by function.  Each of these calls only those after it:
 *
 *	dot.c			the codec: records go to a ranking, what it lacks is lost
 *	write.c			the graph as text: its label, and
 *	nodes.c, edges.c	what it consists of
 *	attributes.c		how they look
 *	choose.c		which functions and edges are drawn
 *	text.c			texts that Graphviz takes as they are
 */
#ifndef PROF_CODEC_DOT_DOT_H
#define PROF_CODEC_DOT_DOT_H

#include "stream/loss.h"
#include "util/threshold.h"
#include "view/heading_text.h"

/* How much is drawn; the options set it. */
struct dot_limits {
	uint64_t nodes;			/* functions at most; 0: any number */
	struct threshold node, edge;	/* the least share of each */
};

/* ---- choose.c ---- */

/* What is drawn of a table.  Numbers of rows and edges are those of its ranking. */
struct drawing {
	const struct table *t;		/* its first metric, if it has any */
	struct dot_limits limits;
	num base;			/* what shares are of */
	size_t *node, nnodes;		/* rows, the heaviest first */
	size_t *number;			/* by row: the index in `node` + 1; 0: left out */
	size_t *edge, nedges;		/* the heaviest first */
	uint32_t *cycle;		/* by row: the cycle, which may be the row alone, */
	uint32_t *members;		/* and by cycle how many it has */
	/* Left out: below the least share, or for the number of functions; edges of
	 * functions that are left out. */
	size_t small_nodes, further_nodes, small_edges, loose_edges;
};

/*
 * Draws the functions of the largest inclusive costs, and those of the largest self costs,
 * a quarter of what may be drawn, with the callers that connect them with what is drawn
 * already, where there is room for those.  Edges are between these; that which connects a
 * function is there, however small.
 *
 * Shares are of the total, but those of a difference, and of costs that add up to
 * nothing, of the largest that there is.
 */
struct drawing drawing_make(const struct table *t, const struct dot_limits *limits);
void drawing_free(struct drawing *d);

/* The numbers of a row or an edge; absent if there are none. */
struct value drawing_self(const struct drawing *d, size_t row);
struct value drawing_incl(const struct drawing *d, size_t row);
struct value drawing_cost(const struct drawing *d, size_t edge);

/* By what rows and edges are chosen: the size of the larger of both costs. */
num drawing_weight(const struct drawing *d, size_t row);
num drawing_edge_weight(const struct drawing *d, size_t edge);

/* ---- write.c ---- */

/* Writes the graph; the caller checks the output. */
void dot_write(const struct drawing *d, struct output *out, struct loss *loss);

/* ---- text.c ---- */

/* The lines of t as a quoted string, in which nothing is an escape or an entity: centered,
 * each ended at the left, or as a tooltip, which Graphviz unescapes twice. */
enum dot_text { DOT_CENTERED, DOT_LEFT, DOT_TOOLTIP };
void dot_quote(struct buf *b, struct text t, enum dot_text as);

/* Characters of a name in a tooltip; a longer one is cut. */
#define DOT_LONGEST 2048

/* A name on one line of at most so many characters: false if some were left out. */
bool dot_add_name(struct buf *b, struct text name, size_t width);

/* Text on a few lines of about `width` characters, the middle left out of what needs
 * more. */
void dot_add_lines(struct buf *b, struct text t, size_t width);

#endif
