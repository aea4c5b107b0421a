/* SPDX-License-Identifier: ISC */
/*
 * What a part's percentages are of: the cost of the run, if it is given and not all
 * zero; else the sum of the lines that the producer states; else the self cost of
 * the lines that were read (prof-stream(5), PERCENTAGES).
 */
#ifndef PROF_STREAM_TOTAL_H
#define PROF_STREAM_TOTAL_H

#include "stream/record.h"
#include "util/num.h"

struct total {
	num *run, *sum, *self;	/* by column */
	size_t n, cap;		/* columns seen so far */
	bool has_run, has_sum;	/* is any of them not zero? */
};

void total_clear(struct total *t);	/* a part begins */
void total_free(struct total *t);

/* total_put() takes a `total` record, total_add() one of self cost, which counts only
 * if no total is given.  0, or -1 if a sum does not fit 128 bits. */
int total_put(struct total *t, const struct record *r);
int total_add(struct total *t, const struct record *r);

/* The total of a column as the producer states it: true and *out; false if it does
 * not, so that only self costs are available. */
bool total_stated(const struct total *t, size_t column, num *out);

/* The same, with self costs as a last resort. */
num total_of(const struct total *t, size_t column);

#endif
