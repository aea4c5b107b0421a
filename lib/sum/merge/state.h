/* SPDX-License-Identifier: ISC */
/*
 * The state of a merge, which the files of this directory share.
 *
 *	merge.c			parts and records in
 *	groups.c		groups of parts that are merged
 *	rows.c			records as rows of sums
 *	plain_costs.c		plain costs, which need no rows:
 *	canonical.c		equivalent definitions, also under --by
 *	facts.c			combined metadata
 *	events.c		combined events
 *	line_costs.c		costs at lines, which are most of the records
 *	addr_costs.c		costs at addresses, also most of them
 *	op.c			--op other than sums: one number from those of all runs
 *	runs.c			what each run has measured
 *	reduce.c		the least, the largest or the median
 *	mean.c			means and their statistics
 *	order.c			sums beyond 128 bits in any order
 *	unknown_values.c	which values are not known
 *	write*.c		normal form (writer.h)
 *	diff*.c			the difference of two merges (diff_state.h)
 */
#ifndef PROF_SUM_MERGE_STATE_H
#define PROF_SUM_MERGE_STATE_H

#include "addr_costs.h"
#include "line_costs.h"
#include "stream/event.h"
#include "stream/name_index.h"
#include "stream/part.h"
#include "stream/sums.h"
#include "sum/extra_columns.h"
#include "sum/merge.h"

/* ---- canonical.c ---- */

/*
 * Definitions that differ in attributes only are equivalent, and --by makes more of them
 * so.  The canonical one is the definition without attributes.
 */
struct canonical {
	struct dict *dict;
	bool all;		/* without --by */
	bool keeps[BY_KINDS];	/* the properties in --by */
	struct {
		uint32_t *of;	/* by definition: its canonical one + 1 */
		uint32_t *attrs;	/* by canonical one: attributes, a string + 1, */
		uint32_t *more;		/* and others to be merged, an index + 1 */
		uint32_t *used;	/* canonical ones */
		size_t capof, capattrs, capmore, n, capused;
	} defs[DEFS];
	struct more_attrs {
		uint32_t attrs, next;	/* an index + 1 */
	} *more;
	size_t nmore, capmore;
};

void canonical_free(struct canonical *c);

/* Return the canonical definition; NO_ID for NO_ID. */
uint32_t canonical_object(struct canonical *c, uint64_t object);
uint32_t canonical_file(struct canonical *c, uint64_t file);
/* file: the file of the line, which becomes the function's if --by has files but not
 * functions; set to the file that remains for the line. */
uint32_t canonical_func(struct canonical *c, uint64_t func, uint64_t *file);
uint32_t canonical_ctx(struct canonical *c, uint64_t ctx);

/* Returns the attributes of a canonical definition, those of all that it stands for: a string
 * + 1, or 0. */
uint32_t canonical_attrs(struct canonical *c, enum rec_kind kind, uint32_t id);

/* The most bytes of attributes of an event or of parts: each that has others takes as long as
 * all before. */
#define MOST_ATTRS (16 << 10)

/* Merges two attribute lists: all keys, sorted; of two values the smaller one. */
void merge_attrs(struct buf *out, struct text a, struct text b);
/* Returns the attributes sorted by key; borrowed from b or the list. */
struct text sort_attrs(struct buf *b, struct text list);

/* ---- facts.c ---- */

struct fact {
	struct buf key, values;	/* values: one per line, as in the stream */
	bool differ;		/* not the same in all parts: must be sorted */
};

struct facts {
	struct fact *v;
	size_t n, cap;
	struct name_index keys;	/* indices in v */
	struct name_index lines;	/* of united metadata: key, newline, line */
};

void facts_add(struct facts *f, const struct record *meta);
const struct fact *facts_find(const struct facts *f, const char *key);
/* Joins the metadata of several parts: keeps the values that all parts have, and filters,
 * estimates and losses of any part. */
void facts_join(struct facts *all, const struct facts *part, bool first);
/* After all parts were joined: sorts those that differ, so that the result does not depend
 * on the order of the parts. */
void facts_sort(struct facts *f);
void facts_clear(struct facts *f);	/* keeps the memory */
void facts_free(struct facts *f);

/* ---- merge.c ---- */

/* Totals also have a key. */
#define ROW_KINDS (REC_TOTAL - REC_COST + 1)
#define KEY_WORDS (2 * REC_COLS + 1)

/* The last part that had a row, and the first event whose value it has not given: omitted
 * values of the events before it are 0. */
struct known {
	uint64_t part;
	size_t from;
};

/* The records of a kind. */
struct rows {
	const struct rec_def *def;
	struct sums t;
	size_t nkey, nsum;	/* words of a key; columns that are summed, */
	unsigned char role[REC_COLS];	/* and how: enum col_role */
	struct known *known;	/* by row, if there are many events */
	size_t capknown;
	unsigned __int128 *below;	/* by event, for sums: the negative part of all
					 * values */
	size_t capbelow;
	struct sums unknown;	/* rows and events with a value that is not known; used by
				 * unknown_values.c */
	uint64_t *per;		/* by summed column, for means: the divisor; NULL: 1 */
};

/* The rows of a kind in earlier runs.  Runs are numbered from 1. */
struct past {
	uint32_t last[REC_COLS], times[REC_COLS];	/* by summed column: the last run
				 * that measured it, and how many did */
	/* Folded: */
	uint32_t *when;		/* by row: the last run that had it */
	size_t capwhen;
	/* Kept: */
	struct had {
		uint32_t run, next;	/* next: the previous one of the same row, + 1 */
		size_t from, n;	/* its numbers in val */
	} *had;
	uint32_t *newest;	/* by row: index in had + 1 */
	num *val;
	size_t nhad, caphad, capnewest, nval, capval;
};

/* A run has measured an event; a part of it does not state the total of the event. */
enum { RUN_MEASURED = 1, RUN_ADDED_UP = 2 };

/* The runs of a group. */
struct runs {
	bool keeps;		/* their numbers are kept; otherwise they are folded into
				 * the group's rows */
	struct rows now[ROW_KINDS];	/* of the current run */
	struct past past[ROW_KINDS];
	uint32_t n;		/* number of runs before the current one */
	uint32_t *last, *times;	/* the same by event */
	unsigned char *had;	/* by event: what the current run had of it, RUN_* */
	uint32_t *measures;	/* events measured: by earlier runs, if these are kept; from
				 * atmeasures on by the current one */
	size_t atmeasures, nmeasures, capmeasures, caphad, caplast, captimes;
	struct run {
		uint32_t column[ROW_KINDS];	/* measured: a bit for each column */
		size_t from, n;	/* events, in measures, ascending */
	} *before;		/* by run - 1, where they are kept */
	size_t capbefore;
};

/* The kinds of positions that a part may list, in this order. */
enum position { POSITION_ADDR, POSITION_BB, POSITION_LINE, POSITIONS };
extern const char *const position_name[POSITIONS];

/* The source of a part's total: it is stated, or is the sum of its self costs. */
enum { TOTAL_STATED = 1, TOTAL_ADDED_UP = 2 };

/* A group of parts that are merged. */
struct group {
	uint64_t key[BY_KINDS];	/* of the metadata that --by names */
	struct facts facts;
	struct buf attrs;	/* of `part`, except its positions: */
	bool position[POSITIONS];
	struct events events;	/* in the order of sums in rows; after their sums come those
				 * of: */
	struct extra_columns extra;
	bool mixed;		/* some parts have other events, or another order */
	bool any;		/* it has a part */
	num runs, now;		/* before the current run, and in it */
	num skipped;		/* malformed lines of its parts */
	bool touched;		/* has the current run a part in it? */
	struct rows *rows[ROW_KINDS];	/* those of the empty merge as long as there are
					 * none: there may be a million groups */
	/* Costs of sums are here, until one of them is not plain. */
	struct line_costs line_costs;
	struct addr_costs addr_costs;
	unsigned char *totals;	/* by event: TOTAL_*, the sources of the parts' totals */
	size_t captotals;
	struct runs *over;	/* NULL: the operation is the sum */
};

struct merge {
	struct part_sink parts;	/* the first member, so that a pointer to it is one to this
				 * structure */
	struct merge_how how;
	struct canonical canonical;
	bool grouped;		/* by function */
	struct rows none[ROW_KINDS];
	struct group **group;
	size_t ngroup, capgroup;
	struct sums groups;	/* by their keys */
	size_t *touched, ntouched, captouched;	/* groups */

	/* The current part, in addition to parts.part, whose total includes self costs. */
	size_t at;		/* its group */
	struct facts facts;
	bool calls_joined;	/* a call came whose functions are merged with others */
	struct buf last_run;	/* of the previous part */
	num most_run;		/* the largest so far: decoders number runs upwards */
	struct buf file;	/* the file that it is in */
	long *column;		/* by measured event: its column in the group */
	size_t capcolumn;
	bool mapped;		/* some columns differ */
	uint64_t known;		/* the columns, if the group has no more than TABLE_WIDE */
	bool shared;		/* some columns are the same event, as they have one name */
	bool has_costs;
	bool reported_declared;
	/* The function and file of the previous cost, whose block the next plain costs
	 * belong to, and where that block is. */
	uint64_t last_func, last_file;
	bool in_addr_costs;
	uint64_t sums, values;	/* number of sums in rows, except totals; number of values
				 * read for them */
	num *self;		/* of the part, by event: sums of plain costs */
	uint64_t *plain;	/* scratch: the values of one cost */
	size_t capself, capplain;
	bool begun;		/* `prof` was put */
	struct buf scratch;
};

#define ROWS(g, kind) ((g)->rows[(kind) - REC_COST])

/* The events of the current part. */
static inline const struct events *
merge_events(const struct merge *m)
{
	return &m->parts.part.events;
}

/* Is this property part of a key? */
static inline bool
merge_keeps(const struct merge *m, enum group_by by)
{
	return m->canonical.all || m->canonical.keeps[by];
}

/* ---- groups.c ---- */

/* Goes to the group of the current part, by its metadata. */
void merge_find_group(struct merge *m);
/* Returns the only group of a merge that gets no records. */
struct group *merge_one_group(struct merge *m);
void merge_init_rows(struct rows *r, enum rec_kind kind);
/* Returns the rows of a kind, for adding one. */
struct rows *merge_make_rows(struct merge *m, struct group *g, enum rec_kind kind);
/* Checks that rows do not take much more memory than was read (sums_fits()).  0, or -1
 * with the diag set. */
int merge_check_room(const struct merge *m, const struct group *g);
/* Widens rows to all events of the group.  0, or -1 with the diag set. */
int merge_widen(struct merge *m, struct group *g);
void merge_free_group(struct merge *m, struct group *g);

/* ---- rows.c ---- */

/* Adds a record of the current part to its row.  0, or -1 with the diag set. */
int merge_put_row(struct merge *m, const struct record *r);
/* Returns the rows to which a record of the current part is added. */
struct rows *merge_rows_of(struct merge *m, enum rec_kind kind);
/*
 * Sets the words of a function and of the file of its line, which depend on each other if
 * --by lacks one of them.  The file is the column after the function's, or otherwise the
 * function's own, which has no word.  Returns the number of columns and words that it used.
 */
unsigned merge_key_of_func(struct merge *m, const struct record *r, unsigned col,
    uint64_t *word);
/* Adds to a sum, which may be NUM_ABSENT.  0, or -1 with the diag set. */
int merge_add(struct merge *m, num *sum, num v);
/* Sets the error that a sum does not fit: -1. */
int merge_overflow(struct merge *m);

/* ---- order.c ---- */

/* After all input: are sums the same in any order of it?  0, or -1 with the diag set. */
int merge_check_order(struct merge *m, struct group *g);

/* ---- unknown_values.c ---- */

/* A key in rows.unknown. */
enum { UNKNOWN_ROW, UNKNOWN_EVENT, UNKNOWN_KEYS };

/* Empties the list of unknown values. */
void merge_init_unknown(struct rows *r);
void merge_add_unknown(struct rows *r, size_t row, size_t event);
/* Notes which of the values added to a row are `-`, for the current part. */
void merge_note_unknown(struct merge *m, struct rows *rows, size_t row, struct text values);
/* Notes for all runs the values that the current run knows only in part. */
void merge_keep_unknown(struct group *g, unsigned kind);
/* Is a value unknown, or only partly known? */
bool merge_is_unknown(const struct merge *m, const struct group *g, enum rec_kind kind,
    size_t row, size_t event);
/* If unknown values are wanted (merge_how.unknown), sets unknown[] for the events that have one
 * in a record of the kind. */
void merge_find_unknown(const struct merge *m, const struct group *g, enum rec_kind kind,
    bool *unknown);

/* ---- plain_costs.c ---- */

/* Adds a plain cost; false if the cost, or one before it, is not plain. */
bool merge_put_plain(struct merge *m, const struct record *r);
/* Makes all of a group's costs rows.  0, or -1 with the diag set. */
int merge_expand(struct merge *m, struct group *g);

/* Returns the number of values of a row. */
static inline size_t
merge_columns(const struct group *g)
{
	return g->events.measured + g->extra.n;
}

/* ---- events.c ---- */

/* Adds an event to the group, or joins it with the event of this name.  0, or -1 with the
 * diag set: their units differ. */
int merge_add_event(struct merge *m, struct group *g, const struct event *e);
/* Has the part the events of the group, each once, in the same order? */
bool merge_same_order(const struct events *all, const struct events *part);

/* Returns the group's events in the order in which they are put, as indices; the caller
 * frees them. */
size_t *merge_event_order(struct group *g);
/* Multiplies an event's values by `by`, in parts of its unit, as event_rescaled() does. */
void merge_rescale(struct events *e, size_t column, uint64_t scale, uint64_t whole, num by);

/* Sets costs[] for the first event that has a cost, and perhaps for others.  Returns whether
 * any has. */
bool merge_find_costs(const struct group *g, bool *costs);
/* Returns the default event of a group; NULL: no event has a cost. */
const struct record *merge_default_of(const struct group *g);

/* ---- runs.c ---- */

/* Notes that the current run has measured this event. */
void merge_measures(struct group *g, uint32_t event);
/* Keeps the current run's rows of a kind. */
void merge_keep_rows(struct group *g, unsigned kind);
/* Notes the columns that the current run has measured, and begins the next run. */
void merge_note_run(struct group *g);

/* A number in the rows of a kind: column k, or an event; these come after the columns. */
struct number {
	const struct group *g;
	unsigned kind;
	size_t k;
};

/* Returns how the numbers of runs are combined. */
static inline enum col_role
merge_role(const struct number *of)
{
	const struct rows *r = of->g->rows[of->kind];

	return of->k < r->nsum ? (enum col_role)r->role[of->k] : ROLE_SUM;
}

/* The numbers of the runs: n values, and how many other runs count as 0.  If runs are
 * folded, one value for all that had the row, and whether other runs count. */
struct gathered {
	num *v;			/* room for one of each run, and for `now` */
	size_t n, zeros;
};
/* now: the number of the current run, or NUM_ABSENT. */
void merge_gather(const struct number *of, size_t row, num now, struct gathered *in);
/* Returns the number of one run, if they are kept, or NUM_ABSENT. */
num merge_number_in(const struct number *of, const struct had *h);
bool merge_has_measured(const struct number *of, uint32_t run);

/* ---- reduce.c ---- */

/* Returns the least, the largest or the median, by the operation or the column's role. */
num merge_reduce(enum merge_op op, enum col_role role, const struct gathered *in);

/* ---- op.c ---- */

/* Is the operation means, with or without their statistics? */
static inline bool
merge_op_is_mean(enum merge_op op)
{
	return op >= MERGE_MEAN;
}

/* Ends the current run: keeps its rows, or joins them with earlier ones. */
void merge_end_run(struct merge *m, struct group *g);
/* Ends all runs: their rows get the results of the operation.  0, or -1 with the diag
 * set. */
int merge_end_runs(struct merge *m);

/* ---- mean.c ---- */

/* Sets rows and events of all groups to the means of the runs and the other results of the
 * operation; `in` has room for the runs of any group.  0, or -1 with the diag set. */
int merge_make_means(struct merge *m, struct gathered *in);

#endif
