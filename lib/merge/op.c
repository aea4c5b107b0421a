/* SPDX-License-Identifier: ISC */
/*
 * Runs against each other: the least, the largest, the median of what they have
 * of a key.  A run that has not the key counts as 0.  One that has not measured an
 * event or a column does not count, nor one that has the key and `-` there.
 */
#include "merge/state.h"

#include <stdlib.h>

#include "mem.h"

static num
choose(enum merge_op op, num a, num b)
{
	return op == MERGE_MIN ? (a < b ? a : b) : a > b ? a : b;
}

/* The least and the largest are so of all runs. */
static enum merge_op
op_of(enum merge_op op, enum col_role role)
{
	return role == ROLE_MIN ? MERGE_MIN : role == ROLE_MAX ? MERGE_MAX : op;
}

/* Has a run without the row 0 in this column?  known: what runs with it have; of
 * a kind that is `-` in all or in none. */
static bool
lacks_as_zero(enum col_role role, bool measured, num known)
{
	return role == ROLE_SUM ? measured : role == ROLE_KIND && known != ABSENT;
}

/* zero: runs before had 0. */
static void
fold_number(enum merge_op op, num *all, num run, bool zero)
{
	if (*all == ABSENT && zero)
		*all = 0;
	if (run != ABSENT)
		*all = *all == ABSENT ? run : choose(op, *all, run);
}

/* The columns that the run has measured: it has a number somewhere, or nothing of
 * the kind at all. */
static void
find_columns(struct rows *r)
{
	size_t row, i;

	for (i = 0; i < r->nsum; i++) {
		r->has[i] = !r->t.n;
		for (row = 0; row < r->t.n && !r->has[i]; row++)
			r->has[i] = table_val(&r->t, row)[i] != ABSENT;
	}
}

/* The columns of a row before its events; of fresh ones there were runs without
 * the row, but for the first. */
static void
fold_columns(const struct merge *m, const struct rows *r, num *all, const num *run,
    bool fresh)
{
	size_t k = 0;
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		enum col_role role = r->def->col[i].role;

		if (role == ROLE_KEY)
			continue;
		fold_number(op_of(m->how.op, role), &all[k], run[k],
		    fresh && lacks_as_zero(role, r->has[k], run[k]));
		k++;
	}
}

/* Those of events: fresh ones were 0 in the runs that had the event. */
static void
fold_values(const struct merge *m, struct group *g, num *all, const num *run,
    bool fresh)
{
	size_t i;

	for (i = 0; i < g->events.measured; i++)
		fold_number(m->how.op, &all[i], run[i], fresh && g->measured[i]);
}

/* A row that the run has not. */
static void
fold_none(const struct merge *m, const struct group *g, const struct rows *r,
    const struct rows *run, num *all)
{
	size_t k = 0;
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		enum col_role role = r->def->col[i].role;

		if (role == ROLE_KEY)
			continue;
		if (lacks_as_zero(role, run->has[k], all[k]))
			fold_number(m->how.op, &all[k], 0, false);
		k++;
	}
	all += r->nsum;
	for (k = 0; k < g->events.measured && r->def->tail & REC_VALUES; k++)
		if (g->at.has[k])
			fold_number(m->how.op, &all[k], 0, false);
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
		bool fresh = row >= was && g->folded;
		num *v = table_val(&all->t, row);
		const num *r = table_val(&run->t, i);

		seen[row] = true;
		fold_columns(m, all, v, r, fresh);
		if (all->def->tail & REC_VALUES)
			fold_values(m, g, v + all->nsum, r + all->nsum, fresh);
	}
	for (i = 0; i < was; i++)
		if (!seen[i])
			fold_none(m, g, all, run, table_val(&all->t, i));
	for (i = 0; i < all->nsum; i++)
		all->has[i] |= run->has[i];
	free(seen);
}

/* The rows of another run. */
static void
begin_rows(struct rows *r)
{
	size_t nkey = r->t.nkey, nval = r->t.nval;

	table_init(&r->t, nkey, nval);
	r->t.init = ABSENT;
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
		r->rows[k] = g->run[k];
		begin_rows(&g->run[k]);
		for (i = 0; i < r->rows[k].t.n; i++)
			table_row(&g->rows[k].t, table_key(&r->rows[k].t, i));
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
	for (k = 0; k < ROW_KINDS; k++)
		find_columns(&g->run[k]);
	if (m->how.op == MERGE_MEDIAN)
		keep_run(g);
	for (k = 0; k < ROW_KINDS && m->how.op != MERGE_MEDIAN; k++) {
		struct table was = g->run[k].t;

		fold_rows(m, g, &g->rows[k], &g->run[k]);
		begin_rows(&g->run[k]);
		table_free(&was);
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

/* A row as the runs have it: their numbers of it, NULL where one lacks it. */
struct row_of {
	const struct group *g;
	unsigned kind;
	num **run;
	num *v;			/* scratch: of the runs that count */
};

/* A column of the row. */
static num
median_column(const struct row_of *of, enum col_role role, size_t column)
{
	size_t i, n = 0;
	num known = ABSENT;

	for (i = 0; i < of->g->nbefore; i++)
		if (of->run[i] && of->run[i][column] != ABSENT) {
			of->v[n++] = of->run[i][column];
			fold_number(op_of(MERGE_MEDIAN, role), &known, of->v[n - 1], false);
		}
	if (role == ROLE_MIN || role == ROLE_MAX)
		return known;
	for (i = 0; i < of->g->nbefore; i++)
		if (!of->run[i] && lacks_as_zero(role,
		    of->g->before[i].rows[of->kind].has[column], known))
			of->v[n++] = 0;
	return low_median(of->v, n);
}

static num
median_value(const struct row_of *of, size_t event, size_t column)
{
	size_t i, n = 0;

	for (i = 0; i < of->g->nbefore; i++) {
		const struct run *r = &of->g->before[i];

		if (event >= r->nhas || !r->has[event])
			continue;
		if (!of->run[i])
			of->v[n++] = 0;
		else if (of->run[i][column] != ABSENT)
			of->v[n++] = of->run[i][column];
	}
	return low_median(of->v, n);
}

static void
median_row(const struct row_of *of, struct rows *r, size_t row)
{
	const struct group *g = of->g;
	num *sum = table_val(&r->t, row);
	size_t column = 0, i, at;

	for (i = 0; i < g->nbefore; i++) {
		const struct table *t = &g->before[i].rows[of->kind].t;

		of->run[i] = table_find(t, table_key(&r->t, row), &at) ?
		    table_val(t, at) : NULL;
	}
	for (i = 0; i < r->def->ncol; i++)
		if (r->def->col[i].role != ROLE_KEY) {
			sum[column] = median_column(of, r->def->col[i].role, column);
			column++;
		}
	for (i = 0; column < r->t.nval; i++, column++)
		sum[column] = median_value(of, i, column);
}

void
merge_median(struct group *g)
{
	struct row_of of = { .g = g };
	size_t row;

	of.run = mem_alloc(g->nbefore + 1, sizeof *of.run);
	of.v = mem_alloc(g->nbefore + 1, sizeof *of.v);
	for (of.kind = 0; of.kind < ROW_KINDS; of.kind++)
		for (row = 0; row < g->rows[of.kind].t.n; row++)
			median_row(&of, &g->rows[of.kind], row);
	free(of.run);
	free(of.v);
}
