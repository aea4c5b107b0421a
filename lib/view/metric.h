/* SPDX-License-Identifier: ISC */
/*
 * An event or formula that is shown, and its values in readable units.
 */
#ifndef PROF_VIEW_METRIC_H
#define PROF_VIEW_METRIC_H

#include "stream/event.h"
#include "sum/terms.h"
#include "view/sort.h"

/* How values are displayed: multiplied by `times`, with `per` to one of the unit, and
 * rounded to `decimals` places. */
struct scale {
	struct text unit;
	num times;		/* 0: values are displayed unchanged */
	uint64_t per;
	unsigned decimals;
};

/* An event or formula to show: over / under. */
struct metric {
	struct text name;
	struct terms over, under;
	bool ratio;		/* it is a ratio, so that it has `under` */
	double units;		/* the factor from the quotient of values to that of their
				 * units */
	num total;		/* the base of percentages */
	bool cumulative;	/* values include those of others, so that they add up to
				 * more than the total */
	uint64_t per;		/* values per unit; at least 1 */
	uint64_t grain;		/* the amount that a sample adds to values; at least 1 */
	struct text unit;	/* absent if there is none, or the name contains it */
	unsigned decimals;	/* of values in its unit */
	struct scale shown;
	bool bounded;		/* no inclusive cost can exceed `most` */
	num most;
	bool change;		/* it is a change of an event between two profiles, so it
				 * has a sign */
	const struct rank_delta *delta;	/* its slots in a ranking; NULL: it is not a
					 * change */
};

/* ---- metric.c ---- */

/* Sets m->per, m->grain and m->unit to those of an event (NULL: none), and by m->name, and
 * two decimals. */
void metric_set_unit(struct metric *m, const struct record *event);
/* Sets m->decimals for values of which the largest is `most`: all that they can have if
 * `exact`. */
void metric_set_decimals(struct metric *m, num most, bool exact);
/* Returns the unit of a metric's values; absent: the name contains it. */
struct text metric_unit(const struct metric *m);

enum value_digits { DIGITS_PLAIN, DIGITS_GROUPED };
void value_add(struct buf *b, struct value v, enum value_digits digits);
/* Adds a share of a total in percent: "12.34", or "-". */
void value_add_share(struct buf *b, struct value v, num total);

/* Add a value in the readable unit, rounded: "1.57"; for a change "+1.57". */
void metric_add_value(struct buf *b, const struct metric *m, struct value v);
void metric_add_whole(struct buf *b, const struct metric *m, num v);
void metric_add_change(struct buf *b, const struct metric *m, num change);
/* The same with the unit, "1.57 s", "12 Ir"; and also with the name, "1.57 s of time". */
void metric_add_cost(struct buf *b, const struct metric *m, num v);
void metric_add_amount(struct buf *b, const struct metric *m, num v);
/* Adds the unit of its values as they are: "1/100 s" if they are parts of it; nothing if the
 * name contains it. */
void metric_add_unit(struct buf *b, const struct metric *m);
/* Adds the name and the unit: "time/s". */
void metric_add_name(struct buf *b, const struct metric *m);

/* ---- metric_scale.c ---- */

/* Sets m->shown by the largest value, if the unit is one of time or bytes. */
void metric_scale(struct metric *m, struct text unit, num whole);

#endif
