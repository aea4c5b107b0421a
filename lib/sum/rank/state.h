/* SPDX-License-Identifier: ISC */
/*
 * A ranking while records come in.  Each of these calls only those after it:
 *
 *	rank.c		parts, costs, calls; the whole
 *	stacks.c	samples and points
 *	events.c	the events that are summed
 *	places.c	rows that are places, or several functions
 *	sides.c		differences
 *	stated.c	inclusive costs that the producer states
 *	rows.[ch]	rows by their keys
 *	result.c	what the result is asked
 */
#ifndef PROF_SUM_RANK_STATE_H
#define PROF_SUM_RANK_STATE_H

#include "graph/cct.h"
#include "stream/recursion_levels.h"
#include "stream/part.h"
#include "sum/rank.h"

struct ranker {
	struct part_sink parts;
	const struct rank_request *q;
	struct rank r;
	struct heading_maker head;
	struct name_index signs;	/* of classes: what the parts of one have in common */
	size_t capclass, capnewest, caplink, capslot, captotal, capin_parts, cappropagated,
	    capbelow, capcalls_below, captotals;	/* of arrays of r and s */
	bool *propagated;	/* of each sum: inclusive costs are shared out, not measured */
	/* The calls of parts in which each level of recursion is a function of its own;
	 * at last r.edges has them too. */
	struct sums level_edges;
	struct recursion_levels recursion_levels;
	long *column;		/* of the part's measured events: the sum, or -1 */
	size_t capcolumn, ncolumn;	/* ncolumn: up to the last that is wanted */
	struct sums edges;	/* of the part, which go to those of its kind */
	bool some_partial, levels_partial;	/* of the parts of either kind, some are */
	bool estimated;		/* some part is */
	bool all_levels;	/* all calls are of such parts */
	bool counted, uncounted;	/* there are calls with counts, and without */
	num *self;		/* of the part's lines, by sum */
	/* What is negative of all costs, and of calls; the totals of all parts, by sum. */
	unsigned __int128 *below, *calls_below;
	struct num_extent *totals;
	uint32_t meta[BY_KINDS];	/* part, thread, comm, pid, source of the part */

	bool first_only;	/* the first event is the only sum of the part */
	bool functions;		/* rows are whole functions */
	bool by_function;	/* that is all of the key: */
	uint32_t *row_of;	/* the row by the function's number */
	size_t caprow_of;
	/* If rows are places: the node whose costs a row has, but for those in `more`, whose
	 * key is MORE_*; the node of the function of the cost before. */
	uint32_t *owner;
	size_t capowner;
	struct sums more;
	uint64_t node_func, node;
	/* Whole stacks of the part; what they and points tell of rows, SUM_*, which
	 * call graphs must not mistake for theirs; what goes from frame to frame. */
	struct cct cct;
	/* If rows are by thread, its name or process: those of samples with labels of theirs. */
	struct rank_tree {
		uint32_t thread, comm, pid;
		struct cct cct;
	} *tree;
	size_t ntree, captree, last_tree;
	struct sums stacked;	/* key: a row */
	struct sums steps;	/* as r.edges */
	struct sums pointed;	/* inclusive costs of functions; key: MORE_* */
	/* While the tree is walked: the rows and steps of its nodes, and how often
	 * each is on the way from the root. */
	uint32_t *node_row, *node_step, *row_open, *step_open;
	size_t capnode_row, capnode_step, caprow_open, capstep_open;
	struct sums no_self;	/* key: a row */
	bool *negative;		/* by sum: a cost of stacks is */
	size_t capnegative, capapart, capself;
	bool reported_recursion, reported_averages;

	uint64_t last_func;
	size_t last_row;
	uint64_t values;	/* read so far, but for those */
	uint64_t usual;		/* of the first sum: of last_row, not added yet */
	struct buf text;
};

/* Those of the part. */
static inline const struct events *
rank_events(const struct ranker *s)
{
	return &s->parts.part.events;
}

/* Sums of a row of `stacked`. */
#define SUM_CALLS 0
#define SUM_SELF(k) (1 + 2 * (k))
#define SUM_INCL(k) (2 + 2 * (k))

/* ---- places.c ---- */

/* Are rows places, or several functions? */
bool rank_is_placed(const struct rank_request *q);
/* The node of a function in the part. */
uint32_t rank_node(struct ranker *s, uint64_t func);
/* Notes whose cost was added to a row: 0, or -1 with the diag set. */
int rank_own(struct ranker *s, size_t row, uint64_t func, struct text values);
/* All is read: which rows calls go into. */
void rank_find_callees(struct ranker *s);
/* What calls tell of rows, after rank_find_callees(): -1 without a diag if a sum does not
 * fit. */
int rank_graph_places(struct ranker *s);

/* ---- sides.c ---- */

/* Which events are changes, and of what: r->delta. */
void rank_find_deltas(struct rank *r);
/* Inclusive costs of the sides of a difference, each on its own graph: make() makes those
 * of the sums in `only`, as graph_inclusive() does, with the number of an edge's sum that
 * counts its calls.  0, or -1 if a sum does not fit 128 bits. */
int rank_graph_sides(struct rank *r, int (*make)(void *arg, const bool *only,
    size_t count, unsigned char *flags), void *arg);
/* Changes are between the inclusive costs of the sides.  Returns as above. */
int rank_find_changes(struct rank *r);
/* The calls into each row, which events count in a difference; r->edges has all.
 * Returns as above. */
int rank_count_sides(struct rank *r);

/* ---- stated.c ---- */

/* Makes r->stated, and inclusive costs those that are stated; rows are functions. */
void rank_use_stated(struct rank *r);

/* Does any event state inclusive costs? */
bool rank_states_inclusive(const struct rank *r);

/* ---- events.c ---- */

/* A part begins: its events get sums.  0, or -1 with the diag set. */
int rank_settle(struct ranker *s);
/* Counts the values of a record, and checks that sums do not take much more memory than
 * was read.  0, or -1 with the diag set. */
int rank_count_values(struct ranker *s, const struct record *r);

/* ---- stacks.c ---- */

/* 0, or -1 with the diag set. */
int rank_put_sample(struct ranker *s, const struct record *r);
int rank_put_point(struct ranker *s, const struct record *r);
/* The part is over: the sums of its stacks. */
int rank_end_stacks(struct ranker *s);
/* Those that an error has left. */
void rank_free_trees(struct ranker *s);
/* All is read, and the graph done: adds what stacks tell of rows and edges.
 * -1 without a diag if a sum does not fit. */
int rank_add_stacks(struct ranker *s);

#endif
