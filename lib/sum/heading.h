/* SPDX-License-Identifier: ISC */
/*
 * The summary of a whole profile for its heading, gathered from its parts and metadata.
 * Only the number of skipped lines affects sums.
 */
#ifndef PROF_SUM_HEADING_H
#define PROF_SUM_HEADING_H

#include "stream/part.h"
#include "stream/sums.h"

/* Texts are the dictionary's. */
struct rank_heading {
	uint64_t runs, parts;	/* a run is a profile */
	uint64_t skipped;	/* malformed lines that the decoder left out */
	struct text cmd;	/* absent: no part has a command */
	bool cmds_differ;
	struct buf diff;	/* in a difference: the profiles compared, TAB between */
	struct buf filter, estimate, lost;	/* those of all parts, "; " between two */
};

/* A heading that is being gathered. */
struct heading_maker {
	struct rank_heading h;
	struct dict *dict;
	bool takes_off;		/* parts with HEADING_TAKEN_OFF are left out; set by the owner */
	num run;		/* the largest run number, */
	uint64_t of_run;	/* and how many profiles it was counted as */
	struct sums lists;	/* texts that the lists of the heading have */
	struct buf scratch;
};

void heading_init(struct heading_maker *m, struct dict *dict);
void heading_free(struct heading_maker *m);

/* The attribute of a part whose costs are only taken off from those of other parts. */
#define HEADING_TAKEN_OFF "taken-off"

/* Adds a part, which is complete. */
void heading_add_part(struct heading_maker *m, const struct part *p);

/* Return the list of the profiles of a difference, old before new; take the next one off it:
 * false after the last one.  The name is valid until the next call. */
struct text heading_sides(const struct rank_heading *h);
bool heading_next_side(struct text *list, struct buf *scratch, struct text *name);

/* Adds the two profiles of a difference, "old: A, new: B", each name in at most `room`
 * columns; otherwise nothing. */
void heading_add_sides(struct buf *b, const struct rank_heading *h, size_t room);

#endif
