/* SPDX-License-Identifier: ISC */
#include "stream/total.h"

#include <stdlib.h>

#include "util/mem.h"

void
total_clear(struct total *t)
{
	t->n = 0;
	t->has_run = t->has_sum = false;
}

void
total_free(struct total *t)
{
	free(t->run);
	free(t->sum);
	free(t->self);
	*t = (struct total){ 0 };
}

static void
reach(struct total *t, size_t n)
{
	if (n > t->cap) {
		size_t cap = t->cap;

		t->run = mem_grow(t->run, &cap, n, sizeof *t->run);
		t->sum = mem_resize(t->sum, cap, sizeof *t->sum);
		t->self = mem_resize(t->self, cap, sizeof *t->self);
		t->cap = cap;
	}
	for (; t->n < n; t->n++)
		t->run[t->n] = t->sum[t->n] = t->self[t->n] = 0;
}

int
total_put(struct total *t, const struct record *r)
{
	bool run = text_is(r->col[0].t, "run");
	struct text rest = r->values, v;
	size_t i;

	for (i = 0; values_next(&rest, &v); i++) {
		num n = 0;

		reach(t, i + 1);
		if (!text_is(v, "-") && num_get_num(v.s, v.n, &n) < 0)
			return -1;
		(run ? t->run : t->sum)[i] = n;
		*(run ? &t->has_run : &t->has_sum) |= n != 0;
	}
	return 0;
}

int
total_add(struct total *t, const struct record *r)
{
	struct text rest = r->values, v;
	size_t i;
	num n;

	for (i = 0; values_next(&rest, &v); i++) {
		reach(t, i + 1);
		if (!text_is(v, "-") && (num_get_num(v.s, v.n, &n) < 0 ||
		    num_add(&t->self[i], n) < 0))
			return -1;
	}
	return 0;
}

bool
total_stated(const struct total *t, size_t column, num *out)
{
	const num *from = t->has_run ? t->run : t->has_sum ? t->sum : NULL;

	if (from)
		*out = column < t->n ? from[column] : 0;
	return from != NULL;
}

num
total_of(const struct total *t, size_t column)
{
	num n;

	if (total_stated(t, column, &n))
		return n;
	return column < t->n ? t->self[column] : 0;
}
