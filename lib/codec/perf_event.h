/* SPDX-License-Identifier: ISC */
/*
 * The events of perf, as both its recordings and its text have them: each is two events of
 * a part, its samples and the sum of their periods.
 */
#ifndef PROF_CODEC_PERF_EVENT_H
#define PROF_CODEC_PERF_EVENT_H

#include "stream/decode.h"

enum perf_event_has { PERF_EVENT_SAMPLES, PERF_EVENT_PERIODS };

/* How many events of the part it is. */
size_t perf_event_width(enum perf_event_has has);

/* Puts those of the event of perf's that is the i-th of the part.  The first is the
 * default.  named: there are several, so that it is called by its name, and not just
 * samples and period.  0 or -1. */
int perf_event_put(struct decode *d, size_t i, struct text name, bool named,
    enum perf_event_has has);

#endif
