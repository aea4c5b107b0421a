/* SPDX-License-Identifier: ISC */
/* The rows of a ranking, by their keys. */
#include "rows.h"

#include "util/mem.h"

/* Returns where the row is noted. */
static uint32_t *
row_of(struct ranker *s, uint64_t func)
{
	if (func == NO_ID)
		return &s->row_of_none;
	s->row_of = mem_reach(s->row_of, &s->caprow_of, func, sizeof *s->row_of, 0xff);
	return &s->row_of[func];
}

size_t
rank_row_of_function(struct ranker *s, uint64_t func)
{
	bool fresh;
	uint64_t bare;
	size_t row;

	if (*row_of(s, func) != NO_ROW)
		return *row_of(s, func);
	bare = dict_func_bare(s->q->dict, func, &fresh);
	row = bare == func ? sums_add_row(&s->r.rows, &bare) : rank_row_of_function(s, bare);
	*row_of(s, func) = (uint32_t)row;
	return row;
}

int
rank_overflow(const struct ranker *s)
{
	return diag_fail(s->q->diag, "a sum does not fit 128 bits");
}
