/* SPDX-License-Identifier: ISC */
#include "symbol/unit_ranges.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/search.h"

void
unit_ranges_add(struct unit_ranges *r, struct unit_range x)
{
	r->v = mem_grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	r->v[r->n++] = x;
}

static int
by_address(const void *pa, const void *pb)
{
	const struct unit_range *a = pa, *b = pb;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->unit > b->unit) - (a->unit < b->unit);
}

void
unit_ranges_sort(struct unit_ranges *r)
{
	uint64_t end = 0;
	size_t i, n = 0;

	if (r->n)
		qsort(r->v, r->n, sizeof *r->v, by_address);
	for (i = 0; i < r->n; i++) {
		struct unit_range x = r->v[i];

		if (x.to <= end)
			continue;
		if (x.from < end)
			x.from = end;
		end = x.to;
		r->v[n++] = x;
	}
	r->n = n;
}

const struct unit_range *
unit_ranges_find(const struct unit_ranges *r, uint64_t addr)
{
	const size_t at = PARTITION_POINT(i, 0, r->n, r->v[i].to <= addr);

	return at < r->n && r->v[at].from <= addr ? &r->v[at] : NULL;
}

void
unit_ranges_free(struct unit_ranges *r)
{
	free(r->v);
}
