/* SPDX-License-Identifier: ISC */
#include "sum/terms.h"

#include <stdlib.h>

#include "util/mem.h"

void
terms_add(struct terms *t, size_t slot, num coef)
{
	if (!coef)
		return;
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct term){ slot, coef };
}

void
terms_free(struct terms *t)
{
	free(t->v);
	*t = (struct terms){ 0 };
}

int
terms_sum(const struct terms *t, const num *sums, num *out)
{
	size_t i;
	num x;

	*out = 0;
	for (i = 0; i < t->n; i++)
		if (num_mul(t->v[i].coef, sums[t->v[i].slot], &x) < 0 || num_add(out, x) < 0)
			return -1;
	return 0;
}
