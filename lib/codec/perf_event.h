/* SPDX-License-Identifier: ISC */
/*
 * The events of perf, for its recordings and its text: each becomes two events of a part,
 * its samples and the sum of their periods.
 */
#ifndef PROF_CODEC_PERF_EVENT_H
#define PROF_CODEC_PERF_EVENT_H

#include "stream/decode.h"

enum perf_event_has { PERF_EVENT_SAMPLES, PERF_EVENT_PERIODS };

/* Returns how many events of the part it becomes. */
size_t perf_event_width(enum perf_event_has has);

/* Puts these for perf's event that is the i-th in the part.  The first is the default.
 * named: there are several, so that their names include that of the event, and not only
 * samples and period.  0 or -1. */
int perf_event_put(struct decode *d, size_t i, struct text name, bool named,
    enum perf_event_has has);

/* Adds the labels of the samples of a thread; texts may be absent. */
void perf_event_labels(struct buf *b, struct text comm, struct text pid, struct text tid);

#endif
