/* SPDX-License-Identifier: ISC */
/*
 * An event or formula that is shown, and its values as people read them.
 */
#ifndef PROF_VIEW_METRIC_H
#define PROF_VIEW_METRIC_H

#include "stream/event.h"
#include "view/sort.h"

/* How people are shown values: so many times each, of which `per` are one of a unit, with so
 * many decimals. */
struct scale {
	struct text unit;
	num times;		/* 0: as they are */
	uint64_t per;
	unsigned decimals;
};

/* An event or formula to show: over / under. */
struct metric {
	struct text name;
	struct terms *over, *under;	/* under: NULL but for ratios */
	double ratio;		/* of one in the units of both, to that of their values */
	num total;		/* what its costs are shares of */
	bool cumulative;	/* they hold those of others, and more than that in all */
	uint64_t per;		/* values are so many of its unit; 1 */
	uint64_t grain;		/* what a sample adds to them, of which they are made; 1 */
	struct text unit;	/* absent if there is none, or the name says it */
	bool little;		/* of its unit there is little: small parts are shown */
	struct scale shown;
	bool bounded;		/* is no inclusive cost over `most`? */
	num most;
	bool change;		/* of the event, between two profiles: it has a sign */
	const struct rank_delta *delta;	/* its slots in a ranking; NULL if it is no change */
};

/* ---- metric.c ---- */

/* Sets m->per, m->grain and m->unit to those of an event, NULL: of none, by m->name. */
void metric_set_unit(struct metric *m, const struct record *event);
/* The unit of a metric's values; absent: they are of what its name says. */
struct text metric_unit(const struct metric *m);

enum value_digits { DIGITS_PLAIN, DIGITS_GROUPED };
void value_add(struct buf *b, struct value v, enum value_digits digits);
/* A share of a total, in percent: "12.34", or "-". */
void value_add_share(struct buf *b, struct value v, num total);

/* In the unit for people, rounded: "1.57"; of a change "+1.57". */
void metric_add_value(struct buf *b, const struct metric *m, struct value v);
void metric_add_whole(struct buf *b, const struct metric *m, num v);
void metric_add_change(struct buf *b, const struct metric *m, num change);
/* The same with the unit, "1.57 s", "12 Ir"; and with what it is of, "1.57 s of time". */
void metric_add_cost(struct buf *b, const struct metric *m, num v);
void metric_add_amount(struct buf *b, const struct metric *m, num v);
/* The name and the unit: "time/s". */
void metric_add_name(struct buf *b, const struct metric *m);

/* ---- metric_scale.c ---- */

/* Sets m->shown, where the unit is of time or bytes, by what there is in all. */
void metric_scale(struct metric *m, struct text unit, num whole);

#endif
