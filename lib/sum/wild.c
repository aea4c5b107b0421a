/* SPDX-License-Identifier: ISC */
#include "sum/wild.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"

#define FEWEST 3		/* runs of which one can be unlike the others */
#define FACTOR 2

/* The number of the first run of a side. */
static size_t
first_of(const struct contrast_event *e, int side)
{
	return side == NOISE_NEW ? e->runs[NOISE_OLD] : 0;
}

static int
compare(const void *a, const void *b)
{
	const num x = *(const num *)a, y = *(const num *)b;

	return (x > y) - (x < y);
}

num
wild_median(const struct contrast_event *e, const num *v, int side)
{
	const size_t n = e->runs[side], first = first_of(e, side);
	num *run = mem_alloc(n, sizeof *run), median;
	size_t i;

	for (i = 0; i < n; i++)
		run[i] = contrast_cost(e, v, first + i);
	qsort(run, n, sizeof *run, compare);
	median = run[side == NOISE_OLD ? (n - 1) / 2 : n / 2];
	free(run);
	return median;
}

/* By what factor a run is off, up or down. */
static double
distance(num total, num median)
{
	const double t = (double)total, m = (double)median;

	return t > m ? t / m : t > 0 ? m / t : HUGE_VAL;
}

bool
wild_find(const struct rank *r, const struct contrast_event *e, struct wild *w)
{
	double most = FACTOR, far;
	size_t i;
	int side;

	for (side = 0; side < NOISE_SIDES; side++) {
		const num median = wild_median(e, r->whole, side);

		for (i = 0; i < e->runs[side] && e->runs[side] >= FEWEST && median > 0; i++) {
			const num total = contrast_cost(e, r->whole, first_of(e, side) + i);

			if ((far = distance(total, median)) <= most)
				continue;
			most = far;
			*w = (struct wild){ side, e->run[first_of(e, side) + i].run, total,
			    median };
		}
	}
	return most > FACTOR;
}
