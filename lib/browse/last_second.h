/* SPDX-License-Identifier: ISC */
/*
 * The last second of a growing profile: its sum less the sum of a second before.
 */
#ifndef PROF_BROWSE_LAST_SECOND_H
#define PROF_BROWSE_LAST_SECOND_H

#include "stream/record.h"
#include "util/diag.h"

/* A sink before another one, which takes two streams for one: first that of now, then that
 * of before, whose costs and counts it takes off. */
struct last_second {
	struct sink sink;
	struct diag *diag;
	bool before;		/* the stream of before comes */
	struct buf values, count;
};

void last_second_init(struct last_second *w, struct sink *next, struct diag *d);
void last_second_free(struct last_second *w);

#endif
