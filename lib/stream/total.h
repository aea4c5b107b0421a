/* SPDX-License-Identifier: ISC */
/*
 * The base of a part's percentages: the cost of the run, if it is given and not all zero;
 * otherwise the sum of the lines as the profiler states it; otherwise the self cost of the
 * lines that were read (prof-stream(5), PERCENTAGES).  A value that one does not have is that
 * of the next.
 */
#ifndef PROF_STREAM_TOTAL_H
#define PROF_STREAM_TOTAL_H

#include "stream/record.h"
#include "util/num.h"

enum { TOTAL_PRESENT = 1, TOTAL_ABSENT = 2 };

struct total {
	num *run, *sum, *self;	/* by column; NUM_ABSENT in the first two: not known */
	unsigned char *seen;	/* by column: what values self costs have, TOTAL_* */
	size_t n, cap;		/* columns seen so far */
	bool any_self;		/* a self cost came; what it omits is 0 */
	bool has_run, has_sum;	/* is any of them not zero? */
	bool run_lacks;		/* is any absent in `run`? */
};

void total_clear(struct total *t);	/* a part begins */
void total_free(struct total *t);

/* total_put() takes a `total` record, total_add() a record with self cost, which counts
 * only if no total is given.  0, or -1 if a sum does not fit 128 bits. */
int total_put(struct total *t, const struct record *r);
int total_add(struct total *t, const struct record *r);

/* Sets *out to the total of a column as the profiler states it.  False if it does not, so
 * that only self costs are available. */
bool total_stated(const struct total *t, size_t column, num *out);

/* Is the cost of the run that of all columns? */
static inline bool
total_has_whole_run(const struct total *t)
{
	return t->has_run && !t->run_lacks;
}

/* Sets *out to the total of a column, that of self costs if it is not stated.  False, and 0, if
 * these are all absent as well. */
bool total_known(const struct total *t, size_t column, num *out);

/* Appends the totals of n columns, as a record has them: "-" where nothing but absent values
 * was seen. */
void total_write(struct buf *values, const struct total *t, size_t n);

#endif
