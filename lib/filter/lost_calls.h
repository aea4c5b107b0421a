/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop calls: what the calls that are left do not tell any more, as facts
 * `calls` of each part.  Whether a dropped call matters is known when the part is over: the
 * pairs of functions that call each other are kept until then.
 *
 * `partial`: which of the calls left are nested in each other cannot be seen from them.  A
 * call was within a cycle and now is in none; or a function calls itself, and something else
 * that it did is gone.
 *
 * `callers`: some calls into a function were dropped and others not, and something that it
 * did is left, of which is unknown now for which of the callers that was.
 */
#ifndef PROF_FILTER_LOST_CALLS_H
#define PROF_FILTER_LOST_CALLS_H

#include "stream/dict.h"
#include "stream/sums.h"

struct lost_calls {
	struct dict *dict;
	struct sums kept, dropped;	/* caller, callee: each pair once */
	unsigned char *costs;	/* by function + 1: are costs kept, are some dropped? */
	size_t capcosts;
	bool lost;		/* something was dropped */
};

void lost_calls_init(struct lost_calls *l, struct dict *dict);
void lost_calls_free(struct lost_calls *l);

/* A call, or a cost of a function, is kept or dropped. */
void lost_calls_see(struct lost_calls *l, uint64_t from, uint64_t to, bool kept);
void lost_calls_cost(struct lost_calls *l, uint64_t func, bool kept);

/* The part is over: puts its facts and forgets it.  0, or -1 if the sink fails. */
int lost_calls_put(struct lost_calls *l, struct sink *next);

#endif
