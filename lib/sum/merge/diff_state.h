/* SPDX-License-Identifier: ISC */
/*
 * The state of a difference, which its files share.
 *
 *	diff.c		the whole
 *	diff_partners.c	functions, objects and files of both sides that are one
 *	diff_labels.c	programs that are one
 *	diff_events.c	events, and the columns beside them
 *	diff_scale.c	scales, and what values are multiplied by
 *	diff_rows.c	rows
 */
#ifndef PROF_SUM_MERGE_DIFF_STATE_H
#define PROF_SUM_MERGE_DIFF_STATE_H

#include "state.h"
#include "stream/loss.h"
#include "stream/side.h"
#include "sum/diff.h"

static inline const char *
diff_side_name(int side)
{
	return side == SIDE_OLD ? "old" : "new";
}

/* The columns that an event of a side becomes: the change, then the cost of each side. */
enum { CHANGE, TRIPLE = 1 + SIDES };

struct side {
	struct merge *m;
	const char *name;	/* of the file */
	struct group *g;	/* NULL: the side has no part */
	uint32_t *path[2];	/* by file, by object: its path in the difference */
	uint32_t *func;		/* by canonical function: its name in the difference */
	uint32_t *ctx;
	size_t *event;		/* by its event: the first of the three in the difference */
	size_t extra;		/* the first of its extra columns in the difference */
	size_t *unknown;	/* by its event: the difference's column that counts values
				 * that are not known; 0: all are known */
	bool *total_unknown;	/* by its event */
	num *times;		/* by its event: the factor of its values */
	num calls_times;	/* and that of its counts of calls */
};

struct diff {
	const struct diff_how *how;
	struct merge *to;
	struct group *g;
	struct dict *dict;
	struct side side[SIDES];
	struct text shown;	/* the event that becomes the default; absent: none does */
	struct sums attrs;	/* attributes of old samples: those in the difference */
	size_t calls;		/* the event calls.old; calls.new follows it */
	bool has_calls;
	struct text comm[2];	/* the old and the new program's name, which are taken for
				 * one; absent */
	uint64_t sums;		/* sums in rows so far */
	struct loss loss;
};

/* ---- diff_events.c ---- */

/* Adds the events of both sides, those of the old one first.  0, or -1 with the diag
 * set. */
int diff_add_events(struct diff *d);

/* ---- diff_scale.c ---- */

/* Finds the factors of values, and notes them in the events.  0, or -1 with the diag
 * set. */
int diff_scale(struct diff *d);

/* ---- diff_rows.c ---- */

/* Adds the rows of both sides, and their changes.  0, or -1 with the diag set. */
int diff_add_rows(struct diff *d);

/* ---- diff_labels.c ---- */

/* Joins the names of the two programs, which samples have as the label comm, if they
 * differ: one on each side that the other side lacks. */
void diff_find_comms(struct diff *d);
/* Returns the attributes of a side's sample in the difference. */
uint64_t diff_attrs(struct diff *d, int side, uint64_t attrs);

/* ---- diff_partners.c ---- */

/* Matches the files, objects and functions of both sides. */
void diff_find_partners(struct diff *d);

/* Sets `to` to the key of a side's row in the difference's names. */
void diff_key(struct diff *d, struct side *s, const struct rec_def *def,
    const uint64_t *key, uint64_t *to);

#endif
