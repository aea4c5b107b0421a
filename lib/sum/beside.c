/* SPDX-License-Identifier: ISC */
#include "sum/beside.h"

#include <stdlib.h>

#include "util/mem.h"

void
beside_add(struct beside *b, const struct beside_column *column)
{
	b->v = mem_grow(b->v, &b->cap, b->n + 1, sizeof *b->v);
	b->v[b->n++] = *column;
}

void
beside_free(struct beside *b)
{
	free(b->v);
	*b = (struct beside){ 0 };
}
