/* SPDX-License-Identifier: ISC */
/*
 * The gate: does anything cost more than before?  Limits for the rows and the total
 * of a ranked difference.
 */
#ifndef PROF_SUM_GATE_H
#define PROF_SUM_GATE_H

#include "sum/contrast.h"
#include "util/threshold.h"

enum gate_scope { GATE_FUNCTION, GATE_TOTAL, GATE_BOTH };

struct gate {
	struct gate_limit {
		struct text event;	/* absent: the first one */
		struct threshold over;
		const struct rank_delta *delta;	/* set by gate_check(), */
		uint64_t per;		/* as is how many of its values are one */
	} *limit;
	size_t nlimit;
	struct threshold min_cost;	/* --min-cost: in the event's unit, or of the old total */
	enum gate_scope scope;
	bool inclusive;
	/* Of several runs a side: what has grown must stand out, too.  NULL: of one. */
	const struct contrast *contrast;

	/* After gate_check(). */
	bool *row;		/* has it regressed? */
	size_t rows;		/* how many have */
	bool total;
};

/* "1%", "0.5", "Ir=1%,Dr=5%": limits are percentages, with or without the sign.
 * 0, or -1 with the diag set.  The list must outlive the gate. */
int gate_limits(struct gate *g, const char *list, struct diag *d);
/* "100", "0.01%". */
int gate_min_cost(struct gate *g, const char *text, struct diag *d);

/* Which rows, and the total, cost more by more than the limit and than the least
 * cost.  0, or -1 with the diag set: an event is not there.  The rank must outlive the
 * gate's limits. */
int gate_check(struct gate *g, const struct rank *r, struct diag *diag);

void gate_free(struct gate *g);

#endif
