/* SPDX-License-Identifier: ISC */
#include "graph/apportion.h"

#include <stdlib.h>

#include "util/mem.h"

typedef unsigned __int128 large;

struct apportion_rest {
	large part;		/* the remainder of a share, rounded down */
	size_t i;
};

static bool
is_before(const struct apportion_rest *a, const struct apportion_rest *b)
{
	return a->part != b->part ? a->part > b->part : a->i < b->i;
}

static int
compare(const void *pa, const void *pb)
{
	const struct apportion_rest *a = pa, *b = pb;

	return is_before(a, b) ? -1 : is_before(b, a);
}

/* The median of three. */
static struct apportion_rest
middle(const struct apportion_rest *v, size_t n)
{
	const struct apportion_rest *a = &v[0], *b = &v[n / 2], *c = &v[n - 1];

	if (is_before(b, a) != is_before(c, a))
		return *a;
	return is_before(a, b) == is_before(b, c) ? *b : *c;
}

#define FEW 16

/* The same as below, of a few. */
static void
select_few(struct apportion_rest *v, size_t n, size_t first)
{
	struct apportion_rest tmp;
	size_t i, best;

	for (; first && first < n; v++, n--, first--) {
		for (best = 0, i = 1; i < n; i++)
			if (is_before(&v[i], &v[best]))
				best = i;
		tmp = v[best];
		v[best] = v[0];
		v[0] = tmp;
	}
}

/*
 * Moves the `first` largest to the front, in any order, by quickselect, as there may
 * be thousands of callers for each of thousands of costs.  If the pivots divide badly,
 * it sorts.
 */
static void
select_largest(struct apportion_rest *v, size_t n, size_t first)
{
	struct apportion_rest pivot, tmp;
	int tries = 0;

	while (n > FEW && first < n && first && ++tries < 64) {
		size_t lo = 0, hi = n - 1;

		pivot = middle(v, n);
		for (;; lo++, hi--) {
			while (is_before(&v[lo], &pivot))
				lo++;
			while (is_before(&pivot, &v[hi]))
				hi--;
			if (lo >= hi)
				break;
			tmp = v[lo];
			v[lo] = v[hi];
			v[hi] = tmp;
		}
		/* All are different: the pivot is at lo, or lo is the first one after
		 * it. */
		if (first <= lo)
			n = lo;
		else {
			v += lo;
			n -= lo;
			first -= lo;
		}
	}
	if (n <= FEW)
		select_few(v, n, first);
	else if (first && first < n)
		qsort(v, n, sizeof *v, compare);
}

/*
 * whole * weight / all, by long division if the product has more than 128 bits.
 * Since weight <= all < 2^127, the quotient and a sum of two remainders fit.
 */
static large
divide(large whole, large weight, large all, large *rest)
{
	large x, quotient = 0, r = 0;
	int bit;

	if (!__builtin_mul_overflow(whole, weight, &x)) {
		quotient = (x | all) >> 64 ? x / all : (uint64_t)x / (uint64_t)all;
		*rest = x - quotient * all;
		return quotient;
	}
	for (bit = 127; bit >= 0; bit--) {
		quotient <<= 1;
		r <<= 1;
		if (r >= all) {
			r -= all;
			quotient++;
		}
		if (!(whole >> bit & 1))
			continue;
		r += weight;
		if (r >= all) {
			r -= all;
			quotient++;
		}
	}
	*rest = r;
	return quotient;
}

void
apportion(struct apportion *s, num whole, const num *weight, num all, size_t n,
    num *part)
{
	large left = whole < 0 ? -(large)whole : (large)whole, size = left, x;
	size_t i, nrest = 0;

	s->rest = mem_grow(s->rest, &s->cap, n + 1, sizeof *s->rest);
	for (i = 0; i < n; i++) {
		x = divide(size, (large)weight[i], (large)all, &s->rest[nrest].part);
		left -= x;
		part[i] = (num)(whole < 0 ? -x : x);
		if (s->rest[nrest].part)
			s->rest[nrest++].i = i;
	}
	/* Each remainder is less than one, so there are more of them than `left`. */
	select_largest(s->rest, nrest, (size_t)left);
	for (i = 0; left > 0 && i < nrest; i++, left--)
		part[s->rest[i].i] += whole < 0 ? -1 : 1;
}

void
apportion_free(struct apportion *s)
{
	free(s->rest);
	*s = (struct apportion){ 0 };
}
