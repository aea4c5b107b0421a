/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop or change records: the facts that say so of each part.
 * `filter` comes after the facts that the part has, at the end of its header;
 * `calls` with the first call that is dropped, as it may have closed a cycle.
 */
#ifndef PROF_STAMP_H
#define PROF_STAMP_H

#include "stream/record.h"

struct stamp {
	struct sink *next;	/* where it goes; not its to free */
	const char *text;	/* what the fact says; NULL: there is none */
	bool due;		/* 0 at first: in a header */
	bool told_calls;	/* 0 at first */
};

/* As stamp_see(), of a kind that may begin or end a header. */
int stamp_due(struct stamp *s, enum rec_kind kind);

/* A call is dropped, of the part that was seen last.  0, or -1 where the sink
 * fails. */
int stamp_drop_call(struct stamp *s);

/* Each record, before anything is put of it.  0, or -1 where the sink fails. */
static inline int
stamp_see(struct stamp *s, const struct record *r)
{
	return s->due || rec_kind(r) == REC_PART ? stamp_due(s, rec_kind(r)) : 0;
}

#endif
