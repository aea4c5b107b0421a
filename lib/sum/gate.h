/* SPDX-License-Identifier: ISC */
/*
 * The gate: does anything cost more than before?  Limits for the rows and the total
 * of a ranked difference.
 */
#ifndef PROF_SUM_GATE_H
#define PROF_SUM_GATE_H

#include "sum/merge.h"
#include "sum/significance.h"
#include "util/match.h"
#include "util/threshold.h"

enum gate_scope { GATE_FUNCTION, GATE_TOTAL, GATE_BOTH };

/* The result of checking a row, or the total. */
enum gate_verdict {
	GATE_FINE,
	GATE_GREW,		/* by more than the limits */
	GATE_UNSURE,		/* it may have: its cost is known as a bound only, or not at
				 * all */
	GATE_UNKNOWN,		/* it may have: some of the values that it is the sum of are
				 * not known */
	GATE_IN_NOISE,		/* it did, but not significantly */
	GATE_PAID,		/* a new row of a program whose total cost has not grown */
	GATE_EXCEPTED,		/* by more than the limits, but not by more than its exception
				 * allows */
	GATE_VERDICTS
};

/* A day; all zeros: none. */
struct gate_day {
	int year, month, day;
};

/* Parses "2027-01-31": false if it is not a day. */
bool gate_day_parse(struct text t, struct gate_day *day);
/* Returns the day of SOURCE_DATE_EPOCH, otherwise today, in UTC. */
struct gate_day gate_today(void);

static inline bool
gate_day_is(struct gate_day d)
{
	return d.year != 0;
}

static inline bool
gate_day_before(struct gate_day a, struct gate_day b)
{
	return (a.year * 100 + a.month) * 100 + a.day < (b.year * 100 + b.month) * 100 + b.day;
}

enum gate_name { GATE_NAME_FUNCTION, GATE_NAME_FILE, GATE_NAME_OBJECT, GATE_NAMES };

/* A limit of its own for some rows, or for the total.  Of several for a row the first
 * applies. */
struct gate_exception {
	struct match *match[GATE_NAMES];	/* all must match; NULL: any name does */
	bool total;		/* it is for the total, not for rows */
	struct text event;	/* absent: all events */
	struct threshold over;
	bool endless;		/* there is no limit */
	bool expired;		/* `until` is over, so the general limit applies */
	struct gate_day until;
	const char *why;
	const char *path;	/* its place in a file */
	size_t line;

	/* After gate_check(). */
	bool met;		/* it is for some row, or the total */
};

struct gate {
	struct gate_limit {
		struct text event;	/* absent: the default event */
		struct threshold over;

		/* After gate_check(). */
		const struct rank_delta *delta;
		uint64_t per;		/* values per unit of the event */
		struct text name;	/* name of the event */
		bool cumulative;	/* its costs include those of others */
		struct gate_count {
			size_t rows;
			bool total;
			size_t largest;		/* the row of the largest cost or growth: */
			num size;
		} of[GATE_VERDICTS];
		num listed[2];		/* the sum of a side's rows */
		bool contradicted[2];	/* that sum is larger than the side's total */
	} *limit;
	size_t nlimit;
	struct threshold min_cost;	/* --min-cost: in the event's unit, or of the old total */
	enum gate_scope scope;
	bool inclusive;
	bool normalized;	/* the totals were made equal, so they do not show whether
				 * the program is cheaper */
	struct gate_exception *exception;	/* the caller's; NULL: none */
	size_t nexception;
	/* For several runs on a side: growth must also be significant.  NULL: there is one
	 * run. */
	const struct significance *significance;
	struct gate_side {
		const struct merge *merge;
		struct text usual;	/* the side's default event; absent: it has none */
	} side[2];

	/* After gate_check(). */
	bool *row;		/* has the row grown by more than a limit? */
	bool grew;		/* has any row, or the total? */
};

/* Parses "1%", "0.5", "Ir=1%,Dr=5%": limits are percentages, with or without the sign.  0,
 * or -1 with the diag set.  The list must outlive the gate. */
int gate_limits(struct gate *g, const char *list, struct diag *d);
/* Parses "100", "0.01%". */
int gate_min_cost(struct gate *g, const char *text, struct diag *d);

/*
 * Finds the rows that cost more than before by more than the limit and the least cost, and
 * whether the total does.  A row has grown if it has for every possible true cost; if only
 * for some, it is unsure.  0, or -1 with the diag set: an event does not exist, or has no
 * values on a side; nothing could be checked; or a run that is unlike the others hides
 * growth.  The rank must outlive the gate's limits.
 */
int gate_check(struct gate *g, const struct rank_request *q, const struct rank *r,
    struct diag *diag);

/* Returns the exception that holds for a row, or for the total, and an event; NULL: none. */
#define GATE_TOTAL_ROW SIZE_MAX
const struct gate_exception *gate_exception_of(const struct gate *g,
    const struct rank_request *q, const struct rank *r, const struct gate_limit *l,
    size_t row);

void gate_free(struct gate *g);

#endif
