/* SPDX-License-Identifier: ISC */
/*
 * What a heading says of a profile as a whole, gathered from its parts and facts.  No sum
 * depends on it but by the lines that were skipped.
 */
#ifndef PROF_SUM_HEADING_H
#define PROF_SUM_HEADING_H

#include "stream/part.h"
#include "stream/sums.h"

/* Texts are the dictionary's. */
struct rank_heading {
	uint64_t runs, parts;	/* a run is a profile */
	uint64_t skipped;	/* malformed lines that the decoder left out */
	struct text cmd;	/* absent: no part has one */
	bool cmds_differ;
	struct buf diff;	/* of a difference: what was compared, TAB between */
	struct buf filter, estimate;	/* all of the parts', "; " between two */
};

/* One that is being gathered. */
struct heading_maker {
	struct rank_heading h;
	struct dict *dict;
	num runs;		/* the largest number of one */
	struct sums lists;	/* texts that the heading's lists have */
	struct buf scratch;
};

void heading_init(struct heading_maker *m, struct dict *dict);
void heading_free(struct heading_maker *m);

/* This part is complete. */
void heading_add_part(struct heading_maker *m, const struct part *p);

/* Adds what was compared, "old: A, new: B", each name in at most `room` columns; nothing of
 * what is no difference. */
void heading_add_sides(struct buf *b, const struct rank_heading *h, size_t room);

#endif
