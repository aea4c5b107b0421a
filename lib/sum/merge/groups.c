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

static void
rows_init(struct rows *r, const struct rec_def *def)
{
	unsigned i;

	*r = (struct rows){ .def = def };
	for (i = 0; i < def->ncol; i++) {
		r->nkey += words(&def->col[i]);
		r->nsum += def->col[i].role != ROLE_KEY;
	}
	r->nkey += (def->tail & REC_ATTRS) != 0;
	sums_init(&r->t, r->nkey, r->nsum);
	r->t.init = ABSENT;
	merge_init_unknown(r);
}

/* What groups of sums have of runs, which nobody changes: they may be a million. */
static const struct runs no_runs[ROW_KINDS];

static void
group_init(struct group *g, const uint64_t *key, bool runs)
{
	unsigned k;

	*g = (struct group){ .over = (struct runs *)no_runs };
	memcpy(g->key, key, sizeof g->key);
	if (runs) {
		g->run = mem_alloc(ROW_KINDS, sizeof *g->run);
		g->over = mem_alloc(ROW_KINDS, sizeof *g->over);
	}
	for (k = 0; k < ROW_KINDS; k++) {
		rows_init(&g->rows[k], &rec_table[REC_COST + k]);
		if (runs)
			rows_init(&g->run[k], &rec_table[REC_COST + k]);
	}
	compact_init(&g->compact);
	spots_init(&g->spots);
}

static struct group *
add_group(struct merge *m, const uint64_t *key)
{
	struct group *g = mem_alloc(1, sizeof *g);

	group_init(g, key, m->how.op != MERGE_SUM);
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
	return g->events.measured <= TABLE_WIDE || sums_fits(m->sums, m->values) ? 0 :
	    sums_refuse(m->how.diag, g->events.measured);
}

int
merge_widen(struct merge *m, struct group *g)
{
	size_t nval;
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++) {
		struct sums *t = &g->rows[k].t, *run = g->run ? &g->run[k].t : NULL;

		if (!(g->rows[k].def->tail & REC_VALUES))
			continue;
		nval = g->rows[k].nsum + g->events.measured;
		m->sums += t->n * (nval - t->nval) + (run ? run->n * (nval - run->nval) : 0);
		if (merge_check_room(m, g) < 0)
			return -1;
		sums_widen(t, nval);
		if (run)
			sums_widen(run, nval);
		g->rows[k].below = mem_reach(g->rows[k].below, &g->rows[k].capbelow,
		    g->events.measured, sizeof *g->rows[k].below, 0);
	}
	return 0;
}

static void
rows_free(struct rows *r)
{
	sums_free(&r->t);
	free(r->known);
	sums_free(&r->unknown);
	free(r->below);
}

void
merge_free_group(struct group *g)
{
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++)
		rows_free(&g->rows[k]);
	merge_free_runs(g);
	if (g->run)
		free(g->over);
	free(g->run);
	compact_free(&g->compact);
	spots_free(&g->spots);
	facts_free(&g->facts);
	events_free(&g->events);
	beside_free(&g->beside);
	buf_free(&g->attrs);
	free(g);
}
