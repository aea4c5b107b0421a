/* SPDX-License-Identifier: ISC */
#include "sum/extra_columns.h"

#include <stdlib.h>

#include "util/mem.h"

void
extra_columns_add(struct extra_columns *b, const struct extra_column *column)
{
	b->v = mem_grow(b->v, &b->cap, b->n + 1, sizeof *b->v);
	b->v[b->n++] = *column;
}

void
extra_columns_free(struct extra_columns *b)
{
	free(b->v);
	*b = (struct extra_columns){ 0 };
}
