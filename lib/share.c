/* SPDX-License-Identifier: ISC */
#include "share.h"

#include <stdlib.h>

#include "mem.h"

typedef unsigned __int128 large;

struct share_rest {
	large part;		/* what rounding down left of a share */
	size_t i;
};

static int
compare(const void *pa, const void *pb)
{
	const struct share_rest *a = pa, *b = pb;

	if (a->part != b->part)
		return a->part < b->part ? 1 : -1;
	return (a->i > b->i) - (a->i < b->i);
}

/*
 * whole * weight / all, by long division where the product has more than 128
 * bits.  As weight <= all < 2^127, neither the quotient nor a sum of two
 * remainders has.
 */
static large
divide(large whole, large weight, large all, large *rest)
{
	large x, quotient = 0, r = 0;
	int bit;

	if (!__builtin_mul_overflow(whole, weight, &x)) {
		*rest = x % all;
		return x / all;
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
share_out(struct share *s, num whole, const num *weight, num all, size_t n,
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
	/* There are more remainders than what is left: each is less than one. */
	if (left)
		qsort(s->rest, nrest, sizeof *s->rest, compare);
	for (i = 0; left > 0 && i < nrest; i++, left--)
		part[s->rest[i].i] += whole < 0 ? -1 : 1;
}

void
share_free(struct share *s)
{
	free(s->rest);
	*s = (struct share){ 0 };
}
