/* SPDX-License-Identifier: ISC */
/*
 * The state of a merge: what the files of this folder share.
 *
 *	merge.c		parts and records in
 *	groups.c	which parts are merged
 *	rows.c		records as rows of sums
 *	costs.c		plain costs, which need no rows:
 *	canon.c		equivalent definitions, also under --by
 *	facts.c		combined headers
 *	events.c	combined events
 *	compact.c	costs at lines, which are most of the records
 *	spots.c		costs at addresses, which are, too
 *	op.c		--op other than sums: runs against each other
 *	kept.c		what each of them has had
 *	mean.c		their means and what goes with these
 *	order.c		sums beyond 128 bits, in whatever order
 *	unknown.c	what a sum does not say: which values are not known
 *	write*.c	normal form (writer.h)
 *	diff*.c		the difference of two merges (difference.h)
 */
#ifndef PROF_SUM_MERGE_STATE_H
#define PROF_SUM_MERGE_STATE_H

#include "compact.h"
#include "spots.h"
#include "stream/event.h"
#include "stream/lookup.h"
#include "stream/sums.h"
#include "stream/total.h"
#include "sum/beside.h"
#include "sum/merge.h"

/* ---- canon.c ---- */

/*
 * Definitions that differ in attributes only are equivalent, and --by makes more of them
 * equivalent.  The canonical one is the definition without attributes.
 */
struct canon {
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

void canon_free(struct canon *c);

/* NO_ID for NO_ID. */
uint32_t canon_object(struct canon *c, uint64_t object);
uint32_t canon_file(struct canon *c, uint64_t file);
/* file: that of the line, which becomes the function's if --by has files but not
 * functions; set to what is left of it. */
uint32_t canon_func(struct canon *c, uint64_t func, uint64_t *file);
uint32_t canon_ctx(struct canon *c, uint64_t ctx);

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
	struct lookup keys;	/* indices in v */
	struct lookup lines;	/* of united facts: key, newline, line */
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
	size_t nkey, nsum;	/* words of a key; columns that are summed */
	struct known *known;	/* by row, where events are many */
	size_t capknown;
	unsigned __int128 *below;	/* by event: what is negative of all values, for sums */
	size_t capbelow;
	struct sums unknown;	/* rows and events with a value that is not known; their own
				 * concern (unknown.c) */
};

/* For --op other than sums: what runs had of the rows of a kind.  Runs are numbered
 * from 1. */
struct runs {
	uint32_t last[REC_COLS], n[REC_COLS];	/* by summed column: the last run
				 * that measured it, and how many did */
	uint32_t *when;		/* by row: the last run that had it */
	size_t capwhen;
	uint64_t per[REC_COLS];	/* by summed column, of means: so many are one; 0: 1 is */
	/* For what needs all runs at once: what each run had of a row. */
	struct had {
		uint32_t run, next;	/* next: the one before of the same row, + 1 */
		size_t from, n;	/* its numbers in val */
	} *had;
	uint32_t *newest;	/* by row: index in had + 1 */
	num *val;
	size_t nhad, caphad, capnewest, nval, capval;
};

/* What a run has measured, for the same. */
struct run {
	uint32_t column[ROW_KINDS];	/* a bit for each column */
	size_t from, n;		/* events, in group.measures, ascending */
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
	struct beside beside;
	bool mixed;		/* not all parts had the same events in one order */
	bool any;		/* a part has come */
	num runs, now;		/* before, and in the current run */
	bool touched;		/* by the current run */
	struct rows rows[ROW_KINDS];
	/* For sums, costs are here instead, until one is not plain. */
	struct compact compact;
	struct spots spots;

	/* By kind of row, the current run, and those before it.  For sums NULL, and all of
	 * nothing, one for all groups. */
	struct rows *run;
	struct runs *over;
	bool *has;		/* by event: the current run has measured it */
	unsigned char *totals;	/* by event: TOTAL_*, where parts have their totals from */
	uint32_t *measures;	/* events measured: by earlier runs, where they are kept;
				 * from atmeasures by the current one */
	size_t atmeasures, nmeasures, capmeasures, caphas, captotals;
	uint32_t nruns;		/* before */
	uint32_t *last, *n;	/* by event, as for columns */
	size_t caplast, capn;
	struct run *before;	/* by run - 1, where they are kept */
	size_t capbefore;
};

struct merge {
	struct merge_how how;
	struct sink sink;
	struct canon canon;
	bool grouped;		/* by function */
	struct group **group;
	size_t ngroup, capgroup;
	struct sums groups;	/* by their keys */
	size_t *touched, ntouched, captouched;	/* groups */

	/* The current part. */
	bool in_part, in_header;
	size_t at;		/* its group */
	uint64_t nparts;	/* so far */
	struct facts facts;
	bool calls_joined;	/* a call came whose functions are merged into others */
	struct buf part_attrs, run, last_run;
	struct buf file;	/* that it is in */
	struct events events;
	long *column;		/* by measured event: its column in the group */
	size_t capcolumn;
	bool mapped;		/* some columns differ */
	bool shared;		/* some are of one event, as they have one name */
	struct total total;
	bool has_costs;
	bool reported_declared;
	/* The function and file of the previous cost, to whose block the next plain
	 * ones belong, and where that is. */
	uint64_t last_func, last_file;
	bool in_spots;
	uint64_t sums, values;	/* sums in rows, except totals; values read for them */
	num *self;		/* of the part, by event: sums of plain costs */
	uint64_t *plain;	/* scratch: the values of one */
	size_t capself, capplain;
	bool begun;		/* `prof` was put */
	struct buf scratch;
};

#define ROWS(g, kind) (&(g)->rows[(kind) - REC_COST])

/* Is it part of a key? */
static inline bool
merge_keeps(const struct merge *m, enum group_by by)
{
	return m->canon.all || m->canon.keeps[by];
}

/* ---- groups.c ---- */

/* Goes to the group of the current part, by its facts. */
void merge_find_group(struct merge *m);
/* The only group of a merge into which no records come. */
struct group *merge_one_group(struct merge *m);
/* Checks that rows do not take much more memory than was read (sums_fits()).  0, or -1
 * with the diag set. */
int merge_check_room(const struct merge *m, const struct group *g);
/* Widens rows to all events of the group.  0, or -1 with the diag set. */
int merge_widen(struct merge *m, struct group *g);
void merge_free_group(struct group *g);

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

/* ---- unknown.c ---- */

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

/* ---- costs.c ---- */

/* Adds a plain cost; false if it is not, or if one before was not. */
bool merge_put_plain(struct merge *m, const struct record *r);
/* Makes all of a group's costs rows.  0, or -1 with the diag set. */
int merge_expand(struct merge *m, struct group *g);

/* How many values a row has. */
static inline size_t
merge_columns(const struct group *g)
{
	return g->events.measured + g->beside.n;
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

/* The event of a group that is shown where none is asked for; NULL: none has a cost. */
const struct record *merge_default_of(const struct group *g);

/* ---- kept.c ---- */

/* The columns that are summed, one by one; false after the last one. */
bool merge_next_column(const struct rec_def *def, unsigned *at, enum col_role *role);
/* If a run has measured the column but lacks the row, does that count as 0?  known: what
 * others have there, for kinds where all have `-` or none. */
bool merge_lacks_as_zero(enum col_role role, num known);

/* Keeps all that the current run has of a kind, and what it has measured. */
void merge_keep_rows(struct group *g, unsigned kind);
void merge_keep_run(struct group *g, struct run *run);

/* A number of a row where runs are kept: column k, or an event, which come after the
 * columns. */
struct number {
	const struct group *g;
	unsigned kind;
	enum col_role role;
	size_t k;
};

/* Goes through the numbers of a kind's rows; `at` begins with 0.  False after the last. */
#define MERGE_NUMBERS(group, of_kind) { .g = (group), .kind = (of_kind), .k = SIZE_MAX }
bool merge_next_number(struct number *of, unsigned *at);

/* What runs have there: n values, and how many more runs count as 0. */
struct gathered {
	num *v;			/* room for one of each run */
	size_t n, zeros;
};
void merge_gather(const struct number *of, size_t row, struct gathered *in);
/* What one of them has; ABSENT. */
num merge_number_in(const struct number *of, const struct had *h);
bool merge_has_measured(const struct number *of, uint32_t run);

/* ---- op.c ---- */

/* The current run has measured this event. */
void merge_measures(struct group *g, uint32_t event);
/* Joins a run's records, kept apart so far, with those before.  0, or -1 with the diag
 * set. */
int merge_fold(struct merge *m, struct group *g);
/* After all runs: computes what needs all of them.  0, or -1 with the diag set. */
int merge_end_runs(struct merge *m);
void merge_free_runs(struct group *g);

/* ---- mean.c ---- */

/* Sets rows and events of all groups to the means of the runs and what else the operation
 * makes; `in` has room for the runs of any group.  0, or -1 with the diag set. */
int merge_make_means(struct merge *m, struct gathered *in);

#endif
