/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop or change records: the facts that say so of each part.
 * `filter` comes after the facts that the part has, at the end of its header;
 * `calls` with the first call that is dropped, as it may have closed a cycle.
 */
#ifndef PROF_FILTER_FILTER_FACT_H
#define PROF_FILTER_FILTER_FACT_H

#include "stream/record.h"

struct filter_fact {
	const struct sink *stage;	/* the filter: facts go into the next one */
	const char *text;	/* what the fact says; NULL: there is none */
	bool due;		/* 0 at first: in a header */
	bool partial;		/* 0 at first: `calls` says so */
};

/* As filter_fact_see(), of a kind that may begin or end a header. */
int filter_fact_due(struct filter_fact *fact, enum rec_kind kind);

/* A call is dropped, of the part that was seen last.  0, or -1 where the sink
 * fails. */
int filter_fact_drop_call(struct filter_fact *fact);

/* Each record, before anything is put of it.  0, or -1 where the sink fails. */
static inline int
filter_fact_see(struct filter_fact *fact, const struct record *r)
{
	return fact->due || rec_kind(r) == REC_PART ? filter_fact_due(fact, rec_kind(r)) : 0;
}

#endif
