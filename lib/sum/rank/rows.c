/* SPDX-License-Identifier: ISC */
/* The rows of a ranking, by their keys. */
#include "rows.h"

#include "stream/level.h"
#include "util/mem.h"

#define NO_ROW UINT32_MAX

uint64_t
rank_fine_node(struct ranker *s, uint64_t func)
{
	uint32_t cols[DEF_COLS];
	bool fresh;
	const uint64_t bare = dict_func_bare(s->q->dict, func, &fresh);
	uint64_t key = bare;
	struct text name = dict_func_name(s->q->dict, (uint32_t)key);
	size_t n = level_base(name), i;

	for (i = 0; i < s->q->ngroup_by && s->q->group_by[i] != BY_FUNCTION; i++)
		;
	if (i == s->q->ngroup_by && n < name.n) {
		memcpy(cols, dict_def(s->q->dict, REC_FUNC, (uint32_t)key),
		    (FUNC_ATTRS + 1) * sizeof *cols);
		cols[FUNC_NAME] = dict_str(s->q->dict, (struct text){ name.s, n });
		key = dict_define(s->q->dict, REC_FUNC, cols, &fresh);
	}
	return sums_row(&s->r.nodes, &key);
}

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
