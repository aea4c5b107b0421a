/* SPDX-License-Identifier: ISC */
/* The rows of a ranking, by their keys. */
#include "rows.h"

#include "util/mem.h"

size_t
rank_row_of_function(struct ranker *s, uint64_t func)
{
	static const struct field none = { .has = 0 };

	s->row_of = mem_reach(s->row_of, &s->caprow_of, func, sizeof *s->row_of, 0xff);
	if (s->row_of[func] == NO_ROW)
		s->row_of[func] = (uint32_t)rank_find_row(s, func, NO_ID, &none, &none);
	return s->row_of[func];
}

int
rank_overflow(const struct ranker *s)
{
	return diag_fail(s->q->diag, "a sum does not fit 128 bits");
}
