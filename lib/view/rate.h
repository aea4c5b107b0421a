/* SPDX-License-Identifier: ISC */
/* The line of a profile that goes on: its time, and its costs per second. */
#ifndef PROF_VIEW_RATE_H
#define PROF_VIEW_RATE_H

#include "sum/rank.h"

/* Returns the total of an event or formula; 0: it has none. */
num rate_total(const struct rank *r, struct text event);

/* Adds "live 12.3 s". */
void rate_add_time(struct buf *b, uint64_t microseconds);

/* Adds "1.57 s of time per second": so much of the event has come in these
 * microseconds. */
void rate_add(struct buf *b, const struct rank *r, struct text event, num change,
    uint64_t microseconds);

#endif
