/* SPDX-License-Identifier: ISC */
/*
 * Several runs in one profile.  A sum would mix them, so before it each run's events get
 * names of their own; after it, these become statistics of the runs:
 *
 *	runs_apart() -> a merge, perhaps a difference of two -> runs_together()
 */
#ifndef PROF_SUM_RUNS_H
#define PROF_SUM_RUNS_H

#include "stream/record.h"
#include "util/diag.h"

/*
 * A filter: measured event E of the first run becomes "E\1" "1", and so on.  A part whose
 * number is not that of the part before begins a run.  Derived events are left out, and
 * `*runs` is how many runs there were.  An event whose own name has that byte is refused.
 */
struct sink *runs_apart(uint64_t *runs, struct diag *d);

/* Takes such a name apart: the event it was, and the run; false if it is another. */
bool runs_name(struct text name, struct text *event, uint64_t *run);

/*
 * A filter: of an event's runs it makes one event, their mean.  Of a difference it makes
 * the mean of each side, and the change between the two.  What a run lacks counts as 0;
 * what all lack stays absent.  Counts of calls become means, too.  Means are rounded to
 * the nearest whole number, which the fact `estimate` says if there is more than one run.
 */
enum runs_keep {
	RUNS_MEAN,
	RUNS_STATS,	/* besides, as events: E.runs, the runs that have a value; E.min,
			 * E.max; E.sd, the standard deviation, absent for one run.  What
			 * a run lacks counts as 0 but for E.runs. */
	RUNS_ALL,	/* besides, the events of each run as they came */
};
struct sink *runs_together(enum runs_keep keep, struct diag *d);

#endif
