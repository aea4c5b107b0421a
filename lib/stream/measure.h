/* SPDX-License-Identifier: ISC */
/*
 * A measure of a profile: one event, by its name, or a formula, as costs.  In each part it
 * is computed from other columns, or missing.  In a difference it has two sides.
 */
#ifndef PROF_STREAM_MEASURE_H
#define PROF_STREAM_MEASURE_H

#include "stream/event.h"
#include "stream/side.h"
#include "stream/total.h"
#include "util/num.h"

/* Of a difference it has the costs of both sides (side.h), any other has only the first. */
struct measure {
	struct diag *diag;
	struct text name;	/* the event's, or the formula; absent: no part had events */
	bool known;		/* a part had it, so that these are set: */
	struct record *event;	/* its unit and scale; for a formula the event that it would
				 * be, or NULL if it would be none */
	size_t sides;		/* SIDES for a difference, otherwise 1 */
	/* The base of percentages, of all complete parts; of an event that states the
	 * inclusive costs of another, the other's total.  0: unknown. */
	num total[SIDES];

	/* For the current part: */
	bool available;		/* it has the measure */
	struct measure_term {
		size_t column, slot;	/* columns of the part's values; where in `value` it
					 * is */
		size_t side;
		num coef;
	} *term;		/* a cost is the sum of its side's */
	size_t n, cap;
	long *slot;		/* by column: the slot of its value, or -1 */
	size_t ncolumn, capslot;	/* ncolumn: up to the last column that a term
					 * uses */
	/* By slot: the value of a record, and the sum of the self costs so far. */
	num *value, *self;
	size_t nvalue, capvalue, capself;
	/* The event whose inclusive costs these are, if the part has it; otherwise NULL, or
	 * not available. */
	struct measure *whole;

	/* For all parts: */
	uint64_t lacking;	/* how many parts do not have it */
	bool sum;		/* it is a formula, of several events */
	bool inexact;		/* its scale holds no whole number for the total */
	struct num_extent selves[SIDES], totals[SIDES];
};

void measure_init(struct measure *m, struct diag *d);
void measure_free(struct measure *m);

/* Begins a part, which has these events.  `name` is the same each time, and is borrowed.
 * 0, or -1 with the diag set: the event is a change whose sides are missing, or cannot be
 * added to the event in other parts. */
int measure_begin(struct measure *m, const struct events *e, struct text name);

/* Sets cost to a record's costs, by side, and adds them to `all`.  0, or -1 with the diag
 * set if they, or all of them in some order, do not fit 128 bits. */
int measure_read(struct measure *m, struct text values, struct num_extent *all, num *cost);

/* Adds costs to sums, by side: 0, or -1 with the diag set. */
int measure_add(const struct measure *m, num *sum, const num *cost);

/* Does both for self costs, which are the part's total if it states none. */
int measure_self(struct measure *m, struct text values, num *sum);

/* Ends the part and adds its total, which `stated` may have from the profiler.  0, or -1
 * with the diag set.  Does nothing if the part did not begin. */
int measure_end(struct measure *m, const struct total *stated);

/* Does the change between two sides fit 128 bits?  If so, the sides may be subtracted. */
static inline bool
sides_fit(size_t sides, const num *side)
{
	num change;

	if (sides == 1)
		return true;
	change = side[SIDE_NEW];
	return num_sub(&change, side[SIDE_OLD]) == 0;
}

#endif
