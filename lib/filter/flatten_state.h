/* SPDX-License-Identifier: ISC */
/*
 * What the parts of filter_flatten() share:
 *
 *	flatten.c	headers and records in
 *	flatten_put.c	what comes of a part
 */
#ifndef PROF_FILTER_FLATTEN_STATE_H
#define PROF_FILTER_FLATTEN_STATE_H

#include "filter/filter.h"
#include "graph/cct.h"
#include "stream/part.h"
#include "stream/sums.h"

struct flattener {
	struct sink sink;
	enum flatten as;
	const char *keep;	/* NULL, or of this creator's parts samples stay, */
	bool kept;		/* as in the part at hand */
	struct dict *dict;
	struct diag *diag;
	struct loss *loss;
	struct part part;
	struct late header;	/* its records, from the first event on */
	size_t nval;		/* measured events */
	uint64_t nvalues;	/* read of them */
	struct cct cct;
	struct sums self;	/* of points without context, by function */

	/* While the tree is walked. */
	struct sums costs;	/* by function, file, line, address */
	struct sums calls;	/* and by callee: the count, then costs */
	struct sums steps;	/* function and callee: how often they are on */
	uint32_t *node_step;	/* the path from the root */
	size_t capnode_step;
	uint32_t *cost_at, *call_at;	/* a context at the place */
	size_t capcost_at, capcall_at;
	bool *counted;		/* of calls */
	size_t capcounted;
	struct buf values;
};

/* The error of a sum: -1. */
static inline int
flatten_overflow(struct flattener *s)
{
	return diag_fail(s->diag, "a sum does not fit 128 bits");
}

/* ---- flatten_put.c: 0, or -1 with the diag set ---- */

/* Costs of functions, of points without context. */
int flatten_put_funcs(struct flattener *s);
/* The tree of contexts as samples. */
int flatten_put_samples(struct flattener *s);
/* The same as costs and, if wanted, calls. */
int flatten_put_graph(struct flattener *s);

#endif
