/* SPDX-License-Identifier: ISC */
/*
 * Which lines, or addresses, are those of the functions that match: a filter that passes
 * everything on and notes the places of costs, calls and frames.
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
	/* Key: file, line, or else object, address, as a ranking by them has them.
	 * Inlined lines are of the file that they come from.  No sums. */
	struct sums lines;
	bool any;		/* does a function match? */
	bool places;		/* has any function a line, or an address? */

	unsigned char *func, *ctx;	/* by number: what is known of it */
	size_t capfunc, capctx;
};

/* The match and the dictionary must outlive it.  addrs: addresses, not lines. */
void lines_of_init(struct lines_of *l, const struct match *match, struct dict *dict,
    bool addrs);
/* Is it one of the functions?  arg: the lines_of. */
bool lines_of_matches(void *arg, uint64_t func);

void lines_of_free(struct lines_of *l);

#endif
