/* SPDX-License-Identifier: ISC */
/* Normal form. */
#include "writer.h"

#include <stdlib.h>

#include "util/system.h"

/* ---- groups ---- */

/* Writes costs.  They are all plain, or all rows of the table: if some are not plain, all
 * become rows. */
static int
write_costs(struct writer *w)
{
	struct group *g = w->g;
	const size_t rows = ROWS(g, REC_COST)->t.n;

	if (!g->addr_costs.n && !rows)
		return merge_write_line_costs(w);
	if (!g->line_costs.block.n && !rows)
		return merge_write_addr_costs(w);
	return merge_expand(w->m, g) < 0 ? -1 : merge_write_rows(w, REC_COST);
}

static int
write_group(struct writer *w, size_t i, uint64_t run)
{
	unsigned kind;

	w->g = w->m->group[i];
	if (merge_check_order(w->m, w->g) < 0 || merge_write_header(w, run) < 0 ||
	    merge_write_rows(w, REC_TOTAL) < 0)
		return -1;
	for (kind = REC_OBJECT; kind <= REC_CTX && i == 0; kind++)
		if (merge_write_defs(w, kind) < 0)
			return -1;
	if (write_costs(w) < 0)
		return -1;
	for (kind = REC_CALL; kind <= REC_RAW; kind++)
		if (merge_write_rows(w, kind) < 0)
			return -1;
	return 0;
}

/* ---- the whole ---- */

/* The properties that distinguish runs, then parts of a run. */
static const enum group_by group_key[] = { BY_CMD, BY_PID, BY_SOURCE, BY_PART, BY_THREAD };
#define GROUP_KEYS (sizeof group_key / sizeof *group_key)
#define RUN_KEYS 3

static bool
same_run(const struct group *a, const struct group *b)
{
	size_t i;

	for (i = 0; i < RUN_KEYS && a->key[group_key[i]] == b->key[group_key[i]]; i++)
		;
	return i == RUN_KEYS;
}

static int
by_group(const void *pa, const void *pb, void *arg)
{
	const struct group *a = *(struct group *const *)pa, *b = *(struct group *const *)pb;
	const struct merge *m = arg;
	size_t i;
	int c = 0;

	for (i = 0; i < GROUP_KEYS && !c; i++) {
		uint64_t ka = a->key[group_key[i]], kb = b->key[group_key[i]];

		c = ka && kb ? merge_by_int(dict_text(m->how.dict, (uint32_t)(ka - 1)),
		    dict_text(m->how.dict, (uint32_t)(kb - 1))) : by_number(ka, kb);
	}
	return c;
}

int
merge_begin(struct merge *m, struct sink *out)
{
	struct record r;

	rec_init(&r, REC_PROF);
	m->begun = true;
	r.col[0].t = TEXT("1");
	return sink_put(out, &r);
}

int
merge_write(struct merge *m, struct sink *out)
{
	struct writer w = { .m = m, .out = out, .dict = m->how.dict };
	struct record r;
	uint64_t run = 0;
	size_t i;
	int ret = merge_end_runs(m) < 0 ? -1 : m->begun ? 0 : merge_begin(m, out), k;

	rec_init(&r, REC_END);
	if (m->ngroup)
		system_sort(m->group, m->ngroup, sizeof *m->group, by_group, m);
	for (i = 0; i < m->ngroup && ret == 0; i++) {
		run += i == 0 || !same_run(m->group[i - 1], m->group[i]);
		ret = write_group(&w, i, run);
	}
	if (ret == 0)
		ret = sink_put(out, &r);
	for (k = 0; k < DEFS; k++) {
		free(w.place[k]);
		free(w.final[k]);
	}
	free(w.event);
	buf_free(&w.values);
	free(w.val);
	return ret;
}
