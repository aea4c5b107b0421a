/* SPDX-License-Identifier: ISC */
/*
 * A ranking: a profile summed in memory, rows by what is asked for and the calls
 * between them.  It is three structs, each of which goes its own way:
 *
 *	struct rank_request	what is asked for
 *	struct rank		the sums, and what the call graph makes of them
 *	struct rank_heading	what a heading says of the profile (heading.h)
 *
 * A struct ranker reads records and makes the last two of the first.
 */
#ifndef PROF_SUM_RANK_H
#define PROF_SUM_RANK_H

#include "graph/graph.h"
#include "stream/dict.h"
#include "stream/event.h"
#include "stream/group_by.h"
#include "stream/lookup.h"
#include "sum/beside.h"
#include "sum/heading.h"
#include "util/diag.h"

/*
 * The request.  Who asks sets it before ranker_new() and owns it, with the list and
 * the texts of `want`; it must outlive the ranker.  No one changes it: those who print
 * the ranking read from it what the keys of rows are, and in what dictionary.
 */
struct rank_request {
	struct dict *dict;	/* of the records, and of the keys of rows */
	struct diag *diag;	/* what is wrong with the records is said there */
	enum group_by group_by[BY_KINDS];	/* the columns of a row's key */
	size_t ngroup_by;
	struct text *want;	/* events and formulas; none: see all_events */
	size_t nwant;
	bool all_events;	/* all that are measured, not just the default */
	bool default_too;	/* the default, besides those of `want` */
	/* The event that is the default, set before the first part comes, as
	 * filter_default_event() does; absent: the first one. */
	struct text event;
	bool bounds;		/* `upper` of the result, too; rows are functions */
	/* The columns beside the events of a difference, filled in before its header is over;
	 * NULL: there are none. */
	const struct beside *beside;
};

#define NO_LINE UINT64_MAX
#define NO_ROW UINT32_MAX

/* A point's key and sums: activations, and what they cost with all they called.
 * Those that have no cost are not among them. */
enum { POINT_KEY_ROW, POINT_KEY_HIGH, POINT_KEY_LOW, POINT_KEYS };
enum { POINT_CALLS, POINT_COST, POINT_SUMS };

#define RANK_NO_SELF 128	/* in flags: of some of it self cost is not known */

/*
 * The result.  The ranker makes it, owns it and frees it; it is const to all others,
 * and there as long as the ranker is.  A number of a row or an edge is that in `rows`
 * or `edges`, a slot is the number of an event's sum in them.
 */
struct rank {
	/*
	 * A key's column is: function, object, file: the dictionary's number or NO_ID;
	 * line: the line or NO_LINE; addr, part, thread, pid, source: a string of the
	 * dictionary or NO_ID; total: 0.  The sums are self costs.
	 */
	struct sums rows;
	struct sums edges;	/* calls, as graph.h has them; the sums of an event are
				 * at 1 + slot */
	bool fine;		/* rows are lines or addresses */
	bool placed;		/* rows are places of functions, or several functions: */
	struct sums nodes;	/* functions, which the ends of edges are, by function and
				 * facts; else empty: the ends are rows */
	uint32_t *callee_row;	/* by node, if rows are not fine: the row that calls into it
				 * count for, or NO_ROW */
	struct sums families;	/* the functions that levels of recursion belong to; */
	uint32_t *family;	/* by node, the number in them */

	struct events events;	/* of all parts */
	long *slot;		/* of a measured event: its sum in a row, or -1 */
	size_t nslots;
	/*
	 * A formula is of the parts that have all of it.  So where one is asked for, each
	 * class of parts that have the same events has sums of its own: those of an event
	 * are then several, and `slot` is the first.  Otherwise there is one class.
	 */
	struct rank_class {
		struct events events;	/* of all its parts */
		long *slot;		/* by column of those: the sum, or -1 */
		size_t capslot;
		uint64_t parts;
	} *class;
	size_t nclasses;
	/* By the name of an event: the classes that have it, a chain of links. */
	struct lookup named;
	uint32_t *newest;	/* by what `named` has: the last link + 1 */
	struct rank_link {
		uint32_t class, before;	/* before: the next link + 1 */
	} *link;
	size_t nnamed, nlinks;
	uint64_t parts;
	uint64_t *in_parts;	/* by slot: how many parts have the event */
	num *total;		/* of each sum, as stated or of all self costs */
	/* Of each sum: what its costs are shares of.  That is the total, but of an event that
	 * states the inclusive costs of another, and counts costs once for each caller, that
	 * other's; 0: unknown. */
	num *whole;
	num *most;		/* of each sum: no inclusive cost is more, if none
				 * of its costs is negative (else NUM_MAX), */
	bool *apart;		/* but those that were measured apart from own costs */
	/* Of a difference: its events, by their sums. */
	struct rank_delta {
		size_t change, old, new;
	} *delta;
	size_t ndelta;
	uint32_t *delta_at;	/* by slot: the one that it is of + 1 */
	long *unknown;		/* by slot, of a side's: the sum that says of how many
				 * records it is not known; -1: of none, or no one asks */
	const struct beside *beside;	/* the request's, or NULL */
	size_t first_beside;	/* the slot of the first of these, which the others follow */

	/* By slot: the sum that states its inclusive cost, as the producer measured it, in
	 * all parts, or -1; and the scales of both.  NULL: rows are no functions. */
	struct rank_stated {
		long slot;
		uint64_t scale, from;
	} *stated;

	bool calls_known;	/* false: no part's format has calls */
	bool counts_known;	/* and how many: not all are without a count */
	bool incl_known;	/* they are, or there are stacks, or points */
	bool filtered;		/* records may be missing: no sum is known to be whole */

	/* By row. */
	num *incl;		/* [row * rows.nval + slot], if incl_known */
	num *upper;		/* as incl: it is not more, in a cycle either; NULL */
	num *calls;		/* into it, if counts_known */
	unsigned char *flags;	/* GRAPH_*, RANK_*; of a difference those of both sides */
	unsigned char *side_flags[2];	/* of a difference with calls: GRAPH_* of the old
					 * side, and of the new one; else NULL */

	/* Costs against the size of the input: the key is the row and the size, in
	 * two halves, the sums are POINT_SUMS.  No rows: there are no points. */
	struct sums points;
	/* By row, how many sizes there are, and which; NULL: there are no points. */
	struct rank_sizes {
		uint64_t n;
		num least, most;
	} *sizes;
};

/* ---- making one ---- */

struct ranker;

/* Never NULL.  ranker_free() takes NULL, and frees the result and the heading. */
struct ranker *ranker_new(const struct rank_request *q);
void ranker_free(struct ranker *s);

/* Takes records up to `end`, or as many as there are; the ranker's own, not to be
 * freed. */
struct sink *ranker_sink(struct ranker *s);

/* Computes what the graph tells, once all records are in: the result, or NULL with the
 * diag set.  Once. */
const struct rank *ranker_finish(struct ranker *s);

/* Complete when all records are in. */
const struct rank_heading *ranker_heading(const struct ranker *s);

/* ---- reading it ---- */

/* The sums, times whole coefficients, that an event or formula is of one row, in the parts
 * that have it and `with`, the other side of a ratio, which may be absent: coef has
 * r->nslots entries.  1, 0 if no part has it, -1 if it is no formula. */
int rank_resolve(const struct rank *r, struct text what, struct text with, num *coef);

/* How many parts do not have it; the names of the events that the first of them lacks are
 * added to `names`. */
uint64_t rank_lacking(const struct rank *r, struct text what, struct text with,
    struct buf *names);

/* The name of the event that is the default; absent: there are no events. */
struct text rank_default(const struct rank_request *q, const struct rank *r);

/* The event that this is, or the sum of several, as a record with its unit and scale, to
 * be freed; NULL: it is none. */
struct record *rank_event(const struct rank *r, struct text what);

/* How many of the values of a sum are one of the unit. */
uint64_t rank_scale(const struct rank *r, size_t slot);

/* Can the event be had?  As rank_resolve() == 1. */
bool rank_knows(const struct rank *r, struct text what);

/* The change that this sum is, or that it is a side of; NULL.  slot: -1 is none. */
const struct rank_delta *rank_delta_of(const struct rank *r, long slot);

/*
 * In what the true inclusive cost may differ from the one that is computed: it may be more
 * where a cycle of calls leaves but a lower bound, and more or less after a filter that has
 * hidden what closes a cycle.  A change is between two such costs, of which the old one
 * counts against it.  0: it is exact.
 */
enum {
	RANK_MAY_BE_MORE = 1,
	RANK_MAY_BE_LESS = 2,
	RANK_UNKNOWN = 4,	/* besides both: what is computed says nothing at all, as a row is
				 * several functions', or it is more than the whole */
};
unsigned rank_incl_bound(const struct rank *r, size_t row, size_t slot);

/* The bound of minus a number. */
unsigned rank_bound_minus(unsigned bound);

/* Between what a side of a difference costs. */
struct rank_range {
	num least, most;
	bool bottomless, endless;	/* there is no least, or no most: these are NUM_MIN
					 * and NUM_MAX then, which costs may also be */
	bool known;		/* of all records that it is the sum of */
};
struct rank_range rank_self_range(const struct rank *r, size_t row, size_t slot);
struct rank_range rank_incl_range(const struct rank *r, size_t row, size_t slot);
struct rank_range rank_total_range(const struct rank *r, size_t slot);

/* Is it what the producer has measured itself, so that a cycle makes no lower bound of
 * it? */
bool rank_incl_stated(const struct rank *r, size_t row, size_t slot);
/* The inclusive cost that was stated, in the scale of the slot: false if none was, or that
 * holds no whole number for it. */
bool rank_stated_cost(const struct rank *r, size_t row, size_t slot, num *cost);

/* The size that a row of `points` is about. */
num rank_point_size(const struct rank *r, size_t point);

#endif
