/* SPDX-License-Identifier: ISC */
/*
 * Sorting by several things at once.  The value of a row is computed once, and
 * only where those before it leave rows equal: what a comparison looks at lies
 * side by side in memory.
 */
#include "page.h"

#include <stdlib.h>

/* Numbers before names, or it would be no order. */
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

/* What is equal stays in the order in which it came. */
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

static void
sort_from(const struct order *o, struct value *v, size_t n, size_t most, size_t k)
{
	size_t i, end;

	if (n < 2 || k == o->nsort)
		return;
	for (i = 0; i < n; i++) {
		uint32_t of = v[i].of;

		v[i] = o->value(o->arg, of, &o->sort[k]);
		v[i].of = of;
	}
	qsort(v, n, sizeof *v, o->sort[k].down ? downwards : upwards);
	for (i = 0; i < n && i < most; i = end) {
		for (end = i + 1; end < n && compare(&v[i], &v[end]) == 0; end++)
			;
		sort_from(o, v + i, end - i, most - i, k + 1);
	}
}

void
order_sort(const struct order *o, struct value *v, size_t n, size_t most)
{
	sort_from(o, v, n, most, 0);
}
