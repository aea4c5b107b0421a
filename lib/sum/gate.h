/* SPDX-License-Identifier: ISC */
/*
 * The gate: does anything cost more than before?  Limits for the rows and the total
 * of a ranked difference.
 */
#ifndef PROF_SUM_GATE_H
#define PROF_SUM_GATE_H

#include "sum/contrast.h"
#include "sum/merge.h"
#include "util/threshold.h"

enum gate_scope { GATE_FUNCTION, GATE_TOTAL, GATE_BOTH };

/* What a check of a row, or of the total, comes to. */
enum gate_verdict {
	GATE_FINE,
	GATE_GREW,		/* by more than the limits */
	GATE_UNSURE,		/* it may have: all that is known is a bound, or nothing */
	GATE_UNKNOWN,		/* it may have: some of what it is the sum of is not known */
	GATE_IN_NOISE,		/* it did, but by no more than runs differ */
	GATE_PAID,		/* a new row of a program that costs no more for it */
	GATE_VERDICTS
};

struct gate {
	struct gate_limit {
		struct text event;	/* absent: the default */
		struct threshold over;

		/* After gate_check(). */
		const struct rank_delta *delta;
		uint64_t per;		/* how many of its values are one of the unit */
		struct text name;	/* of the event */
		bool cumulative;	/* its costs hold those of others */
		struct gate_count {
			size_t rows;
			bool total;
			size_t largest;		/* the row of the largest cost or growth: */
			num size;
		} of[GATE_VERDICTS];
		num listed[2];		/* what the rows of a side cost together */
		bool contradicted[2];	/* which is more than its total says */
	} *limit;
	size_t nlimit;
	struct threshold min_cost;	/* --min-cost: in the event's unit, or of the old total */
	enum gate_scope scope;
	bool inclusive;
	bool normalized;	/* the totals are made equal: they do not tell what is cheaper */
	/* Of several runs a side: what has grown must stand out, too.  NULL: of one. */
	const struct contrast *contrast;
	struct gate_side {
		const struct merge *merge;
		struct text usual;	/* its default event; absent: none */
	} side[2];

	/* After gate_check(). */
	bool *row;		/* has it grown by more than a limit? */
	bool grew;		/* has any, or the total? */
};

/* "1%", "0.5", "Ir=1%,Dr=5%": limits are percentages, with or without the sign.
 * 0, or -1 with the diag set.  The list must outlive the gate. */
int gate_limits(struct gate *g, const char *list, struct diag *d);
/* "100", "0.01%". */
int gate_min_cost(struct gate *g, const char *text, struct diag *d);

/*
 * Which rows, and the total, cost more by more than the limit and than the least cost.  A
 * row has grown if it has whatever its true cost may be; if it only may have, it is unsure.
 * 0, or -1 with the diag set: an event is not there, or has no values on a side; nothing
 * could be checked, or a run that is unlike the others hides what has grown.  The rank must
 * outlive the gate's limits.
 */
int gate_check(struct gate *g, const struct rank_request *q, const struct rank *r,
    struct diag *diag);

void gate_free(struct gate *g);

#endif
