/* SPDX-License-Identifier: ISC */
/*
 * A profile summed in memory: rows by what is asked for, the calls between
 * them, and what a heading says.  It is a sink; after `end` the sums are
 * there to be read.
 */
#ifndef PROF_SUM_RANK_H
#define PROF_SUM_RANK_H

#include "graph/graph.h"
#include "stream/dict.h"
#include "stream/event.h"
#include "stream/group_by.h"
#include "util/diag.h"

#define NO_LINE UINT64_MAX

/* A point's key and sums: activations, and what they cost with all they called.
 * Those that have no cost are not among them. */
enum { POINT_KEY_ROW, POINT_KEY_HIGH, POINT_KEY_LOW, POINT_KEYS };
enum { POINT_CALLS, POINT_COST, POINT_SUMS };

#define RANK_NO_SELF 128	/* in flags: of some of it self cost is not known */

/* Of a row: how many sizes of inputs there are, and which. */
struct rank_sizes {
	uint64_t n;
	num least, most;
};

struct rank {
	/* set before the first record */
	struct dict *dict;
	struct diag *diag;
	enum group_by group_by[BY_KINDS];	/* the columns of a row's key */
	size_t ngroup_by;
	struct text *want;	/* events and formulas; none: see all_events */
	size_t nwant;
	bool all_events;	/* all that are measured, not just the first */

	/*
	 * The sums.  A key's column is: function, object, file: the dictionary's
	 * number or NO_ID; line: the line or NO_LINE; addr, part, thread, pid,
	 * source: a string of the dictionary or NO_ID; total: 0.
	 */
	struct sums rows;
	/* The calls, as graph.h has them: those of parts in which each level of
	 * recursion is a function of its own, until rank_finish(), and all others. */
	struct sums edges, level_edges;
	struct sums nodes;	/* of fine rows: functions */
	bool fine;		/* rows are finer than functions */
	struct events events;	/* of all parts */
	long *slot;		/* of a measured event: its sum in a row, or -1 */
	size_t nslots, capslot, captotal, capin_parts, cappropagated;
	uint64_t *in_parts;	/* by slot: how many parts have the event */
	num *total;		/* of each sum: what percentages are of */
	/* Of a difference: its events, by their sums. */
	struct rank_delta {
		size_t change, old, new;
	} *delta;
	size_t ndelta;
	uint32_t *delta_at;	/* by slot: the one that it is of + 1 */
	bool *propagated;	/* of each: inclusive costs are shared out, not measured */
	bool calls_known;	/* false: no part's format has calls */
	bool incl_known;	/* they are, or there are stacks, or points */
	bool filtered;		/* records may be missing: no sum is known to be whole */
	/* Costs against the size of the input: the key is the row and the size, in
	 * two halves, the sums are POINT_SUMS.  No rows: there are no points. */
	struct sums points;

	/* after rank_finish(), by row */
	num *incl;		/* [row * rows.nval + sum], if incl_known */
	num *calls;
	unsigned char *flags;	/* GRAPH_*, RANK_* */
	struct rank_sizes *sizes;	/* by row; NULL: there are no points */
	num *most;		/* of each sum: no inclusive cost is more, if none
				 * of its costs is negative (else NUM_MAX) */

	/* for the heading */
	uint64_t parts, runs;
	struct text cmd;
	struct buf diff;	/* of a difference: what was compared, TAB between */
	struct buf filter;	/* all of them, "; " between two */
	bool cmds_differ;
	uint64_t skipped;

	struct rank_state *state;
};

/* What r->dict and the like say being set, the sink; freed by rank_free(). */
struct sink *rank_sink(struct rank *r);
void rank_free(struct rank *r);

/* Can the event be had?  As rank_resolve() == 1. */
bool rank_knows(const struct rank *r, struct text what);

/* The change that this sum is, or that it is a side of; NULL.  slot: -1 is none. */
const struct rank_delta *rank_delta_of(const struct rank *r, long slot);

/* Is this inclusive cost what it says?  It is not where a row is several functions'
 * or a filter has hidden what closes a cycle, nor is a change between such. */
bool rank_incl_sure(const struct rank *r, size_t row, size_t slot);

/* Computes what the graph tells, once all records are in.  0, or -1 with the
 * diag set. */
int rank_finish(struct rank *r);

/* The size that a row of `points` is about. */
num rank_point_size(const struct rank *r, size_t point);

/*
 * The sum, times whole coefficients, that an event or formula is of one row:
 * coef has r->nslots entries.  1, 0 if no part has it, -1 if it is no formula.
 */
int rank_resolve(const struct rank *r, struct text what, num *coef);

#endif
