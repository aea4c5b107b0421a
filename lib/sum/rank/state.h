/* SPDX-License-Identifier: ISC */
/*
 * The state of a ranking while records come in.  Each of these calls only those after it:
 *
 *	rank.c		parts, costs, calls; the whole
 *	stacks.c	samples and points
 *	events.c	the events that are summed
 *	places.c	rows that are places, or several functions
 *	sides.c		differences
 *	stated.c	inclusive costs that the profiler states
 *	rows.[ch]	rows by their keys
 *	result.c	queries on the result
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
	struct name_index signs;	/* of classes: texts that their parts share */
	size_t capclass, capnewest, caplink, capslot, captotal, capin_parts, cappropagated,
	    capbelow, capcalls_below, captotals;	/* of arrays of r and s */
	bool *propagated;	/* by sum: inclusive costs are distributed, not measured */
	/* The calls of parts in which each level of recursion is a separate function; in
	 * the end r.edges includes them. */
	struct sums level_edges;
	struct recursion_levels recursion_levels;
	long *column;		/* of the part's measured events: the sum, or -1 */
	size_t capcolumn, ncolumn;	/* ncolumn: up to the last one that is summed */
	struct sums edges;	/* of the part; they are then moved to those of its kind */
	bool some_partial, levels_partial;	/* some parts of either kind are partial */
	bool estimated;		/* some part is estimated */
	bool all_levels;	/* all calls belong to parts with levels */
	bool counted, uncounted;	/* there are calls with counts, and without */
	num *self;		/* of the part's lines, by sum */
	/* By sum: the negative part of all costs, and of calls; the totals of all parts. */
	unsigned __int128 *below, *calls_below;
	struct num_extent *totals;
	uint32_t meta[BY_KINDS];	/* part, thread, comm, pid, source of the part */
	bool named;		/* has the part the metadata comm? */

	bool twins;		/* some columns have one sum; parts.part.total has self costs */
	bool first_only;	/* the first event is the only sum of the part */
	bool crowded;		/* a sum of costs has no room for any run of usual ones */
	bool functions;		/* rows are whole functions */
	bool by_function;	/* function is the whole key: */
	uint32_t *row_of;	/* rows by the function's number */
	size_t caprow_of;
	uint32_t row_of_none;	/* that of costs without a function */
	/* If rows are places: by row, the node that has its costs, except those in `more`,
	 * whose keys are MORE_*; the node of the previous cost's function. */
	uint32_t *owner;
	size_t capowner;
	struct sums more;
	uint64_t node_func, node;
	/* The stacks of the part; sums of rows from stacks and points, SUM_*, which are
	 * separate from the call graph's; the steps from frame to frame. */
	struct cct cct;
	/* If rows are by thread, its name or process: the trees of samples with such
	 * labels. */
	struct rank_tree {
		uint32_t thread, comm, pid;
		struct cct cct;
	} *tree;
	size_t ntree, captree;
	struct sums threads;	/* rows of `tree`; key: thread, comm, pid */
	struct sums stacked;	/* key: a row */
	struct sums steps;	/* as r.edges */
	struct sums pointed;	/* inclusive costs of functions; key: MORE_* */
	/* The row of each frame in the walk over a tree that found it; walks are counted. */
	struct frame_row { uint32_t walk, row, stacked; } *frame_row;
	size_t capframe_row;
	uint32_t walks;
	/* While the tree is walked: the path from the root, by rows, and how often each row and
	 * each step are on it. */
	struct rank_path { uint32_t row, stacked, step, ctx; } *path;
	uint32_t *row_open, *step_open;
	size_t cappath, caprow_open, capstep_open;
	struct sums no_self;	/* key: a row */
	bool *negative;		/* by sum: is a cost of stacks negative? */
	size_t capnegative, capapart, capuncalled, capself;
	bool reported_recursion, reported_averages;

	uint64_t last_func;
	size_t last_row;
	uint64_t values;	/* values read so far, except 0, absent and usual ones */
	uint64_t usual;		/* of the first sum, for last_row: not added yet */
	struct buf text;
};

/* Returns the events of the part. */
static inline const struct events *
rank_events(const struct ranker *s)
{
	return &s->parts.part.events;
}

/* The sums of a row of `stacked`. */
#define SUM_CALLS 0
#define SUM_SELF(k) (1 + 2 * (k))
#define SUM_INCL(k) (2 + 2 * (k))

/* ---- places.c ---- */

/* Are rows places, or several functions? */
bool rank_is_placed(const struct rank_request *q);
/* Returns the node of a function in the part. */
uint32_t rank_node(struct ranker *s, uint64_t func);
/* Notes the function whose cost was added to a row: 0, or -1 with the diag set. */
int rank_own(struct ranker *s, size_t row, uint64_t func, struct text values);
/* After all records: finds the rows that calls go into. */
void rank_find_callees(struct ranker *s);
/* Computes the results of calls, after rank_find_callees(): -1 without a diag if a sum does
 * not fit. */
int rank_graph_places(struct ranker *s);

/* ---- sides.c ---- */

/* Finds the changes and their sides: r->delta. */
void rank_find_deltas(struct rank *r);
/* Computes inclusive costs of the sides of a difference, each on its own graph: make()
 * computes those of the sums in `only`, as graph_inclusive() does, with the number of an
 * edge's sum that counts its calls.  0, or -1 if a sum does not fit 128 bits. */
int rank_graph_sides(struct rank *r, int (*make)(void *arg, const bool *only,
    size_t count, unsigned char *flags), void *arg);
/* Computes changes between the inclusive costs of the sides.  Returns as above. */
int rank_find_changes(struct rank *r);
/* Counts the calls into each row, which events count in a difference; r->edges has all.
 * Returns as above. */
int rank_count_sides(struct rank *r);

/* ---- stated.c ---- */

/* Makes r->stated, and replaces inclusive costs by stated ones; rows are functions. */
void rank_use_stated(struct rank *r);

/* Makes r->whole. */
void rank_find_wholes(struct rank *r);

/* Does any event state inclusive costs? */
bool rank_states_inclusive(const struct rank *r);

/* ---- events.c ---- */

/* A part begins: its events get sums.  0, or -1 with the diag set. */
int rank_settle(struct ranker *s);
/* Counts the values of a record, and checks that sums do not take much more memory than was
 * read.  0, or -1 with the diag set. */
int rank_count_values(struct ranker *s, const struct record *r);
/* Is the column the first one of its name?  Columns of one name have one sum. */
bool rank_is_first(const struct ranker *s, size_t column);

/* ---- stacks.c ---- */

/* 0, or -1 with the diag set. */
int rank_put_sample(struct ranker *s, const struct record *r);
int rank_put_point(struct ranker *s, const struct record *r);
/* Ends the part: adds the sums of its stacks. */
int rank_end_stacks(struct ranker *s);
/* Frees the trees that remain after an error. */
void rank_free_trees(struct ranker *s);
/* After all records and the graph: adds the results of stacks to rows and edges.  -1
 * without a diag if a sum does not fit. */
int rank_add_stacks(struct ranker *s);

#endif
