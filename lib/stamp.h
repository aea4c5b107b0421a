/* SPDX-License-Identifier: ISC */
/*
 * For filters that drop or change records: the fact `filter`, which says so of each
 * part.  It comes after the facts that the part has, at the end of its header.
 */
#ifndef PROF_STAMP_H
#define PROF_STAMP_H

#include "record.h"

struct stamp {
	struct sink *next;	/* where it goes; not its to free */
	const char *text;	/* what the fact says; NULL: there is none */
	bool due;		/* 0 at first: in a header */
};

/* As stamp_see(), of a kind that may begin or end a header. */
int stamp_due(struct stamp *s, enum rec_kind kind);

/* Each record, before anything is put of it.  0, or -1 where the sink fails. */
static inline int
stamp_see(struct stamp *s, const struct record *r)
{
	return s->due || rec_kind(r) == REC_PART ? stamp_due(s, rec_kind(r)) : 0;
}

#endif
