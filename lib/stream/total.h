/* SPDX-License-Identifier: ISC */
/*
 * What a part's percentages are of: the cost of the run, unless that is not
 * told or all zero, else what the producer's lines add up to, else the self
 * cost of the lines that were read (prof-stream(5), PERCENTAGES).
 */
#ifndef PROF_STREAM_TOTAL_H
#define PROF_STREAM_TOTAL_H

#include "stream/record.h"
#include "util/num.h"

struct total {
	num *run, *sum, *self;	/* by column */
	size_t n, cap;		/* columns met so far */
	bool has_run, has_sum;	/* is one of them not zero? */
};

void total_clear(struct total *t);	/* a part begins */
void total_free(struct total *t);

/* A `total` record; a record of self cost, which matters only without a run.
 * 0, or -1 if a sum does not fit 128 bits. */
int total_put(struct total *t, const struct record *r);
int total_add(struct total *t, const struct record *r);

/* What the producer told of a column: true and *out; false if it told nothing
 * and self costs are all there is. */
bool total_stated(const struct total *t, size_t column, num *out);

/* The same, self costs as a last resort. */
num total_of(const struct total *t, size_t column);

#endif
