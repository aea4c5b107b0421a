/* SPDX-License-Identifier: ISC */
#include "runs.h"

void
folded_run_keep(struct folded_run **all, struct text t, const struct stack_frame *v, size_t n)
{
	struct folded_run *r;
	size_t i;

	if (!*all)
		*all = mem_alloc(RUNS, sizeof **all);
	r = &(*all)[folded_run_place(t)];
	r->n = (uint32_t)n;
	r->length = (uint32_t)t.n;
	for (i = 0; i < n; i++)
		r->frame[i] = v[i].frame;
	memcpy(r->text, t.s, t.n);
}
