/* SPDX-License-Identifier: ISC */
/*
 * Printing a ranking: an aligned text table, TSV, JSON.
 */
#ifndef PROF_VIEW_VIEW_H
#define PROF_VIEW_VIEW_H

#include "io/output.h"
#include "sum/gate.h"
#include "sum/value_profiles.h"
#include "util/match.h"
#include "view/page.h"

enum view_form { VIEW_TEXT, VIEW_TSV, VIEW_JSON };

/* A minimum for rows: "Ir>1000", "calls>=10", "1%", which is that share or more in the
 * column that rows are sorted by. */
struct view_min {
	struct text column;	/* absent: the column that rows are sorted by */
	num n;			/* in millionths, of a unit or of a percent */
	bool percent, above;	/* above: n itself is not enough */
};
/* Parses t: false if it is malformed.  It must outlive the result. */
bool view_min_get(struct text t, struct view_min *out);

struct view {
	enum view_form form;
	struct text *show;	/* events and formulas, also "A / B" */
	size_t nshow;
	struct text *sort;	/* columns, by their names in TSV, or events */
	size_t nsort;
	bool reverse;
	struct view_min *min;	/* a row must reach all of these */
	size_t nmin;
	size_t skip;		/* rows before the first one, in text */
	uint64_t most;		/* rows; 0: all */
	size_t width;		/* of the table; 0: unbounded */
	bool scaled;		/* costs in readable units, such as ms if there are many
				 * ns */
	bool color;
	struct page_items *items;	/* rows; NULL: not wanted */
	bool growth;		/* also the growth of costs with the size of the input */
	const bool *only;	/* in a difference: the rows that are shown; NULL: those
				 * that have changed */
	const struct significance *significance;	/* in a difference between several
							 * runs: only significant rows are
							 * shown; NULL: there is one run */
	const struct match *callers, *callees;	/* blocks of these; NULL: none */
	const struct value_profiles *values;	/* blocks of these; NULL: none */
};

/* Returns the event whose self or inclusive cost a column to sort by has; absent if it has
 * none. */
struct text view_event_of(struct text column);

/* Reports by the diag of the request the growth over the limits, certain or possible, that
 * did not make the gate fail, and the reason; scaled: as in struct view. */
void view_gate(const struct gate *g, const struct rank_request *q, const struct rank *r,
    bool scaled);

/* Prints everything.  0, or -1 with the diag of the request set: a column or event does not
 * exist.  The caller checks the output. */
int view_print(const struct view *v, const struct rank_request *q, const struct rank *r,
    const struct rank_heading *h, struct output *out);

#endif
