/* SPDX-License-Identifier: ISC */
#include "sum/outliers.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"

#define FEWEST 3		/* the fewest runs that can have an outlier */
#define FACTOR 2

/* Returns the index of the first run of a side. */
static size_t
first_of(const struct significance_event *e, int side)
{
	return side == SIDE_NEW ? e->runs[SIDE_OLD] : 0;
}

static int
compare(const void *a, const void *b)
{
	const num x = *(const num *)a, y = *(const num *)b;

	return (x > y) - (x < y);
}

num
outlier_median(const struct significance_event *e, const num *v, int side)
{
	const size_t n = e->runs[side], first = first_of(e, side);
	num *run = mem_alloc(n, sizeof *run), median;
	size_t i;

	for (i = 0; i < n; i++)
		run[i] = significance_cost(e, v, first + i);
	qsort(run, n, sizeof *run, compare);
	median = run[side == SIDE_OLD ? (n - 1) / 2 : n / 2];
	free(run);
	return median;
}

/* Returns the factor by which a run is off, up or down. */
static double
distance(num total, num median)
{
	const double t = (double)total, m = (double)median;

	return t > m ? t / m : t > 0 ? m / t : HUGE_VAL;
}

bool
outlier_find(const struct rank *r, const struct significance_event *e, struct outlier *w)
{
	double most = FACTOR, far;
	size_t i;
	int side;

	for (side = 0; side < SIDES; side++) {
		const num median = outlier_median(e, r->whole, side);

		for (i = 0; i < e->runs[side] && e->runs[side] >= FEWEST && median > 0; i++) {
			const num total = significance_cost(e, r->whole, first_of(e, side) + i);

			if ((far = distance(total, median)) <= most)
				continue;
			most = far;
			*w = (struct outlier){ side, e->run[first_of(e, side) + i].run, total,
			    median };
		}
	}
	return most > FACTOR;
}
