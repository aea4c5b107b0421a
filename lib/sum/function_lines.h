/* SPDX-License-Identifier: ISC */
/*
 * The lines, or addresses, of the functions that match: a filter that passes all records on
 * and notes the places of costs, calls and frames.
 */
#ifndef PROF_SUM_FUNCTION_LINES_H
#define PROF_SUM_FUNCTION_LINES_H

#include "stream/dict.h"
#include "stream/sums.h"
#include "util/match.h"

struct lines_of {
	struct sink sink;	/* a pipeline frees no part of it: `free` is NULL */
	const struct match *match;
	struct dict *dict;
	bool addrs;
	/* Key: file, line, or object, address, as in a ranking by them.  An inlined line
	 * belongs to the file that it comes from.  No sums. */
	struct sums lines;
	bool any;		/* does a function match? */
	bool places;		/* has any function a line, or an address? */

	unsigned char *func, *ctx;	/* by number: its state */
	size_t capfunc, capctx;
};

/* The match and the dictionary must outlive it.  addrs: addresses, not lines. */
void lines_of_init(struct lines_of *l, const struct match *match, struct dict *dict,
    bool addrs);
/* Does this function match? arg: the lines_of. */
bool lines_of_matches(void *arg, uint64_t func);

void lines_of_free(struct lines_of *l);

#endif
