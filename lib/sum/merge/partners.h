/* SPDX-License-Identifier: ISC */
/*
 * What the files of a difference share: its sides, and the definitions that are partners.
 */
#ifndef PROF_SUM_MERGE_PARTNERS_H
#define PROF_SUM_MERGE_PARTNERS_H

#include "state.h"
#include "stream/loss.h"
#include "sum/diff.h"

enum { OLD, NEW, SIDES };

struct side {
	struct merge *m;
	const char *name;	/* of the file */
	struct group *g;	/* NULL: no part was there */
	uint32_t *path[2];	/* by file, by object: its path in the difference */
	uint32_t *func;		/* by canonical function: its name in the difference */
	uint32_t *ctx;
	size_t *event;		/* by its event: the first of three of the other's */
};

struct diff {
	const struct diff_how *how;
	struct merge *to;
	struct group *g;
	struct dict *dict;
	struct side side[SIDES];
	struct text shown;	/* the event that is to be the default; absent: none is */
	size_t calls;		/* the event calls.old; calls.new follows it */
	bool has_calls;
	num *total;		/* of each event: old, new */
	uint64_t sums;		/* of rows so far */
	struct loss loss;
};

/* Joins the files, objects and functions of both sides that are each other's. */
void diff_find_partners(struct diff *d);

/* A key of a side's row in the difference's names. */
void diff_key(struct diff *d, struct side *s, const struct rec_def *def,
    const uint64_t *key, uint64_t *to);

#endif
