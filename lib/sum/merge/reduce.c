/* SPDX-License-Identifier: ISC */
/* One number from those of runs. */
#include "state.h"

#include <stdlib.h>

static num
least_of(const struct gathered *in)
{
	num least = in->zeros ? 0 : NUM_ABSENT;
	size_t i;

	for (i = 0; i < in->n; i++)
		if (least == NUM_ABSENT || in->v[i] < least)
			least = in->v[i];
	return least;
}

static num
most_of(const struct gathered *in)
{
	num most = in->zeros ? 0 : NUM_ABSENT;
	size_t i;

	for (i = 0; i < in->n; i++)
		if (most == NUM_ABSENT || in->v[i] > most)
			most = in->v[i];
	return most;
}

static int
by_num(const void *pa, const void *pb)
{
	const num *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* Returns the median, the lower one of two in the middle. */
static num
low_median(const struct gathered *in)
{
	const size_t n = in->n, zeros = in->zeros, middle = (n + zeros - 1) / 2;
	size_t below = 0;

	if (!(n + zeros))
		return NUM_ABSENT;
	if (n)
		qsort(in->v, n, sizeof *in->v, by_num);
	while (below < n && in->v[below] < 0)
		below++;
	return middle < below ? in->v[middle] : middle < below + zeros ? 0 :
	    in->v[middle - zeros];
}

/* Columns with a minimum or a maximum get that of all runs. */
num
merge_reduce(enum merge_op op, enum col_role role, const struct gathered *in)
{
	if (op == MERGE_MIN ? role != ROLE_MAX : role == ROLE_MIN)
		return least_of(in);
	return op == MERGE_MAX || role == ROLE_MAX ? most_of(in) : low_median(in);
}
