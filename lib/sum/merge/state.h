/* SPDX-License-Identifier: ISC */
/*
 * The state of a merge: what the files of this folder share.
 *
 *	merge.c			parts and records in
 *	groups.c		which parts are merged
 *	rows.c			records as rows of sums
 *	plain_costs.c		plain costs, which need no rows:
 *	canonical.c		equivalent definitions, also under --by
 *	facts.c			combined headers
 *	events.c		combined events
 *	line_costs.c		costs at lines, which are most of the records
 *	addr_costs.c		costs at addresses, which are, too
 *	op.c			--op other than sums: runs against each other
 *	runs.c			what each of them has measured, and has had
 *	reduce.c		one number of theirs
 *	mean.c			their means and what goes with these
 *	order.c			sums beyond 128 bits, in whatever order
 *	unknown_values.c	what a sum does not say: which values are not known
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
 * equivalent.  The canonical one is the definition without attributes.
 */
struct canonical {
	struct dict *dict;
	bool all;		/* without --by */
	bool keeps[BY_KINDS];	/* what --by names */
	struct {
		uint32_t *of;	/* by definition: its canonical one + 1 */
		uint32_t *attrs;	/* by canonical one: attributes, a string + 1 */
		uint32_t *used;	/* canonical ones */
		size_t capof, capattrs, n, capused;
	} defs[DEFS];
};

void canonical_free(struct canonical *c);

/* NO_ID for NO_ID. */
uint32_t canonical_object(struct canonical *c, uint64_t object);
uint32_t canonical_file(struct canonical *c, uint64_t file);
/* file: that of the line, which becomes the function's if --by has files but not
 * functions; set to what is left of it. */
uint32_t canonical_func(struct canonical *c, uint64_t func, uint64_t *file);
uint32_t canonical_ctx(struct canonical *c, uint64_t ctx);

/* Merges two attribute lists: all keys, sorted; of two values the smaller one. */
void merge_attrs(struct buf *out, struct text a, struct text b);
/* The attributes sorted by key; borrowed from b or the list. */
struct text sort_attrs(struct buf *b, struct text list);

/* ---- facts.c ---- */

struct fact {
	struct buf key, values;	/* values: one per line, as in the stream */
	bool differ;		/* not the same in all parts: to be sorted */
};

struct facts {
	struct fact *v;
	size_t n, cap;
	struct name_index keys;	/* indices in v */
	struct name_index lines;	/* of united facts: key, newline, line */
};

void facts_add(struct facts *f, const struct record *meta);
const struct fact *facts_find(const struct facts *f, const char *key);
/* Joins the facts of several parts: keeps the values that all have, and filters and
 * estimates of any. */
void facts_join(struct facts *all, const struct facts *part, bool first);
/* After all parts were joined: sorts what differs, so that it does not depend on their
 * order. */
void facts_sort(struct facts *f);
void facts_clear(struct facts *f);	/* keeps the memory */
void facts_free(struct facts *f);

/* ---- merge.c ---- */

/* Totals have a key, too. */
#define ROW_KINDS (REC_TOTAL - REC_COST + 1)
#define KEY_WORDS (2 * REC_COLS + 1)

/* The last part that had a row, and the first of the events that it has given all of:
 * omitted values of these are 0. */
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
	struct known *known;	/* by row, where events are many */
	size_t capknown;
	unsigned __int128 *below;	/* by event: what is negative of all values, for sums */
	size_t capbelow;
	struct sums unknown;	/* rows and events with a value that is not known; their own
				 * concern (unknown_values.c) */
	uint64_t *per;		/* by summed column, of means: so many are one; NULL: 1 is */
};

/* The rows of a kind over the runs before.  Runs are numbered from 1. */
struct past {
	uint32_t last[REC_COLS], times[REC_COLS];	/* by summed column: the last run
				 * that measured it, and how many did */
	/* Folded: */
	uint32_t *when;		/* by row: the last run that had it */
	size_t capwhen;
	/* Kept: */
	struct had {
		uint32_t run, next;	/* next: the one before of the same row, + 1 */
		size_t from, n;	/* its numbers in val */
	} *had;
	uint32_t *newest;	/* by row: index in had + 1 */
	num *val;
	size_t nhad, caphad, capnewest, nval, capval;
};

/* The runs of a group. */
struct runs {
	bool keeps;		/* their numbers: else these are folded into the group's rows */
	struct rows now[ROW_KINDS];	/* of the current run */
	struct past past[ROW_KINDS];
	uint32_t n;		/* before the current one */
	uint32_t *last, *times;	/* by event, as for columns */
	bool *has;		/* by event: the current run has measured it */
	uint32_t *measures;	/* events measured: by earlier runs, where they are kept;
				 * from atmeasures by the current one */
	size_t atmeasures, nmeasures, capmeasures, caphas, caplast, captimes;
	struct run {
		uint32_t column[ROW_KINDS];	/* measured: a bit for each column */
		size_t from, n;	/* events, in measures, ascending */
	} *before;		/* by run - 1, where they are kept */
	size_t capbefore;
};

/* What `positions` of a part may list, in this order. */
enum position { POSITION_ADDR, POSITION_BB, POSITION_LINE, POSITIONS };
extern const char *const position_name[POSITIONS];

/* A part states its total, or it is the sum of its self costs. */
enum { TOTAL_STATED = 1, TOTAL_ADDED_UP = 2 };

/* Parts that are merged. */
struct group {
	uint64_t key[BY_KINDS];	/* of the facts that --by names */
	struct facts facts;
	struct buf attrs;	/* of `part`, except its positions: */
	bool position[POSITIONS];
	struct events events;	/* the sums' order in rows; after them come those of: */
	struct extra_columns extra;
	bool mixed;		/* not all parts had the same events in one order */
	bool any;		/* a part has come */
	num runs, now;		/* before, and in the current run */
	bool touched;		/* by the current run */
	struct rows *rows[ROW_KINDS];	/* those of the merge that has none, as long as there
				 * are none: groups may be a million */
	/* For sums, costs are here instead, until one is not plain. */
	struct line_costs line_costs;
	struct addr_costs addr_costs;
	unsigned char *totals;	/* by event: TOTAL_*, where parts have their totals from */
	size_t captotals;
	struct runs *over;	/* NULL: for sums */
};

struct merge {
	struct part_sink parts;	/* first, so that it is this structure, too */
	struct merge_how how;
	struct canonical canonical;
	bool grouped;		/* by function */
	struct rows none[ROW_KINDS];
	struct group **group;
	size_t ngroup, capgroup;
	struct sums groups;	/* by their keys */
	size_t *touched, ntouched, captouched;	/* groups */

	/* The current part, besides parts.part; its total has self costs, too. */
	size_t at;		/* its group */
	struct facts facts;
	bool calls_joined;	/* a call came whose functions are merged into others */
	struct buf last_run;	/* of the part before */
	struct buf file;	/* that it is in */
	long *column;		/* by measured event: its column in the group */
	size_t capcolumn;
	bool mapped;		/* some columns differ */
	bool shared;		/* some are of one event, as they have one name */
	bool has_costs;
	bool reported_declared;
	/* The function and file of the previous cost, to whose block the next plain
	 * ones belong, and where that is. */
	uint64_t last_func, last_file;
	bool in_addr_costs;
	uint64_t sums, values;	/* sums in rows, except totals; values read for them */
	num *self;		/* of the part, by event: sums of plain costs */
	uint64_t *plain;	/* scratch: the values of one */
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

/* Is it part of a key? */
static inline bool
merge_keeps(const struct merge *m, enum group_by by)
{
	return m->canonical.all || m->canonical.keeps[by];
}

/* ---- groups.c ---- */

/* Goes to the group of the current part, by its facts. */
void merge_find_group(struct merge *m);
/* The only group of a merge into which no records come. */
struct group *merge_one_group(struct merge *m);
void merge_init_rows(struct rows *r, enum rec_kind kind);
/* The rows of a kind, to which one is added. */
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
/* The rows to which a record of the current part is added. */
struct rows *merge_rows_of(struct merge *m, enum rec_kind kind);
/*
 * The words of a function and of the file of its line, which depend on each other if
 * --by lacks one of them.  The file is the column after the function's, or else the
 * function's own, which has no word.  Returns how many columns and words it used.
 */
unsigned merge_key_of_func(struct merge *m, const struct record *r, unsigned col,
    uint64_t *word);
/* Adds to a sum, which may be ABSENT.  0, or -1 with the diag set. */
int merge_add(struct merge *m, num *sum, num v);
/* Says that a sum does not fit: -1. */
int merge_overflow(struct merge *m);

/* ---- order.c ---- */

/* All is in: are sums the same in whatever order it came?  0, or -1 with the diag set. */
int merge_check_order(struct merge *m, struct group *g);

/* ---- unknown_values.c ---- */

/* A key in rows.unknown. */
enum { UNKNOWN_ROW, UNKNOWN_EVENT, UNKNOWN_KEYS };

/* An empty list of what is not known. */
void merge_init_unknown(struct rows *r);
void merge_add_unknown(struct rows *r, size_t row, size_t event);
/* Notes which of the values added to a row, those of the current part, are `-`. */
void merge_note_unknown(struct merge *m, struct rows *rows, size_t row, struct text values);
/* Notes the same of all runs for what the current run knows in part. */
void merge_keep_unknown(struct group *g, unsigned kind);
/* Is not all of a value known? */
bool merge_is_unknown(const struct merge *m, const struct group *g, enum rec_kind kind,
    size_t row, size_t event);
/* Sets unknown[] for the events that have such a value in a record of the kind, where that is
 * asked for. */
void merge_find_unknown(const struct merge *m, const struct group *g, enum rec_kind kind,
    bool *unknown);

/* ---- plain_costs.c ---- */

/* Adds a plain cost; false if it is not, or if one before was not. */
bool merge_put_plain(struct merge *m, const struct record *r);
/* Makes all of a group's costs rows.  0, or -1 with the diag set. */
int merge_expand(struct merge *m, struct group *g);

/* How many values a row has. */
static inline size_t
merge_columns(const struct group *g)
{
	return g->events.measured + g->extra.n;
}

/* ---- events.c ---- */

/* Adds an event to the group, or joins it with the one it has.  0, or -1 with the diag
 * set: they have different units. */
int merge_add_event(struct merge *m, struct group *g, const struct event *e);
/* Does the part have the events of the group, each once, in the same order? */
bool merge_same_order(const struct events *all, const struct events *part);

/* The group's events in the order in which they are put, as indices; to be freed. */
size_t *merge_event_order(struct group *g);
/* Makes an event's values `by` times what they were, in parts of its unit, as
 * event_rescaled() does. */
void merge_rescale(struct events *e, size_t column, uint64_t scale, uint64_t whole, num by);

/* Sets costs[] for the events that have one, if the first has none; does any? */
bool merge_find_costs(const struct group *g, bool *costs);
/* The event of a group that is shown where none is asked for; NULL: none has a cost. */
const struct record *merge_default_of(const struct group *g);

/* ---- runs.c ---- */

/* The current run has measured this event. */
void merge_measures(struct group *g, uint32_t event);
/* Keeps all that the current run has of a kind. */
void merge_keep_rows(struct group *g, unsigned kind);
/* Notes what the current run has measured, and begins the next one. */
void merge_note_run(struct group *g);

/* A number of the rows of a kind: column k, or an event, which come after the columns. */
struct number {
	const struct group *g;
	unsigned kind;
	size_t k;
};

/* How runs combine there. */
static inline enum col_role
merge_role(const struct number *of)
{
	const struct rows *r = of->g->rows[of->kind];

	return of->k < r->nsum ? (enum col_role)r->role[of->k] : ROLE_SUM;
}

/* What runs have there: n values, and how many more runs count as 0; of runs that are folded
 * one value of all that had the row, and whether any more count. */
struct gathered {
	num *v;			/* room for one of each run, and for `now` */
	size_t n, zeros;
};
/* now: what the current run has; ABSENT. */
void merge_gather(const struct number *of, size_t row, num now, struct gathered *in);
/* What one of them has, where they are kept; ABSENT. */
num merge_number_in(const struct number *of, const struct had *h);
bool merge_has_measured(const struct number *of, uint32_t run);

/* ---- reduce.c ---- */

/* The least, the largest or the median, as the operation or the column's role asks for. */
num merge_reduce(enum merge_op op, enum col_role role, const struct gathered *in);

/* ---- op.c ---- */

/* Is it means, and what goes with these? */
static inline bool
merge_op_is_mean(enum merge_op op)
{
	return op >= MERGE_MEAN;
}

/* The current run is over: keeps its rows, or joins them with those before. */
void merge_end_run(struct merge *m, struct group *g);
/* All runs are over: their rows become what the operation makes of them.  0, or -1 with the
 * diag set. */
int merge_end_runs(struct merge *m);

/* ---- mean.c ---- */

/* Sets rows and events of all groups to the means of the runs and what else the operation
 * makes; `in` has room for the runs of any group.  0, or -1 with the diag set. */
int merge_make_means(struct merge *m, struct gathered *in);

#endif
