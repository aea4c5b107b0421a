/* SPDX-License-Identifier: ISC */
/*
 * Python's profiles: written by cProfile and profile, and read by the module pstats
 * (CPython's Lib/cProfile.py, Lib/profile.py, Lib/pstats.py).  A dict in marshal's format:
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

/* The events.  The first one has self times as costs and cumulative times as values of
 * calls; the others have the data that do not follow from these, in pstats' words. */
enum { PSTATS_TIME, PSTATS_CUMULATIVE, PSTATS_CALLS, PSTATS_PRIMITIVE, PSTATS_CALLEE,
	PSTATS_EVENTS };

struct pstats_event {
	const char *name, *unit, *description, *attrs;
};

extern const struct pstats_event pstats_event[PSTATS_EVENTS];

#define PSTATS_SECOND 1e9	/* values of the time per second */
#define PSTATS_BUILTIN "~"	/* the file, with line 0, of functions not written in
				 * Python */
#define PSTATS_CALLERS "pstats.callers"	/* a key of metadata; its value: */
#define PSTATS_COUNTS "counts"	/* callers have counts, but no times */

int pstats_decode(struct decode *d);
struct sink *pstats_encode(const struct encode *e);

#endif
