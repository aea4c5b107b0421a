/* SPDX-License-Identifier: ISC */
/*
 * Runs against each other: the least, the largest, the median of what they have
 * of a key.  A run that has not the key counts as 0.  Of an event, one that has
 * not measured it does not count, nor one where it is absent in the record; of a
 * column, what is not known of one run is not known.
 */
#include "merge/state.h"

#include <stdlib.h>

#include "mem.h"

static num
choose(enum merge_op op, num a, num b)
{
	return op == MERGE_MIN ? (a < b ? a : b) : a > b ? a : b;
}

/* The columns of a row before its events; fresh ones are those of the run. */
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
		else if (role == ROLE_SUM && fresh)
			*all = first || *run == ABSENT ? *run : choose(op, 0, *run);
		else if (role == ROLE_SUM)
			*all = *all == ABSENT || *run == ABSENT ? ABSENT :
			    choose(op, *all, *run);
		else if (*all == ABSENT)
			*all = *run;
		else if (*run != ABSENT)
			*all = choose(role == ROLE_MIN ? MERGE_MIN : MERGE_MAX, *all, *run);
		all++, run++;
	}
}

/* Those of events: fresh ones were 0 in the runs that had the event. */
static void
fold_values(const struct merge *m, struct group *g, num *all, const num *run,
    bool fresh)
{
	size_t i;

	for (i = 0; i < g->events.measured; i++) {
		if (fresh && g->measured[i])
			all[i] = 0;
		if (run[i] == ABSENT)
			continue;
		all[i] = all[i] == ABSENT ? run[i] : choose(m->how.op, all[i], run[i]);
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
			fold_values(m, g, v + all->nsum, r + all->nsum, row >= was);
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

void
merge_fill_total(const struct group *g, struct rows *total, const bool *has)
{
	size_t i;

	for (i = 0; i < g->events.measured && total->t.n; i++)
		if (table_val(&total->t, 0)[i] == ABSENT && (!has || has[i]))
			table_val(&total->t, 0)[i] = 0;
}

int
merge_fold(struct merge *m, struct group *g)
{
	unsigned k;
	size_t i;

	merge_fill_total(g, &g->run[REC_TOTAL - REC_COST], g->at.has);
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

/* A column of a row, which its runs have at `of`, NULL where they have none. */
static num
median_column(enum col_role role, num *const *of, size_t runs, size_t column, num *v)
{
	size_t i, n = 0;
	num all = ABSENT;
	bool first = true;

	for (i = 0; i < runs; i++) {
		num x = of[i] ? of[i][column] : 0;

		if (role == ROLE_SUM) {
			if (x == ABSENT)
				return ABSENT;
			v[n++] = x;
		} else if (of[i]) {
			if (role == ROLE_NOTE)
				all = first || all == x ? x : ABSENT;
			else if (x != ABSENT)
				all = all == ABSENT ? x : choose(role == ROLE_MIN ?
				    MERGE_MIN : MERGE_MAX, all, x);
			first = false;
		}
	}
	return role == ROLE_SUM ? low_median(v, n) : all;
}

static num
median_value(const struct group *g, num *const *of, size_t event, size_t column,
    num *v)
{
	size_t i, n = 0;

	for (i = 0; i < g->nbefore; i++) {
		if (event >= g->before[i].nhas || !g->before[i].has[event])
			continue;
		if (!of[i])
			v[n++] = 0;
		else if (of[i][column] != ABSENT)
			v[n++] = of[i][column];
	}
	return low_median(v, n);
}

void
merge_median(struct group *g)
{
	num *v = mem_alloc(g->nbefore + 1, sizeof *v);
	num **of = mem_alloc(g->nbefore + 1, sizeof *of);
	size_t row, column, i, at;
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++) {
		struct rows *r = &g->rows[k];

		for (row = 0; row < r->t.n; row++) {
			num *sum = table_val(&r->t, row);

			for (i = 0; i < g->nbefore; i++)
				of[i] = table_find(&g->before[i].t[k], table_key(&r->t, row),
				    &at) ? table_val(&g->before[i].t[k], at) : NULL;
			for (column = i = 0; i < r->def->ncol; i++) {
				if (r->def->col[i].role == ROLE_KEY)
					continue;
				sum[column] = median_column(r->def->col[i].role, of,
				    g->nbefore, column, v);
				column++;
			}
			for (i = 0; column < r->t.nval; i++, column++)
				sum[column] = median_value(g, of, i, column, v);
		}
	}
	free(v);
	free(of);
}
