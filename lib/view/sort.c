/* SPDX-License-Identifier: ISC */
/*
 * Sorting by several things at once.  The value of a row is computed once, and
 * only where those before it leave rows equal: what a comparison looks at lies
 * side by side in memory.
 */
#include "view/sort.h"

#include <stdlib.h>

/* Compares numbers before names, so that the order is total. */
static int
compare(const struct value *a, const struct value *b)
{
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	switch (a->kind) {
	case WHOLE:
		return (a->n > b->n) - (a->n < b->n);
	case RATIO:
		return (a->ratio > b->ratio) - (a->ratio < b->ratio);
	case NAME:
		return text_cmp(a->name, b->name);
	default:
		return 0;
	}
}

/* Equal values stay in the order in which they came. */
static int
first_met(const struct value *a, const struct value *b)
{
	return (a->of > b->of) - (a->of < b->of);
}

static int
upwards(const void *a, const void *b)
{
	int c = compare(a, b);

	return c ? c : first_met(a, b);
}

static int
downwards(const void *a, const void *b)
{
	int c = compare(b, a);

	return c ? c : first_met(a, b);
}

/* Moves the values that come before the pivot, or, with `equal`, at most equal it, to the
 * front of [from, n), and returns the end of those. */
static size_t
divide(struct value *v, size_t from, size_t n, struct value pivot, bool down,
    bool equal)
{
	struct value t;
	size_t i;
	int c;

	for (i = from; i < n; i++) {
		c = down ? compare(&pivot, &v[i]) : compare(&v[i], &pivot);
		if (c < equal) {
			t = v[i];
			v[i] = v[from];
			v[from++] = t;
		}
	}
	return from;
}

/*
 * Moves the first `most` to the front, with all that equal the last of them, and returns
 * the number of these.  It is quicksort without the side that is not wanted, and gives up
 * if no pivot helps: then the number may be too large, but none is missing.
 */
static size_t
choose(struct value *v, size_t n, size_t most, bool down)
{
	size_t from = 0, end;
	int rounds;

	for (rounds = 0; most < n && rounds < 64; rounds++) {
		struct value pivot = v[from + (n - from) / 2];

		end = divide(v, from, n, pivot, down, true);
		if (end == n) {
			end = divide(v, from, n, pivot, down, false);
			if (end < most)
				break;	/* the rest is all equal */
		}
		if (end < most)
			from = end;
		else
			n = end;
	}
	return n;
}

/* Moves values that come before the first `from` + 1 in any order to the front, and returns
 * their number, at most `from`. */
static size_t
pass_over(struct value *v, size_t n, size_t from, bool down)
{
	struct value last;
	size_t i;

	if (!from)
		return 0;
	n = choose(v, n, from, down);
	for (last = v[0], i = 1; i < n; i++)
		if ((down ? compare(&v[i], &last) : compare(&last, &v[i])) < 0)
			last = v[i];
	i = divide(v, 0, n, last, down, false);
	return i <= from ? i : 0;
}

static void
sort_from(const struct order *o, struct value *v, size_t n, size_t from, size_t most, size_t k)
{
	size_t i, end;

	if (n < 2 || k == o->nsort)
		return;
	for (i = 0; i < n; i++) {
		uint32_t of = v[i].of;

		v[i] = o->value(o->arg, of, &o->sort[k]);
		v[i].of = of;
	}
	n = choose(v, n, most, o->sort[k].down);
	i = pass_over(v, n, from, o->sort[k].down);
	qsort(v + i, n - i, sizeof *v, o->sort[k].down ? downwards : upwards);
	for (; i < n && i < most; i = end) {
		for (end = i + 1; end < n && compare(&v[i], &v[end]) == 0; end++)
			;
		if (end > from)
			sort_from(o, v + i, end - i, from > i ? from - i : 0, most - i, k + 1);
	}
}

void
order_sort(const struct order *o, struct value *v, size_t n, size_t from, size_t most)
{
	sort_from(o, v, n, from, most, 0);
}
