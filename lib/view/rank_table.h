/* SPDX-License-Identifier: ISC */
/*
 * A table of a ranking: its columns and its rows in their order, before anything is
 * printed. view_print() fills in the first members; table_choose() computes the others from
 * them (rank_choose.c).  From then on they are const for the functions for numbers and
 * names (rank_table.c) and for printing (rank_page.h).
 */
#ifndef PROF_VIEW_RANK_TABLE_H
#define PROF_VIEW_RANK_TABLE_H

#include "sum/growth.h"
#include "view/metric.h"
#include "view/view.h"

struct table {
	/* Borrowed; must outlive the table. */
	const struct view *v;
	const struct rank_request *q;
	const struct rank *r;
	const struct rank_heading *h;

	struct metric *metric;
	size_t nmetric;		/* the first v->nshow are shown */
	struct sort *sort;	/* the columns of the key come last */
	size_t nsort;
	struct value *order;	/* of rows */
	size_t kept;		/* number of rows to show, which come first in `order` */
	struct growth *growth;	/* by row; NULL: not wanted */
};

/* ---- rank_columns.c: by name ---- */

/* Adds an event or formula to t->metric, which has room for it.  0, or -1 with the diag of
 * the request set: it does not exist. */
int table_add_metric(struct table *t, struct text name);
/* Sets *s to sort by a column of TSV, or by an event; may add a metric.  0, or -1 with the
 * diag of the request set. */
int table_find_column(struct table *t, struct text name, struct sort *s);
/* Returns the value of a row in a sorted column; arg is the table. */
struct value table_column(const void *arg, uint32_t row, const struct sort *s);

/* ---- rank_minimum.c ---- */

/* Makes t->order from all rows; the t->kept ones that --min keeps come first.  0, or -1
 * with the diag of the request set. */
int table_keep(struct table *t);

/* ---- rank_choose.c ---- */

/* Chooses everything: 0, or -1 with the diag of the request set: a column or an event does
 * not exist. table_free() must be called even after -1. */
int table_choose(struct table *t);
/* Notes events that some parts lack.  The heading counts all parts, even those without the
 * first event; a formula is of the parts that have all of its events. */
void table_tell_absent(const struct table *t);
void table_free(struct table *t);

/* ---- rank_table.c ---- */

/* Return the value of a metric: of any sums; of a row by its number. */
struct value table_value(const struct metric *m, const num *sums);
struct value table_self(const struct table *t, size_t row, size_t metric);
struct value table_incl(const struct table *t, size_t row, size_t metric);
/* Returns the base of thresholds: the total; for a change the larger total of its sides. */
num table_whole(const struct table *t, const struct metric *m);
/* Is it a cost or a change of a difference, with columns for bounds in TSV and JSON? */
bool table_has_bounds(const struct table *t, size_t metric);
/* Returns how the inclusive cost may differ from the true one: RANK_*, for all terms of a
 * formula together. */
unsigned table_bound(const struct table *t, size_t row, size_t metric);
/* The same for TSV and JSON: "exact", "least", "most", "neither"; absent if unknown. */
struct text table_bound_name(const struct table *t, size_t row, size_t metric);
/* Returns the mark before an inclusive cost that is not exact: 0 for none, otherwise its
 * number in the legend, from 1. */
unsigned table_mark(const struct table *t, size_t row, size_t metric);
/* Returns the mark of a bound, RANK_*. */
unsigned table_bound_mark(unsigned bound);
const char *table_mark_text(unsigned mark);
#define MARK_BOUND "~"
/* All marks and their meanings; the last one's mark is NULL. */
struct table_legend {
	const char *mark, *meaning;
};
const struct table_legend *table_legend(const struct table *t);
/* Return a bit for a mark of the legend; the bits of a row's marks. */
unsigned table_mark_bit(unsigned mark);
unsigned table_row_marks(const struct table *t, size_t row);
/* Is this more than the total? */
bool table_is_over(const struct metric *m, struct value v);
struct value table_calls(const struct table *t, size_t row);
/* For a profile with points: the number of input sizes, the smallest, the largest. */
enum { SIZE_COUNT, SIZE_LEAST, SIZE_MOST, SIZES };
extern const char *const table_size_name[SIZES];
struct value table_size(const struct table *t, size_t row, size_t which);
/* Returns the growth law of a row, if t->growth is set. */
struct value table_growth(const struct table *t, size_t row);

/* Is the first metric a change? */
bool table_is_diff(const struct table *t);
/* Returns its change without the sign, by which changes are sorted. */
struct value table_change(const struct table *t, size_t row);
num table_magnitude(num change);

#define TABLE_KEYS (BY_KINDS + 2)	/* the most columns a row's key has as text */

/* Are rows grouped by this key? */
bool table_by(const struct rank_request *q, enum group_by by);
/* Return the text columns of a key, and their texts: a function is three columns, less
 * those that the list itself names. tmp (NUM_TEXT) gets a line's number. */
size_t table_keys(const struct rank_request *q, enum group_by keys[TABLE_KEYS]);
void table_key_texts(const struct rank_request *q, const uint64_t *key, struct text *t,
    char *tmp);
/* Returns one of the text columns, for sorting. */
struct value table_key(const struct table *t, size_t row, size_t column);

/* Begin to load what rows from the number i of the order on need, which may be anywhere in
 * memory: of one row all but its names, or of several all. limit: the end of those to come. */
void table_prefetch_costs(const struct table *t, size_t i, size_t limit);
void table_prefetch(const struct table *t, size_t i, size_t limit);

/* Return the first row that is shown, and the end of these. */
size_t table_first(const struct table *t);
size_t table_limit(const struct table *t);

#endif
