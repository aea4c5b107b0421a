/* SPDX-License-Identifier: ISC */
/* Writes plain costs: line_costs and addr_costs, block by block. */
#include "writer.h"

#include <stdlib.h>

#include "util/key_sort.h"
#include "util/mem.h"
#include "util/system.h"

/* ---- blocks ---- */

/* Returns the blocks of a table, whose keys are a function and a file, in their order. */
static struct keyed *
sort_blocks(const struct writer *w, const struct sums *block)
{
	struct keyed *v = mem_alloc(2 * block->n + 1, sizeof *v);
	size_t i;

	for (i = 0; i < block->n; i++) {
		const uint64_t *key = sums_key(block, i);

		v[i] = (struct keyed){ (uint64_t)place(w, REC_FUNC, (uint32_t)key[0]) << 32 |
		    place(w, REC_FILE, (uint32_t)key[1]), (uint32_t)i };
	}
	key_sort(v, block->n, v + block->n);
	return v;
}

/* Sets *r to a cost of a block. */
static void
init_cost(const struct writer *w, struct record *r, const uint64_t *key)
{
	rec_init(r, REC_COST);
	if (key[0] != NO_ID)
		r->col[PLACE_FUNC].n = w->final[REC_FUNC - REC_OBJECT][key[0]];
	if (key[1] != NO_ID)
		r->col[PLACE_FILE].n = w->final[REC_FILE - REC_OBJECT][key[1]];
}

/* ---- line_costs ---- */

#define AHEAD 8			/* blocks whose rows are prefetched */

static int
write_block(struct writer *w, struct line_costs_reader *from, uint32_t block)
{
	struct record r;
	uint32_t line;

	init_cost(w, &r, sums_key(&from->c->block, block));
	line_costs_open(from, block);
	while (line_costs_next(from, &line)) {
		r.col[PLACE_LINE].has = line == COMPACT_NO_LINE ? 0 : HAS_N;
		r.col[PLACE_LINE].n = (uint64_t)line - 1;
		r.values = from->ncol > TABLE_WIDE ? merge_values(w, from->val, from->used) :
		    merge_few_values(w, from->val, from->nonzero);
		if (sink_put(w->out, &r) < 0)
			return -1;
	}
	return 0;
}

int
merge_write_line_costs(struct writer *w)
{
	const struct line_costs *c = &w->g->line_costs;
	struct keyed *v = sort_blocks(w, &c->block);
	struct line_costs_reader from;
	size_t i;
	int ret = 0;

	line_costs_read(&from, c, w->g->events.measured);
	for (i = 0; i < c->block.n && ret == 0; i++) {
		if (i + AHEAD < c->block.n)
			line_costs_ahead(&from, v[i + AHEAD].of);
		ret = write_block(w, &from, v[i].of);
	}
	line_costs_read_end(&from);
	free(v);
	return ret;
}

/* ---- addr_costs ---- */

static int
by_addr_cost(const void *pa, const void *pb, void *arg)
{
	const struct addr_cost *a = addr_costs_at(arg, *(const uint32_t *)pa);
	const struct addr_cost *b = addr_costs_at(arg, *(const uint32_t *)pb);
	int c = by_number(a->line, b->line);

	if (!c)
		c = by_number(a->at_addr, b->at_addr);
	return c ? c : by_number(a->addr, b->addr);
}

/* Sorts the entries by block; at: by block, where the entries after it begin. */
static uint32_t *
sort_addr_costs(struct addr_costs *s, size_t *at)
{
	uint32_t *v = mem_alloc(s->n + 1, sizeof *v);
	size_t i, from = 0;

	for (i = 0; i < s->n; i++)
		at[addr_costs_at(s, i)->block + 1]++;
	for (i = 0; i < s->block.n; i++)
		at[i + 1] += at[i];
	for (i = 0; i < s->n; i++)
		v[at[addr_costs_at(s, i)->block]++] = (uint32_t)i;
	for (i = 0; i < s->block.n; from = at[i++])
		if (at[i] - from > 1)
			system_sort(v + from, at[i] - from, sizeof *v, by_addr_cost, s);
	return v;
}

static int
write_addr_cost(struct writer *w, struct record *r, const struct addr_cost *addr_cost)
{
	const size_t ncol = w->g->events.measured;

	r->col[PLACE_LINE].has = addr_cost->line ? HAS_N : 0;
	r->col[PLACE_LINE].n = (uint64_t)addr_cost->line - 1;
	r->col[PLACE_ADDR].has = addr_cost->at_addr ? HAS_N : 0;
	r->col[PLACE_ADDR].n = addr_cost->addr;
	addr_costs_get(&w->g->addr_costs, addr_cost, w->val, ncol);
	r->values = merge_values(w, w->val, ncol);
	return sink_put(w->out, r);
}

int
merge_write_addr_costs(struct writer *w)
{
	struct addr_costs *s = &w->g->addr_costs;
	size_t *at = mem_alloc(s->block.n + 2, sizeof *at), i, k;
	struct keyed *order = sort_blocks(w, &s->block);
	uint32_t *v = sort_addr_costs(s, at);
	struct record r;
	int ret = 0;

	for (i = 0; i < s->block.n; i++) {
		const uint32_t block = order[i].of;

		init_cost(w, &r, sums_key(&s->block, block));
		for (k = block ? at[block - 1] : 0; k < at[block] && ret == 0; k++)
			ret = write_addr_cost(w, &r, addr_costs_at(s, v[k]));
	}
	free(at);
	free(order);
	free(v);
	return ret;
}
