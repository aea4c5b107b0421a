/* SPDX-License-Identifier: ISC */
/*
 * Declarations that the files of filter_flatten() share:
 *
 *	flatten.c	headers and records in
 *	flatten_put.c	the result of a part
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
	const char *keep;	/* NULL, or samples stay in parts of this creator, */
	bool kept;		/* which the current part has */
	struct dict *dict;
	struct diag *diag;
	struct loss *loss;
	struct part part;
	struct late_records header;	/* its records, from the first event on */
	size_t nval;		/* measured events */
	uint64_t nvalues;	/* number of values read */
	struct cct cct;
	struct sums self;	/* of points without context, by function */

	/* While the tree is walked: */
	struct sums costs;	/* keys: function, file, line, address */
	struct sums calls;	/* and by callee: the count, then costs */
	struct sums steps;	/* function and callee: how often they occur on the path */
	struct flatten_path { uint32_t ctx, call, step; } *path;	/* from the root */
	size_t cappath;
	uint32_t *cost_at, *call_at;	/* a context at the row's place */
	size_t capcost_at, capcall_at;
	bool *counted;		/* of calls: do they have a count? */
	size_t capcounted;
	struct buf values;
};

/* Sets the error of a sum: -1. */
static inline int
flatten_overflow(struct flattener *s)
{
	return diag_too_large(s->diag, "a sum");
}

/* ---- flatten_put.c: 0, or -1 with the diag set ---- */

/* Puts the costs of functions, from points without context. */
int flatten_put_funcs(struct flattener *s);
/* Puts the tree of contexts as samples. */
int flatten_put_samples(struct flattener *s);
/* Puts it as costs and, if wanted, calls. */
int flatten_put_graph(struct flattener *s);

#endif
