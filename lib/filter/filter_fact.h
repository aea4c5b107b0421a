/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop or change records: the facts that record this in each part.
 * `filter` comes after the part's own facts, at the end of its header; `calls` comes
 * with the first call that is dropped, which may have closed a cycle.
 */
#ifndef PROF_FILTER_FILTER_FACT_H
#define PROF_FILTER_FILTER_FACT_H

#include "stream/record.h"

struct filter_fact {
	const struct sink *stage;	/* the filter: facts go into the next one */
	const char *text;	/* the value of `filter`; NULL: none */
	bool due;		/* initially 0: in a header */
	bool partial;		/* initially 0: `calls` was put */
};

/* filter_fact_see() for a kind that may begin or end a header. */
int filter_fact_due(struct filter_fact *fact, enum rec_kind kind);

/* A call of the current part is dropped.  0, or -1 if the sink fails. */
int filter_fact_drop_call(struct filter_fact *fact);

/* Call it for each record, before putting anything for it.  0, or -1 if the sink
 * fails. */
static inline int
filter_fact_see(struct filter_fact *fact, const struct record *r)
{
	return fact->due || rec_kind(r) == REC_PART ? filter_fact_due(fact, rec_kind(r)) : 0;
}

#endif
