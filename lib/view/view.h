/* SPDX-License-Identifier: ISC */
/*
 * A ranking as people and programs read it: an aligned table, TSV, JSON.
 */
#ifndef PROF_VIEW_VIEW_H
#define PROF_VIEW_VIEW_H

#include "io/output.h"
#include "sum/gate.h"
#include "sum/value_profiles.h"
#include "util/match.h"

enum view_form { VIEW_TEXT, VIEW_TSV, VIEW_JSON };

/* What a row must have to be shown: "Ir>1000", "calls>=10", "1%", which is at least that
 * share in the column that rows are sorted by. */
struct view_min {
	struct text column;	/* absent: that one */
	num n;			/* in millionths, of one or of a percent */
	bool percent, above;	/* above: n itself is too little */
};
/* False if t is not of this form.  It must outlive the result. */
bool view_min_get(struct text t, struct view_min *out);

struct view {
	enum view_form form;
	struct text *show;	/* events and formulas; "A / B" too */
	size_t nshow;
	struct text *sort;	/* columns as TSV names them, or events */
	size_t nsort;
	bool reverse;
	struct view_min *min;	/* of tables, all of them */
	size_t nmin;
	uint64_t most;		/* rows; 0: all */
	size_t width;		/* of the table; 0: unbounded */
	bool scaled;		/* costs in units that suit them, as ms where there are many ns */
	bool color;
	bool growth;		/* how costs grow with the size of the input, too */
	const bool *only;	/* of a difference: the rows that are shown; NULL: those
				 * that have changed */
	const struct significance *significance;	/* of a difference between several runs:
				 * those that stand out instead; NULL: of one */
	const struct match *callers, *callees;	/* blocks instead; NULL: none */
	const struct value_profiles *values;	/* blocks of them instead; NULL: none */
};

/* The event that a column to sort by is the self or inclusive cost of; absent text if
 * it is none. */
struct text view_event_of(struct text column);

/* Says, by the diag of the request, what a gate has not failed on though it is over the
 * limits, or may be, and why; scaled: as of struct view. */
void view_gate(const struct gate *g, const struct rank_request *q, const struct rank *r,
    bool scaled);

/* Writes the whole.  0, or -1 with the diag of the request set: there is no such column or
 * event.  The caller checks the output. */
int view_print(const struct view *v, const struct rank_request *q, const struct rank *r,
    const struct rank_heading *h, struct output *out);

#endif
