/* SPDX-License-Identifier: ISC */
/*
 * A merge while records come in and go out: what the files of this folder
 * share.
 *
 *	merge.c		parts and records in
 *	canon.c		definitions that are one, and what --by makes of them
 *	facts.c		headers that are made one
 *	events.c	events that are one
 *	compact.c	costs at lines, which are most of what there is
 *	op.c		other than sums: runs against each other
 *	write.c		normal form
 *	diff.c		the difference of two merges
 */
#ifndef PROF_SUM_MERGE_STATE_H
#define PROF_SUM_MERGE_STATE_H

#include "compact.h"
#include "stream/event.h"
#include "stream/lookup.h"
#include "stream/sums.h"
#include "stream/total.h"
#include "sum/merge.h"

/* ---- canon.c ---- */

/*
 * Definitions that differ in attributes alone are one, and --by makes one of
 * more.  It has the number of the first of them in the dictionary without
 * attributes.
 */
struct canon {
	struct dict *dict;
	bool all;		/* without --by */
	bool keeps[BY_KINDS];	/* what --by has */
	struct {
		uint32_t *of;	/* by definition: its canonical one + 1 */
		uint32_t *attrs;	/* by canonical one: attributes, a string + 1 */
		uint32_t *used;	/* canonical ones */
		size_t capof, capattrs, n, capused;
	} defs[DEFS];
};

void canon_free(struct canon *c);

/* NO_ID of itself. */
uint32_t canon_object(struct canon *c, uint64_t object);
uint32_t canon_file(struct canon *c, uint64_t file);
/* file: that of the line, which a function has where --by knows files and not
 * functions; it is set to what is left of it. */
uint32_t canon_func(struct canon *c, uint64_t func, uint64_t *file);
uint32_t canon_ctx(struct canon *c, uint64_t ctx);

/* Makes one attribute list of two: all keys, sorted, of two values the smaller
 * one. */
void merge_attrs(struct buf *out, struct text a, struct text b);
/* The same attributes in the order of their keys; borrowed from b or the list. */
struct text sort_attrs(struct buf *b, struct text list);

/* ---- facts.c ---- */

struct fact {
	struct buf key, values;	/* values: a line each, as in the stream */
	bool differ;		/* not all parts said the same: to be sorted */
};

struct facts {
	struct fact *v;
	size_t n, cap;
	struct lookup keys;	/* in v */
	struct lookup lines;	/* of those that have each once: key, newline, line */
};

void facts_add(struct facts *f, const struct record *meta);
const struct fact *facts_find(const struct facts *f, const char *key);
/* What is left of the facts of several parts: the values that all have, and
 * filters and estimates of any. */
void facts_join(struct facts *all, const struct facts *part, bool first);
/* All parts were joined: what they said differently does not depend on their order. */
void facts_sort(struct facts *f);
void facts_clear(struct facts *f);	/* empties them */
void facts_free(struct facts *f);

/* ---- merge.c ---- */

/* Totals are records of a key, too. */
#define ROW_KINDS (REC_TOTAL - REC_COST + 1)
#define KEY_WORDS (2 * REC_COLS + 1)

/* The last part that had a row, and its first event of those that this has told all
 * of: it is 0 where values are left out. */
struct known {
	uint64_t part;
	size_t from;
};

/* The records of a kind. */
struct rows {
	const struct rec_def *def;
	struct sums t;
	size_t nkey, nsum;	/* words of a key; columns that are summed */
	struct known *known;	/* by row, where events are many */
	size_t capknown;
};

/* Of the rows of a kind, but for sums: what runs had of them.  Runs are numbered
 * from 1. */
struct runs {
	uint32_t last[REC_COLS], n[REC_COLS];	/* by column that is summed: the last
				 * run that measured it, and how many did */
	uint32_t *when;		/* by row: the last run that had it */
	size_t capwhen;
	/* For the median: what each run had of a row. */
	struct had {
		uint32_t run, next;	/* of the same row: the one before + 1 */
		size_t from, n;	/* its numbers */
	} *had;
	uint32_t *newest;	/* by row: in had + 1 */
	num *val;
	size_t nhad, caphad, capnewest, nval, capval;
};

/* What a run has measured, for the median. */
struct run {
	uint32_t column[ROW_KINDS];	/* a bit for each */
	size_t from, n;		/* events, in group.measures, upwards */
};

/* What `positions` of a part may list, in their order. */
enum position { POSITION_ADDR, POSITION_BB, POSITION_LINE, POSITIONS };
extern const char *const position_name[POSITIONS];

/* Parts that become one. */
struct group {
	uint64_t key[BY_KINDS];	/* of the facts that --by names */
	struct facts facts;
	struct buf attrs;	/* of `part`, but for its positions: */
	bool position[POSITIONS];
	struct events events;	/* the sums' order in rows */
	bool mixed;		/* not all parts had the same events in one order */
	bool any;		/* a part was there */
	num runs, now;		/* before, and of the run at hand */
	bool touched;		/* by the run at hand */
	struct rows rows[ROW_KINDS];
	/* Costs that are simple enough, of sums, are here instead, until one is
	 * not. */
	struct compact compact;

	/* But for sums: the run at hand, and those before it. */
	struct rows run[ROW_KINDS];
	bool *has;		/* by event: the run at hand has measured it; which ones */
	uint32_t *measures;	/* of all runs before, for the median; of it, from */
	size_t atmeasures, nmeasures, capmeasures, caphas;
	uint32_t nruns;		/* before */
	uint32_t *last, *n;	/* by event, as of columns */
	size_t caplast, capn;
	struct runs over[ROW_KINDS];
	struct run *before;	/* by run - 1, for the median */
	size_t capbefore;
};

struct merge {
	struct merge_how how;
	struct sink sink;
	struct canon canon;
	struct group *group;
	size_t ngroup, capgroup;
	struct sums groups;	/* by their keys */
	size_t *touched, ntouched, captouched;	/* groups */

	/* The part at hand. */
	bool in_part, in_header;
	size_t at;		/* its group */
	uint64_t nparts;	/* so far */
	struct facts facts;
	struct buf part_attrs, run, last_run;
	struct buf file;	/* that it is in */
	struct events events;
	long *column;		/* of its measured events: the group's */
	size_t capcolumn;
	bool mapped;		/* not all lie where they are */
	struct total total;
	bool has_costs;
	bool reported_declared;
	/* The function and file of the cost before, of which the compact rows are
	 * that come next. */
	uint64_t last_func, last_file;
	uint64_t sums, values;	/* of rows, but for a part's total; read for them */
	num *self;		/* of the part, by event: sums of compact rows */
	size_t capself;
	bool begun;		/* `prof` was put */
	struct buf scratch;
};

#define ROWS(g, kind) (&(g)->rows[(kind) - REC_COST])

/* Of a merge into which no records come: its only group. */
struct group *merge_one_group(struct merge *m);
/* Is there no more room in rows than was read?  0, or -1 with the diag set. */
int merge_check_room(const struct merge *m, const struct group *g);
/* All of a group's costs as rows.  0, or -1 with the diag set. */
int merge_expand(struct merge *m, struct group *g);

/* ---- events.c ---- */

/* An event more of the group, or what two tell of one.  0, or -1 with the diag set:
 * they are in different units. */
int merge_add_event(struct merge *m, struct group *g, const struct event *e);
/* Has the part the events of the group, each of which is there once, and in their
 * order? */
bool merge_same_order(const struct events *all, const struct events *part);

/* ---- op.c ---- */

/* The run at hand has measured this event. */
void merge_measures(struct group *g, uint32_t event);
/* A run's records, so far on their own, are made one with those before.  0, or
 * -1 with the diag set. */
int merge_fold(struct merge *m, struct group *g);
/* A total has all events that it is of: those of the run at hand, or all. */
enum merge_scope { MERGE_RUN, MERGE_ALL };
void merge_fill_total(const struct group *g, struct rows *total,
    enum merge_scope scope);
/* All runs are in: what only the whole tells. */
void merge_end_runs(struct merge *m, struct group *g);
void merge_free_runs(struct group *g);

#endif
