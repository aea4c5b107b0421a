/* SPDX-License-Identifier: ISC */
/*
 * A measure of a profile: one event, by its name, or a formula, as costs.  In each part it
 * is made of other columns, or missing; of a difference it has two sides.
 */
#ifndef PROF_STREAM_MEASURE_H
#define PROF_STREAM_MEASURE_H

#include "stream/event.h"
#include "stream/total.h"
#include "util/num.h"

/* The costs of a difference; any other measure has only the first. */
enum { SIDE_OLD, SIDE_NEW, SIDES };

struct measure {
	struct diag *diag;
	struct text name;	/* the event's, or the formula; absent: no part had events */
	bool known;		/* a part had it, so that these are set: */
	struct record *event;	/* its unit and scale; of a formula the event that it would
				 * be, and NULL if that is none */
	size_t sides;		/* SIDES of a difference; else, and before, 1 */
	/* What percentages are of, of all parts that are over; of an event that states the
	 * inclusive costs of another that is the total of the other.  0: unknown. */
	num total[SIDES];

	/* Of the part: */
	bool available;		/* it has the measure */
	struct measure_term {
		size_t column, slot;	/* of the part's values; where in `value` it is */
		size_t side;
		num coef;
	} *term;		/* a cost is the sum of its side's */
	size_t n, cap;
	long *slot;		/* by column: where its value goes, or -1 */
	size_t ncolumn, capslot;	/* ncolumn: up to the last that is a term's */
	num *value;		/* of a record, as many as slots */
	size_t nvalue, capvalue;
	num self[SIDES];	/* all own costs so far */
	/* The event whose inclusive costs these are, by the name of that, if the part has it;
	 * else NULL, or not available. */
	struct measure *whole;

	/* Of all parts: */
	bool inexact;		/* its scale holds no whole number for the total */
	struct num_extent selves[SIDES], totals[SIDES];
};

void measure_init(struct measure *m, struct diag *d);
void measure_free(struct measure *m);

/* A part begins, which has these events; `name` is the same each time, and is borrowed.
 * 0, or -1 with the diag set: the event is a change whose sides are missing, or what it is
 * in other parts cannot be added to this. */
int measure_begin(struct measure *m, const struct events *e, struct text name);

/* The costs of a record's values, by side; `all` notes them.  0, or -1 with the diag set if
 * they, or all of them in some order, do not fit 128 bits. */
int measure_read(struct measure *m, struct text values, struct num_extent *all, num *cost);

/* Adds costs to sums, by side: 0, or -1 with the diag set. */
int measure_add(const struct measure *m, num *sum, const num *cost);

/* Both, of own costs, which the part's total is where none is stated. */
int measure_self(struct measure *m, struct text values, num *sum);

/* The part is over, whose producer states this: adds its total.  0, or -1 with the diag
 * set.  A part that did not begin has none. */
int measure_end(struct measure *m, const struct total *stated);

/* Does the change between two sides fit 128 bits?  Then it may just be subtracted. */
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
