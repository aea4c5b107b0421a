/* SPDX-License-Identifier: ISC */
#include "filter/ctx_map.h"

#include <stdlib.h>

#include "util/mem.h"

uint64_t
ctx_map_get(const struct ctx_map *m, uint64_t ctx)
{
	return ctx < m->cap && m->to[ctx] ? m->to[ctx] - 1 : ctx;
}

int
ctx_map_put(struct ctx_map *m, struct dict *dict, struct sink *next,
    const struct record *r, uint32_t cols[DEF_COLS])
{
	const uint32_t id = (uint32_t)r->col[0].n;
	uint32_t to = id;

	cols[CTX_PARENT] = (uint32_t)ctx_map_get(m, cols[CTX_PARENT]);
	if (memcmp(cols, dict_def(dict, REC_CTX, id), DEF_COLS * sizeof *cols) == 0 ?
	    sink_put(next, r) < 0 : dict_put(dict, next, REC_CTX, cols, &to) < 0)
		return -1;
	m->to = mem_reach(m->to, &m->cap, id, sizeof *m->to, 0);
	m->to[id] = to + 1;
	return 0;
}

void
ctx_map_drop(struct ctx_map *m, uint64_t ctx, uint64_t parent)
{
	const uint64_t to = ctx_map_get(m, parent);

	m->to = mem_reach(m->to, &m->cap, ctx, sizeof *m->to, 0);
	m->to[ctx] = (uint32_t)to + 1;
}

int
ctx_map_record(const struct ctx_map *m, struct sink *next, const struct record *r)
{
	struct record out;
	unsigned i;

	for (i = 0; i < r->def->ncol; i++)
		if (r->def->col[i].type == COL_CTX &&
		    ctx_map_get(m, r->col[i].n) != r->col[i].n)
			break;
	if (i == r->def->ncol)
		return sink_put(next, r);
	rec_copy(&out, r);
	for (; i < r->def->ncol; i++)
		if (r->def->col[i].type == COL_CTX)
			out.col[i].n = ctx_map_get(m, out.col[i].n);
	return sink_put(next, &out);
}

void
ctx_map_free(struct ctx_map *m)
{
	free(m->to);
	*m = (struct ctx_map){ 0 };
}
