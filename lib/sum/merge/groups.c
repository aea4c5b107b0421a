/* SPDX-License-Identifier: ISC */
/* Groups of parts that are merged, and room for their rows. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

static unsigned
words(const struct column *c)
{
	if (c->role != ROLE_KEY)
		return c->role == ROLE_KIND;	/* is it there? */
	return c->type == COL_LINE || c->type == COL_ADDR ? 2 : 1;
}

void
merge_init_rows(struct rows *r, enum rec_kind kind)
{
	const struct rec_def *def = &rec_table[kind];
	unsigned i;

	*r = (struct rows){ .def = def };
	for (i = 0; i < def->ncol; i++) {
		r->nkey += words(&def->col[i]);
		if (def->col[i].role != ROLE_KEY)
			r->role[r->nsum++] = (unsigned char)def->col[i].role;
	}
	r->nkey += (def->tail & REC_ATTRS) != 0;
	sums_init(&r->t, r->nkey, r->nsum);
	r->t.init = NUM_ABSENT;
	merge_init_unknown(r);
}

static void
rows_free(struct rows *r)
{
	sums_free(&r->t);
	free(r->known);
	sums_free(&r->unknown);
	free(r->below);
	free(r->per);
}

/* Makes room for the values of all events. */
static void
widen(struct rows *r, const struct group *g)
{
	if (!(r->def->tail & REC_VALUES))
		return;
	sums_widen(&r->t, r->nsum + merge_columns(g));
	r->below = mem_reach(r->below, &r->capbelow, g->events.measured, sizeof *r->below, 0);
}

struct rows *
merge_make_rows(struct merge *m, struct group *g, enum rec_kind kind)
{
	struct rows **r = &ROWS(g, kind);

	if (*r == &m->none[kind - REC_COST]) {
		*r = mem_alloc(1, sizeof **r);
		merge_init_rows(*r, kind);
		widen(*r, g);
	}
	return *r;
}

static struct runs *
make_runs(enum merge_op op)
{
	struct runs *r = mem_alloc(1, sizeof *r);
	unsigned k;

	r->keeps = op >= MERGE_MEDIAN;
	for (k = 0; k < ROW_KINDS; k++)
		merge_init_rows(&r->now[k], REC_COST + k);
	return r;
}

static void
free_runs(struct runs *r)
{
	unsigned k;

	for (k = 0; r && k < ROW_KINDS; k++) {
		rows_free(&r->now[k]);
		free(r->past[k].when);
		free(r->past[k].had);
		free(r->past[k].newest);
		free(r->past[k].val);
	}
	if (r) {
		free(r->last);
		free(r->times);
		free(r->had);
		free(r->measures);
		free(r->before);
	}
	free(r);
}

static struct group *
add_group(struct merge *m, const uint64_t *key)
{
	struct group *g = mem_alloc(1, sizeof *g);
	unsigned k;

	memcpy(g->key, key, sizeof g->key);
	for (k = 0; k < ROW_KINDS; k++)
		g->rows[k] = &m->none[k];
	line_costs_init(&g->line_costs);
	addr_costs_init(&g->addr_costs);
	if (m->how.op != MERGE_SUM) {
		g->over = make_runs(m->how.op);
		for (k = 0; k < ROW_KINDS; k++)
			merge_make_rows(m, g, REC_COST + k);
	}
	m->group = mem_grow(m->group, &m->capgroup, m->ngroup + 1, sizeof *m->group);
	m->group[m->ngroup++] = g;
	return g;
}

struct group *
merge_one_group(struct merge *m)
{
	const uint64_t key[BY_KINDS] = { 0 };

	return add_group(m, key);
}

void
merge_find_group(struct merge *m)
{
	uint64_t key[BY_KINDS] = { 0 };
	const struct fact *f;
	size_t i;

	for (i = 0; i < m->how.ngroup_by; i++)
		if (group_by_is_fact(m->how.group_by[i]) &&
		    (f = facts_find(&m->facts, group_by_name[m->how.group_by[i]])))
			key[m->how.group_by[i]] = 1 + (uint64_t)dict_str(m->how.dict,
			    buf_as_text(&f->values));
	i = sums_row(&m->groups, key);
	if (i == m->ngroup)
		add_group(m, key);
	m->at = i;
	if (!m->group[i]->touched) {
		m->touched = mem_grow(m->touched, &m->captouched, m->ntouched + 1,
		    sizeof *m->touched);
		m->touched[m->ntouched++] = i;
		m->group[i]->touched = true;
	}
}

int
merge_check_room(const struct merge *m, const struct group *g)
{
	return g->events.measured <= TABLE_WIDE ||
	    sums_fits(EVENT_SUMS * g->events.measured + m->sums, m->values) ? 0 :
	    sums_refuse(m->how.diag, g->events.measured);
}

int
merge_widen(struct merge *m, struct group *g)
{
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++) {
		struct rows *r = g->rows[k], *now = g->over ? &g->over->now[k] : NULL;
		const size_t nval = r->nsum + g->events.measured;

		if (r == &m->none[k] || !(r->def->tail & REC_VALUES))
			continue;
		m->sums += r->t.n * (nval - r->t.nval) +
		    (now ? now->t.n * (nval - now->t.nval) : 0);
		if (merge_check_room(m, g) < 0)
			return -1;
		widen(r, g);
		if (now)
			sums_widen(&now->t, nval);
	}
	return 0;
}

void
merge_free_group(struct merge *m, struct group *g)
{
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++)
		if (g->rows[k] != &m->none[k]) {
			rows_free(g->rows[k]);
			free(g->rows[k]);
		}
	free_runs(g->over);
	free(g->totals);
	line_costs_free(&g->line_costs);
	addr_costs_free(&g->addr_costs);
	facts_free(&g->facts);
	events_free(&g->events);
	extra_columns_free(&g->extra);
	buf_free(&g->attrs);
	free(g);
}
