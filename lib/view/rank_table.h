/* SPDX-License-Identifier: ISC */
/*
 * What a table shows: its columns and its rows in their order, before anything is
 * printed.  view_print() fills in the first members; table_choose() makes the others of
 * them (rank_choose.c), which are const from then on, to those who ask for numbers and names
 * (rank_table.c) as to those who print (rank_page.h).
 */
#ifndef PROF_VIEW_RANK_TABLE_H
#define PROF_VIEW_RANK_TABLE_H

#include "sum/growth.h"
#include "view/metric.h"
#include "view/view.h"

/* A formula: sums by their slots, times whole coefficients. */
struct terms {
	size_t n;
	struct term {
		size_t slot;
		num coef;
	} v[];
};

/* -1 if it does not fit. */
int terms_sum(const struct terms *of, const num *sums, num *out);

struct table {
	/* Others' own, which outlive it. */
	const struct view *v;
	const struct rank_request *q;
	const struct rank *r;
	const struct rank_heading *h;

	struct metric *metric;
	size_t nmetric;		/* of which v->nshow are shown */
	struct sort *sort;	/* at last the columns of the key */
	size_t nsort;
	struct value *order;	/* of rows */
	size_t kept;		/* the first ones, those in order; others are never shown */
	struct growth *growth;	/* by row; NULL: not asked for */
};

/* ---- rank_columns.c: by name ---- */

/* Adds an event or formula to t->metric, which has room for it.  0, or -1 with the diag of
 * the request set: there is none. */
int table_add_metric(struct table *t, struct text name);
/* What a column of TSV, or an event, is as something to sort by; may add a metric.  0, or
 * -1 in the same way. */
int table_find_column(struct table *t, struct text name, struct sort *s);
/* The value of a row in it; arg is the table. */
struct value table_column(const void *arg, uint32_t row, const struct sort *s);

/* ---- rank_minimum.c ---- */

/* Makes t->order, all rows, first the t->kept ones that --min keeps.  0, or -1 with the
 * diag of the request set. */
int table_keep(struct table *t);

/* ---- rank_choose.c ---- */

/* 0, or -1 with the diag of the request set: a column or an event is not there.
 * table_free() frees what was chosen, also after -1. */
int table_choose(struct table *t);
void table_free(struct table *t);

/* ---- rank_table.c ---- */

/* Of a row or an edge, by its sums; by the row and the number of the metric. */
struct value table_value(const struct metric *m, const num *sums);
struct value table_self(const struct table *t, size_t row, size_t metric);
struct value table_incl(const struct table *t, size_t row, size_t metric);
/* What thresholds are a share of: the total, of a change the larger of its sides. */
num table_whole(const struct table *t, const struct metric *m);
/* Is it a cost or a change of a difference, whose bounds programs are told? */
bool table_has_bounds(const struct table *t, size_t metric);
/* In what the true inclusive cost may differ: RANK_*, all of a formula's terms together. */
unsigned table_bound(const struct table *t, size_t row, size_t metric);
/* The same for programs: "exact", "least", "most", "neither"; absent if unknown. */
struct text table_bound_name(const struct table *t, size_t row, size_t metric);
/* What people are shown before an inclusive cost that is not what it says: a number, 0 for
 * none, as those of the legend from 1. */
unsigned table_mark(const struct table *t, size_t row, size_t metric);
/* That of a bound, of RANK_*. */
unsigned table_bound_mark(unsigned bound);
const char *table_mark_text(unsigned mark);
#define MARK_BOUND "~"
/* All of them, and what they mean; the last one's mark is NULL. */
struct table_legend {
	const char *mark, *says;
};
const struct table_legend *table_legend(const struct table *t);
/* A bit for each one of the legend; those of a row. */
unsigned table_mark_bit(unsigned mark);
unsigned table_row_marks(const struct table *t, size_t row);
/* Is this more than all there is? */
bool table_is_over(const struct metric *m, struct value v);
struct value table_calls(const struct table *t, size_t row);
/* Of a profile with points: how many sizes of inputs, the smallest, the largest. */
enum { SIZE_COUNT, SIZE_LEAST, SIZE_MOST, SIZES };
extern const char *const table_size_name[SIZES];
struct value table_size(const struct table *t, size_t row, size_t which);
/* The law, where t->growth is set. */
struct value table_growth(const struct table *t, size_t row);

/* Is the first metric a change? */
bool table_is_diff(const struct table *t);
/* Its change, as changes sort: without the sign. */
struct value table_change(const struct table *t, size_t row);
num table_magnitude(num change);

#define TABLE_KEYS (BY_KINDS + 2)	/* the most columns a row's key has as text */

/* Is this one of the keys that rows are by? */
bool table_by(const struct rank_request *q, enum group_by by);
/* The text columns of a key, and what each is: a function is three, less those
 * that the list names itself.  tmp (NUM_TEXT) holds a line's number. */
size_t table_keys(const struct rank_request *q, enum group_by keys[TABLE_KEYS]);
void table_key_texts(const struct rank_request *q, const uint64_t *key, struct text *t,
    char *tmp);
/* One of the text columns, to sort by. */
struct value table_key(const struct table *t, size_t row, size_t column);

/* How many rows are shown. */
size_t table_limit(const struct table *t);

#endif
