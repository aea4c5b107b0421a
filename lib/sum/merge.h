/* SPDX-License-Identifier: ISC */
/*
 * Profiles summed by the keys of the table of records.  The result is in normal form:
 * equal sums are equal records, in whatever order they came in.
 */
#ifndef PROF_SUM_MERGE_H
#define PROF_SUM_MERGE_H

#include "stream/dict.h"
#include "stream/group_by.h"
#include "util/diag.h"

/* What a run lacks counts as 0, except for the sum. */
enum merge_op { MERGE_SUM, MERGE_MIN, MERGE_MAX, MERGE_MEDIAN };

struct merge_how {
	struct dict *dict;
	struct diag *diag;
	/* What distinguishes records; none: everything. */
	enum group_by group_by[BY_KINDS];
	size_t ngroup_by;
	enum merge_op op;	/* over runs: the parts of one are summed */
	bool apart;		/* runs have events of their own (runs_apart()), which stay
				 * in the order in which they came */
};

struct merge;

struct merge *merge_new(const struct merge_how *how);
void merge_free(struct merge *m);

/* Forgets what came in: frees m and returns another one, with which to go on. */
struct merge *merge_again(struct merge *m);

/* Takes records up to `end`.  merge_free() frees it; the caller must not. */
struct sink *merge_sink(struct merge *m);

/* The name of the first event that came in; absent if there is none. */
struct text merge_first_event(const struct merge *m);

/* Puts `prof` early; otherwise merge_write() does.  0 or -1. */
int merge_begin(struct merge *m, struct sink *out);

/* Puts the whole, from `prof` to `end`, definitions and records sorted.  0, or
 * -1 with the diag set.  Call it once, after `end` came in. */
int merge_write(struct merge *m, struct sink *out);

#endif
