/* SPDX-License-Identifier: ISC */
/*
 * The lines that have a cost in functions that they were inlined into, as far as a profile
 * shows: a filter that passes all records on and notes costs and calls in another file than
 * their function's, and frames that are inlined.
 */
#ifndef PROF_SUM_INLINED_LINES_H
#define PROF_SUM_INLINED_LINES_H

#include "stream/dict.h"
#include "stream/sums.h"

struct inlined {
	struct sink sink;	/* a pipeline frees no part of it: `free` is NULL */
	struct dict *dict;
	struct sums lines;	/* key: file, line.  No sums */
};

/* The dictionary must outlive it. */
void inlined_init(struct inlined *l, struct dict *dict);
void inlined_free(struct inlined *l);

#endif
