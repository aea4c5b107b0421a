/* SPDX-License-Identifier: ISC */
/*
 * Runs against each other: the least, the largest, the median of what they have
 * of a key.  A run that has an event and not the key counts as 0; one that has
 * not the event does not count.
 */
#include "merge/state.h"

#include <stdlib.h>

#include "mem.h"

static num
choose(enum merge_op op, num a, num b)
{
	return op == MERGE_MIN ? (a < b ? a : b) : a > b ? a : b;
}

/* The columns of a row before its events. */
static void
fold_columns(enum merge_op op, const struct rec_def *def, num *all, const num *run,
    bool fresh, bool first)
{
	unsigned i;

	for (i = 0; i < def->ncol; i++) {
		enum col_role role = def->col[i].role;

		if (role == ROLE_KEY)
			continue;
		if (role == ROLE_NOTE)
			*all = fresh || *all == *run ? *run : ABSENT;
		else if (*run != ABSENT && *all == ABSENT)
			*all = fresh && !first && role == ROLE_SUM ?
			    choose(op, 0, *run) : *run;
		else if (*run != ABSENT)
			*all = choose(role == ROLE_MIN ? MERGE_MIN :
			    role == ROLE_MAX ? MERGE_MAX : op, *all, *run);
		all++, run++;
	}
}

/* Those of events: fresh ones were 0 in the runs that had the event. */
static void
fold_values(const struct merge *m, struct group *g, num *all, const num *run)
{
	size_t i;

	for (i = 0; i < g->events.measured; i++) {
		if (run[i] == ABSENT)
			continue;
		if (all[i] != ABSENT)
			all[i] = choose(m->how.op, all[i], run[i]);
		else
			all[i] = g->measured[i] ? choose(m->how.op, 0, run[i]) : run[i];
	}
}

/* A row that the run has not. */
static void
fold_none(const struct merge *m, const struct group *g, const struct rows *r,
    num *all)
{
	unsigned i;
	size_t k;

	for (i = 0; i < r->def->ncol; i++) {
		if (r->def->col[i].role == ROLE_KEY)
			continue;
		if (r->def->col[i].role == ROLE_SUM && *all != ABSENT)
			*all = choose(m->how.op, *all, 0);
		all++;
	}
	for (k = 0; k < g->events.measured && r->def->tail & REC_VALUES; k++)
		if (g->at.has[k])
			all[k] = all[k] == ABSENT ? 0 : choose(m->how.op, all[k], 0);
}

static void
fold_rows(const struct merge *m, struct group *g, struct rows *all, struct rows *run)
{
	bool *seen;
	size_t i, was = all->t.n;

	for (i = 0; i < run->t.n; i++)
		table_row(&all->t, table_key(&run->t, i));
	seen = mem_alloc(all->t.n + 1, sizeof *seen);
	for (i = 0; i < run->t.n; i++) {
		size_t row = table_row(&all->t, table_key(&run->t, i));
		num *v = table_val(&all->t, row);
		const num *r = table_val(&run->t, i);

		seen[row] = true;
		fold_columns(m->how.op, all->def, v, r, row >= was, g->folded == 0);
		if (all->def->tail & REC_VALUES)
			fold_values(m, g, v + all->nsum, r + all->nsum);
	}
	for (i = 0; i < was; i++)
		if (!seen[i])
			fold_none(m, g, all, table_val(&all->t, i));
	free(seen);
}

/* The run's tables are kept, and new ones begun. */
static void
keep_run(struct group *g)
{
	struct run *r;
	unsigned k;
	size_t i;

	g->before = mem_grow(g->before, &g->capbefore, g->nbefore + 1,
	    sizeof *g->before);
	r = &g->before[g->nbefore++];
	r->nhas = g->events.measured;
	r->has = mem_alloc(r->nhas + 1, sizeof *r->has);
	for (i = 0; i < r->nhas; i++)
		r->has[i] = g->at.has[i];
	for (k = 0; k < ROW_KINDS; k++) {
		r->t[k] = g->run[k].t;
		table_init(&g->run[k].t, r->t[k].nkey, r->t[k].nval);
		g->run[k].t.init = ABSENT;
		for (i = 0; i < r->t[k].n; i++)
			table_row(&g->rows[k].t, table_key(&r->t[k], i));
	}
}

int
merge_fold(struct merge *m, struct group *g)
{
	unsigned k;
	size_t i;

	if (!g->at.has)
		return 0;
	g->measured = mem_reach(g->measured, &g->capmeasured, g->events.measured,
	    sizeof *g->measured, 0);
	if (m->how.op == MERGE_MEDIAN) {
		keep_run(g);
	} else {
		for (k = 0; k < ROW_KINDS; k++) {
			size_t nkey = g->run[k].nkey, nval = g->run[k].t.nval;

			fold_rows(m, g, &g->rows[k], &g->run[k]);
			table_free(&g->run[k].t);
			table_init(&g->run[k].t, nkey, nval);
			g->run[k].t.init = ABSENT;
		}
	}
	for (i = 0; i < g->events.measured; i++) {
		g->measured[i] += g->at.has[i];
		g->at.has[i] = false;
	}
	g->folded++;
	return 0;
}

/* ---- the median ---- */

static int
by_num(const void *pa, const void *pb)
{
	const num *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* Of n values, the lower one of two in the middle. */
static num
low_median(num *v, size_t n)
{
	if (!n)
		return ABSENT;
	qsort(v, n, sizeof *v, by_num);
	return v[(n - 1) / 2];
}

/* What the runs have of a column of a row: v, as many as are returned. */
static size_t
gather(const struct group *g, unsigned kind, const uint64_t *key, size_t column,
    num *v)
{
	const size_t nsum = g->rows[kind].nsum;
	size_t i, n = 0, row;

	for (i = 0; i < g->nbefore; i++) {
		const struct run *r = &g->before[i];
		bool there = table_find(&r->t[kind], key, &row);

		if (column >= nsum && (column - nsum >= r->nhas || !r->has[column - nsum]))
			continue;
		if (there && table_val(&r->t[kind], row)[column] != ABSENT)
			v[n++] = table_val(&r->t[kind], row)[column];
		else if (!there)
			v[n++] = 0;
	}
	return n;
}

void
merge_median(struct group *g)
{
	num *v = mem_alloc(g->nbefore + 1, sizeof *v);
	size_t row, column;
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++) {
		struct table *t = &g->rows[k].t;

		for (row = 0; row < t->n; row++)
			for (column = 0; column < t->nval; column++)
				table_val(t, row)[column] = low_median(v,
				    gather(g, k, table_key(t, row), column, v));
	}
	free(v);
}
