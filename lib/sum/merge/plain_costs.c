/* SPDX-License-Identifier: ISC */
/* Plain costs, which are kept as line_costs or addr_costs until a cost is not plain. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- costs in ---- */

/* Begins plain costs of this record's block, with addresses or without. */
static void
begin_block(struct merge *m, const struct record *r, bool in_addr_costs)
{
	struct group *g = m->group[m->at];
	uint64_t id[2];

	merge_key_of_func(m, r, PLACE_FUNC, id);
	if (in_addr_costs)
		addr_costs_begin(&g->addr_costs, id[0], id[1], g->events.measured);
	else
		line_costs_begin(&g->line_costs, id[0], id[1], g->events.measured, m->known);
	m->last_func = r->col[PLACE_FUNC].n;
	m->last_file = r->col[PLACE_FILE].n;
	m->in_addr_costs = in_addr_costs;
}

/* Is the cost at a line, an address or no place, without anything else?  Then sets *at. */
static bool
is_plain_place(const struct merge *m, const struct record *r, struct addr_cost *at)
{
	const struct field *line = &r->col[PLACE_LINE], *addr = &r->col[PLACE_ADDR];
	bool at_line = line->has && merge_keeps(m, BY_LINE);
	bool at_addr = addr->has && merge_keeps(m, BY_ADDR);

	at->line = at_line ? (uint32_t)line->n + 1 : COMPACT_NO_LINE;
	at->addr = at_addr ? addr->n : 0;
	at->at_addr = at_addr;
	return !r->attrs.s && (!at_addr || addr->has == HAS_N) &&
	    (!at_line || (line->has == HAS_N && line->n < UINT32_MAX));
}

_Static_assert(TABLE_WIDE <= PLAIN_EVENTS, "columns of a group that is not wide have bits");

/* Sets *v to the values; false if they are not plain. */
static inline bool
read_values(struct merge *m, const struct group *g, const struct record *r, struct plain *v)
{
	if (!r->plain || g->events.measured > TABLE_WIDE)
		return plain_read(v, r->values, m->plain);
	v->val = r->plain->value;
	v->nonzero = r->plain->nonzero;
	v->found = v->n;
	return true;
}

bool
merge_put_plain(struct merge *m, const struct record *r)
{
	struct group *g = m->group[m->at];
	struct plain v = { .n = merge_events(m)->measured,
	    .column = m->mapped ? m->column : NULL };
	struct addr_cost at;
	bool in_addr_costs;

	if (m->how.op != MERGE_SUM || m->shared || ROWS(g, REC_COST)->t.n ||
	    !is_plain_place(m, r, &at) || !read_values(m, g, r, &v))
		return false;
	in_addr_costs = at.at_addr || g->addr_costs.n;
	if (in_addr_costs && (g->addr_costs.full || g->events.measured > TABLE_WIDE))
		return false;
	if (r->col[PLACE_FUNC].n != m->last_func || r->col[PLACE_FILE].n != m->last_file ||
	    in_addr_costs != m->in_addr_costs)
		begin_block(m, r, in_addr_costs);
	if (in_addr_costs)
		addr_costs_add(&g->addr_costs, &at, &v);
	else if (!line_costs_add(&g->line_costs, at.line, &v))
		return false;
	plain_add(&v, m->self);
	m->has_costs = true;
	return true;
}

/* ---- costs as rows ---- */

/* Adds a plain cost to a row of the table. */
static int
expand(struct merge *m, struct group *g, const uint64_t block[2], const struct addr_cost *at,
    const num *val)
{
	struct rows *rows = merge_make_rows(m, g, REC_COST);
	const uint64_t key[] = { block[0], block[1], at->line ? at->line - 1 : 0,
	    at->line ? HAS_N : 0, at->addr, at->at_addr ? HAS_N : 0, NO_ID };
	size_t was = rows->t.n, i;
	num *sum = sums_val(&rows->t, sums_row(&rows->t, key));

	for (i = 0; i < g->events.measured; i++)
		if (val[i] != NUM_ABSENT && merge_add(m, &sum[i], val[i]) < 0)
			return -1;
	m->sums += (rows->t.n - was) * rows->t.nval;
	return merge_check_room(m, g);
}

static int
expand_block(struct merge *m, struct group *g, struct line_costs_reader *r, size_t block)
{
	struct addr_cost at = { 0 };

	line_costs_open(r, block);
	while (line_costs_next(r, &at.line))
		if (expand(m, g, sums_key(&g->line_costs.block, block), &at, r->val) < 0)
			return -1;
	return 0;
}

static int
expand_line_costs(struct merge *m, struct group *g)
{
	struct line_costs *c = &g->line_costs;
	struct line_costs_reader r;
	size_t i;
	int ret = 0;

	m->values += c->nvalue;
	line_costs_read(&r, c, g->events.measured);
	for (i = 0; i < c->block.n && ret == 0; i++)
		ret = expand_block(m, g, &r, i);
	line_costs_read_end(&r);
	line_costs_free(c);
	line_costs_init(c);
	return ret;
}

static int
expand_addr_costs(struct merge *m, struct group *g, num *val)
{
	struct addr_costs *s = &g->addr_costs;
	size_t i;
	int ret = 0;

	m->values += s->nvalue;
	for (i = 0; i < s->n && ret == 0; i++) {
		const struct addr_cost *at = addr_costs_at(s, i);

		addr_costs_get(s, at, val, g->events.measured);
		ret = expand(m, g, sums_key(&s->block, at->block), at, val);
	}
	addr_costs_free(s);
	addr_costs_init(s);
	return ret;
}

int
merge_expand(struct merge *m, struct group *g)
{
	num *val = mem_alloc(g->events.measured + 1, sizeof *val);
	int ret = expand_line_costs(m, g);

	if (ret == 0)
		ret = expand_addr_costs(m, g, val);
	free(val);
	return ret;
}
