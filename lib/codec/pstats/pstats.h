/* SPDX-License-Identifier: ISC */
/*
 * Python's profiles: what cProfile and profile write and the module pstats reads
 * (CPython's Lib/cProfile.py, Lib/profile.py, Lib/pstats.py).  A dict by marshal:
 *
 *	(file, line, name): (primitive calls, calls, self, cumulative, callers)
 *
 * with times in seconds; callers are a dict by the caller of
 *
 *	(calls, primitive calls, self, cumulative)	as cProfile has it,
 *	calls						as profile has it.
 */
#ifndef PROF_CODEC_PSTATS_PSTATS_H
#define PROF_CODEC_PSTATS_PSTATS_H

#include "stream/codec.h"

/* The events.  The self time is a cost's and the cumulative one a call's value of the
 * first; the others keep what does not follow from these,
 * in pstats' words. */
enum { PSTATS_TIME, PSTATS_CUMULATIVE, PSTATS_CALLS, PSTATS_PRIMITIVE, PSTATS_CALLEE,
	PSTATS_EVENTS };

struct pstats_event {
	const char *name, *unit, *says, *attrs;
};

extern const struct pstats_event pstats_event[PSTATS_EVENTS];

#define PSTATS_SECOND 1e9	/* in a value of the time */
#define PSTATS_BUILTIN "~"	/* the file, with the line 0, of what is not in Python */
#define PSTATS_CALLERS "pstats.callers"	/* a fact; its value: */
#define PSTATS_COUNTS "counts"	/* callers have no times */

int pstats_decode(struct decode *d);
struct sink *pstats_encode(const struct encode *e);

#endif
