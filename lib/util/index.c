/* SPDX-License-Identifier: ISC */
#include "util/index.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

bool
index_grow(struct hash_index *x)
{
	const bool any = x->used;

	x->size = x->size ? x->size * 2 : 8;
	free(x->slot);
	x->slot = mem_alloc(x->size, sizeof *x->slot);
	x->used = 0;
	return any;
}

void
index_clear(struct hash_index *x)
{
	if (x->used)
		memset(x->slot, 0, x->size * sizeof *x->slot);
	while (x->size > 8 && x->used < x->size / 4)
		x->size /= 2;
	x->used = 0;
}

void
index_free(struct hash_index *x)
{
	free(x->slot);
	*x = (struct hash_index){ 0 };
}
