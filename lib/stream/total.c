/* SPDX-License-Identifier: ISC */
#include "stream/total.h"

#include <stdlib.h>

#include "util/mem.h"

void
total_clear(struct total *t)
{
	t->n = 0;
	t->has_run = t->has_sum = t->run_lacks = t->any_self = false;
}

void
total_free(struct total *t)
{
	free(t->run);
	free(t->sum);
	free(t->self);
	free(t->seen);
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
		t->seen = mem_resize(t->seen, cap, sizeof *t->seen);
		t->cap = cap;
	}
	for (; t->n < n; t->n++) {
		t->run[t->n] = t->sum[t->n] = t->self[t->n] = 0;
		t->seen[t->n] = t->any_self ? TOTAL_PRESENT : 0;
	}
}

int
total_put(struct total *t, const struct record *r)
{
	bool run = text_is(r->col[0].t, "run");
	struct text rest = r->values, v;
	size_t i;

	for (i = 0; values_next(&rest, &v); i++) {
		const bool absent = text_is(v, "-");
		num n = NUM_ABSENT;

		reach(t, i + 1);
		if (!absent && num_get_num(v.s, v.n, &n) < 0)
			return -1;
		(run ? t->run : t->sum)[i] = n;
		*(run ? &t->has_run : &t->has_sum) |= !absent && n != 0;
		t->run_lacks |= run && absent;
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
		const bool absent = text_is(v, "-");

		reach(t, i + 1);
		t->seen[i] |= absent ? TOTAL_ABSENT : TOTAL_PRESENT;
		if (!absent && (num_get_num(v.s, v.n, &n) < 0 ||
		    num_add(&t->self[i], n) < 0))
			return -1;
	}
	t->any_self = true;
	for (; i < t->n; i++)
		t->seen[i] |= TOTAL_PRESENT;	/* omitted ones are 0 */
	return 0;
}

/* Sets *out to a column of one of the records, which is there; omitted values are 0. */
static bool
is_present(const struct total *t, const num *from, size_t column, num *out)
{
	*out = column < t->n ? from[column] : 0;
	return *out != NUM_ABSENT;
}

bool
total_stated(const struct total *t, size_t column, num *out)
{
	return (t->has_run && is_present(t, t->run, column, out)) ||
	    (t->has_sum && is_present(t, t->sum, column, out));
}

bool
total_known(const struct total *t, size_t column, num *out)
{
	if (total_stated(t, column, out))
		return true;
	*out = column < t->n ? t->self[column] : 0;
	return column >= t->n || t->seen[column] != TOTAL_ABSENT;
}

void
total_write(struct buf *values, const struct total *t, size_t n)
{
	size_t i;
	num v;

	for (i = 0; i < n; i++)
		if (total_known(t, i, &v))
			values_add(values, v);
		else
			buf_puts(values, values->n ? "\t-" : "-");
}
