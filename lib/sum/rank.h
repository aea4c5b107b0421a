/* SPDX-License-Identifier: ISC */
/*
 * A ranking: a profile summed in memory, as rows by the requested keys and the calls
 * between them.  It consists of three independent structs:
 *
 *	struct rank_request	the request
 *	struct rank		the sums, and the results of the call graph
 *	struct rank_heading	the data of a heading (heading.h)
 *
 * A struct ranker reads records and makes the last two from the first.
 */
#ifndef PROF_SUM_RANK_H
#define PROF_SUM_RANK_H

#include "graph/graph.h"
#include "stream/dict.h"
#include "stream/event.h"
#include "stream/group_by.h"
#include "stream/name_index.h"
#include "sum/extra_columns.h"
#include "sum/heading.h"
#include "sum/terms.h"
#include "util/diag.h"

/*
 * The request.  The caller sets it before ranker_new() and owns it, with the list and the
 * texts of `want`; it must outlive the ranker.  Nobody changes it: code that prints the
 * ranking takes the keys of rows and the dictionary from it.
 */
struct rank_request {
	struct dict *dict;	/* of the records, and of the keys of rows */
	struct diag *diag;	/* receives errors in the records */
	enum group_by group_by[BY_KINDS];	/* the columns of a row's key */
	size_t ngroup_by;
	struct text *want;	/* events and formulas; none: see all_events */
	size_t nwant;
	bool all_events;	/* all measured events, not only the default */
	bool default_too;	/* the default, in addition to those of `want` */
	/* The default event, set before the first part comes, as by filter_default_event();
	 * absent: the first event. */
	struct text event;
	bool bounds;		/* the result has `upper`; rows must be functions */
	bool takes_off;		/* some parts are taken off (sum/heading.h) */
	/* The extra columns of a difference, filled in before its header ends; NULL:
	 * none. */
	const struct extra_columns *extra;
};

#define NO_LINE UINT64_MAX
#define NO_ROW UINT32_MAX

/* A point's key and sums: activations, and their inclusive cost.  Activations without a
 * cost are not counted. */
enum { POINT_KEY_ROW, POINT_KEY_HIGH, POINT_KEY_LOW, POINT_KEYS };
enum { POINT_CALLS, POINT_COST, POINT_SUMS };

#define RANK_NO_SELF 128	/* in flags: some of its self cost is not known */

/*
 * The result.  The ranker makes it, owns it and frees it; it is const for all others, and
 * lives as long as the ranker.  The number of a row or an edge is that in `rows` or
 * `edges`; a slot is the number of an event's sum in them.
 */
struct rank {
	/*
	 * A key's column is: function, object, file: the dictionary's number or NO_ID;
	 * line: the line or NO_LINE; addr, part, thread, pid, source: a string of the
	 * dictionary or NO_ID; total: 0.  The sums are self costs.
	 */
	struct sums rows;
	struct sums edges;	/* calls, as in graph.h; the sums of an event are at 1 +
				 * slot */
	bool fine;		/* rows are lines or addresses */
	bool placed;		/* rows are places of functions, or several functions: */
	struct sums nodes;	/* functions, which are the ends of edges, by function and
				 * metadata; otherwise empty: the ends are rows */
	uint32_t *callee_row;	/* by node, if rows are not fine: the row that gets calls
				 * into it, or NO_ROW */
	struct sums families;	/* the functions that levels of recursion belong to; */
	uint32_t *family;	/* by node, the number in them */

	struct events events;	/* of all parts */
	long *slot;		/* of a measured event: its sum in a row, or -1 */
	size_t nslots;
	/*
	 * A formula is computed for the parts that have all of its events.  So if one is
	 * requested, each class of parts with the same events has sums of its own: an event
	 * then has several, and `slot` is the first.  Otherwise there is one class.
	 */
	struct rank_class {
		struct events events;	/* of all its parts */
		long *slot;		/* by its column: the sum, or -1 */
		size_t capslot;
		uint64_t parts;
	} *class;
	size_t nclasses;
	/* By the name of an event: the classes that have it, as a chain of links. */
	struct name_index named;
	uint32_t *newest;	/* by the index in `named`: the last link + 1 */
	struct rank_link {
		uint32_t class, before;	/* before: the next link + 1 */
	} *link;
	size_t nnamed, nlinks;
	uint64_t parts;
	uint64_t *in_parts;	/* by slot: the number of parts that have the event */
	num *total;		/* by slot: as stated, or the sum of all self costs */
	/* By slot: the base of percentages.  That is the total; for an event that states the
	 * inclusive costs of another, which count each cost once for each caller, the other's
	 * total.  0: unknown. */
	num *whole;
	num *most;		/* by slot: an upper bound of inclusive costs, if no cost is
				 * negative (otherwise NUM_MAX), */
	bool *apart;		/* except those that were measured separately from self
				 * costs */
	bool *uncalled;		/* calls have no cost of it: without stacks its inclusive
				 * cost is not known */
	/* For a difference: its events, by their sums. */
	struct rank_delta {
		size_t change, old, new;
	} *delta;
	size_t ndelta;
	uint32_t *delta_at;	/* by slot: the change that it belongs to + 1 */
	long *unknown;		/* by slot, for a side's: the sum with the number of records
				 * for which it is not known; -1: all are, or it is not
				 * wanted */
	const struct extra_columns *extra;	/* the request's, or NULL */
	size_t first_extra;	/* the slot of the first of these; the others follow */

	/* By slot: the sum with its inclusive cost as the profiler measured it, in all
	 * parts, or -1; and the scales of both.  NULL: rows are not functions. */
	struct rank_stated {
		long slot;
		uint64_t scale, from;
	} *stated;

	bool calls_known;	/* false: no part's format has calls */
	bool counts_known;	/* calls are known, and some have a count */
	bool stacked;		/* there are stacks, or points */
	bool incl_known;	/* there are stacks, points or calls */
	bool filtered;		/* records may be missing: no sum is known to be complete */

	/* By row. */
	num *incl;		/* [row * rows.nval + slot], if incl_known */
	num *upper;		/* like incl: upper bounds, even in cycles; NULL */
	num *calls;		/* into the row, if counts_known */
	unsigned char *flags;	/* GRAPH_*, RANK_*; for a difference those of both sides */
	unsigned char *side_flags[2];	/* for a difference with calls: GRAPH_* of the old
					 * side, and of the new one; otherwise NULL */

	/* Costs against the size of the input: keys are the row and the size, in two
	 * halves; sums are POINT_SUMS.  No rows: there are no points. */
	struct sums points;
	/* By row: the number of sizes, the smallest, the largest; NULL: there are no
	 * points. */
	struct rank_sizes {
		uint64_t n;
		num least, most;
	} *sizes;
};

/* ---- making one ---- */

struct ranker;

/* Never returns NULL. ranker_free() takes NULL, and frees the result and the heading. */
struct ranker *ranker_new(const struct rank_request *q);
void ranker_free(struct ranker *s);

/* Returns the sink, which takes records up to `end`, or as many as there are.  The ranker
 * frees it. */
struct sink *ranker_sink(struct ranker *s);

/* Computes the results of the graph, once all records are in: returns the result, or NULL
 * with the diag set.  Call it once. */
const struct rank *ranker_finish(struct ranker *s);

/* Complete when all records are in. */
const struct rank_heading *ranker_heading(const struct ranker *s);

/* ---- reading it ---- */

/* Sets *terms to the sums that make up an event or formula, for the parts that have it and
 * `with`, the other side of a ratio, which may be absent.  Returns 1; 0 if no part has it; -1
 * if it is not a formula. */
int rank_resolve(const struct rank *r, struct text what, struct text with,
    struct terms *terms);

/* Returns how many parts lack it, and adds to `names` the events that the first of these
 * lacks. */
uint64_t rank_lacking(const struct rank *r, struct text what, struct text with,
    struct buf *names);

/* Returns the name of the default event; absent: there are no events. */
struct text rank_default(const struct rank_request *q, const struct rank *r);

/* Returns the event, or the sum of several, as a record with its unit and scale, which the
 * caller frees; NULL: it is neither. */
struct record *rank_event(const struct rank *r, struct text what);

/* Returns the values of a sum per unit. */
uint64_t rank_scale(const struct rank *r, size_t slot);

/* Is the event available: is rank_resolve() 1? */
bool rank_knows(const struct rank *r, struct text what);

/* Returns the change that this sum is, or that it is a side of; NULL: none. slot: -1 is
 * none. */
const struct rank_delta *rank_delta_of(const struct rank *r, long slot);

/*
 * How the true inclusive cost may differ from the computed one.  It may be more where a
 * cycle of calls allows only a lower bound, and more or less after a filter that has hidden
 * calls closing a cycle.  A change is between two such costs, and the old one counts with
 * the opposite sign.  0: it is exact.
 */
enum {
	RANK_MAY_BE_MORE = 1,
	RANK_MAY_BE_LESS = 2,
	RANK_UNKNOWN = 4,	/* in addition to both: the computed cost is useless, as a
				 * row is several functions', or it is more than the
				 * whole */
};
unsigned rank_incl_bound(const struct rank *r, size_t row, size_t slot);

/* Returns the bound of minus a number. */
unsigned rank_bound_minus(unsigned bound);

/* The range of a side's cost in a difference. */
struct rank_range {
	num least, most;
	bool bottomless, endless;	/* there is no least, or no most: these are then
					 * NUM_MIN and NUM_MAX, which costs may also be */
	bool known;		/* the cost is known for all records that it sums */
};
struct rank_range rank_self_range(const struct rank *r, size_t row, size_t slot);
struct rank_range rank_incl_range(const struct rank *r, size_t row, size_t slot);
struct rank_range rank_total_range(const struct rank *r, size_t slot);

/* Sets *cost to the stated inclusive cost, in the scale of the slot: false if none was
 * stated, or it is not a whole number in that scale. */
bool rank_stated_cost(const struct rank *r, size_t row, size_t slot, num *cost);

/* Returns the size of a row of `points`. */
num rank_point_size(const struct rank *r, size_t point);

#endif
