/* SPDX-License-Identifier: ISC */
#include "reader.h"

#include "util/num.h"

bool
heaptrack_number(struct fields *f, uint64_t *n)
{
	const char *q = num_get_hex(f->p, n);	/* a newline ends it at the latest */

	if (!q || q == f->p || (q < f->end && *q != ' '))
		return false;
	f->p = q + (q < f->end);
	return true;
}

bool
heaptrack_index(struct fields *f, size_t most, uint32_t *n)
{
	uint64_t v;

	if (!heaptrack_number(f, &v) || v > most)
		return false;
	*n = (uint32_t)v;
	return true;
}

bool
heaptrack_ended(const struct fields *f)
{
	return f->p >= f->end;
}
