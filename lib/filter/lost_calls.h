/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop calls: adds metadata `calls` to each part about what the remaining
 * calls no longer show.  Only the end of a part shows whether a dropped call matters, so
 * the pairs of functions that call each other are kept until then.
 *
 * `partial`: the remaining calls do not show which of them are nested in each other.  A
 * call was within a cycle and now is in none; or a function calls itself, and some of its
 * other cost was dropped.
 *
 * `callers`: some calls into a function were dropped and others not, and some of its cost
 * remains, for which the caller is now unknown.
 */
#ifndef PROF_FILTER_LOST_CALLS_H
#define PROF_FILTER_LOST_CALLS_H

#include "stream/dict.h"
#include "stream/sums.h"

struct lost_calls {
	struct dict *dict;
	/* The last calls, which are mostly forgotten again, as no call of the part remains;
	 * each pair of earlier ones once. */
	struct lost_call {
		uint64_t key[2];	/* caller, callee */
		bool kept;
	} *recent;
	size_t nrecent, caprecent;
	struct sums kept, dropped;
	unsigned char *costs;	/* by function + 1: were costs kept, were some dropped? */
	size_t capcosts;
	bool left, lost;	/* some call was kept; something was dropped */
};

void lost_calls_init(struct lost_calls *l, struct dict *dict);
void lost_calls_free(struct lost_calls *l);

/* Note a call, or a cost of a function, that is kept or dropped. */
void lost_calls_see(struct lost_calls *l, uint64_t from, uint64_t to, bool kept);
void lost_calls_cost(struct lost_calls *l, uint64_t func, bool kept);

/* Ends the part: puts its metadata and forgets it.  0, or -1 if the sink fails. */
int lost_calls_put(struct lost_calls *l, struct sink *next);

#endif
