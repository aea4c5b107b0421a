/* SPDX-License-Identifier: ISC */
/*
 * Runs against each other: the least, the largest, the median or the mean of their values
 * for a key.  A run without the key counts as 0.  A run that has not measured an event or a
 * column does not count, nor does one that has the key and `-` there.
 *
 * There may be many runs of few records each, so rows that a run lacks are not visited
 * until they occur again, or at the end.
 */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

static num
choose(enum merge_op op, num a, num b)
{
	return op == MERGE_MIN ? (a < b ? a : b) : a > b ? a : b;
}

static void
fold_number(enum merge_op op, num *all, num run)
{
	if (run != ABSENT)
		*all = *all == ABSENT ? run : choose(op, *all, run);
}

/* Columns that hold a least or a largest value hold that of all runs. */
static enum merge_op
op_of(enum merge_op op, enum col_role role)
{
	return role == ROLE_MIN ? MERGE_MIN : role == ROLE_MAX ? MERGE_MAX : op;
}

/* ---- the current run ---- */

void
merge_measures(struct group *g, uint32_t event)
{
	if (g->has[event])
		return;
	g->has[event] = true;
	g->measures = mem_grow(g->measures, &g->capmeasures, g->nmeasures + 1,
	    sizeof *g->measures);
	g->measures[g->nmeasures++] = event;
}

/* Has the run measured a column: does it have a number somewhere, or no record of the
 * kind at all?  The column that makes a kind is always measured. */
static bool
measures(const struct rows *run, enum col_role role, size_t k)
{
	size_t row;

	for (row = 0; row < run->t.n && role != ROLE_KIND; row++)
		if (sums_val(&run->t, row)[k] != ABSENT)
			return true;
	return !run->t.n || role == ROLE_KIND;
}

/* Adds zeros for the earlier runs that lacked the row: those since `when`. */
static void
add_zeros(const struct merge *m, const struct group *g, unsigned kind, num *all,
    const num *run, uint32_t when)
{
	const struct rows *r = &g->rows[kind];
	enum col_role role;
	unsigned at = 0;
	size_t k, i;

	for (k = 0; merge_next_column(r->def, &at, &role); k++)
		if (g->over[kind].last[k] > when &&
		    merge_lacks_as_zero(role, run ? run[k] : all[k]))
			fold_number(m->how.op, &all[k], 0);
	for (i = 0; i < g->events.measured && r->def->tail & REC_VALUES; i++)
		if (g->last[i] > when)
			fold_number(m->how.op, &all[r->nsum + i], 0);
}

static void
fold_row(const struct merge *m, const struct group *g, unsigned kind, num *all,
    const num *run)
{
	const struct rows *r = &g->rows[kind];
	enum col_role role;
	unsigned at = 0;
	size_t k;

	for (k = 0; merge_next_column(r->def, &at, &role); k++)
		fold_number(op_of(m->how.op, role), &all[k], run[k]);
	for (k = g->atmeasures; k < g->nmeasures && r->def->tail & REC_VALUES; k++)
		fold_number(m->how.op, &all[r->nsum + g->measures[k]],
		    run[r->nsum + g->measures[k]]);
}

static void
fold_rows(struct merge *m, struct group *g, unsigned kind)
{
	struct sums *all = &g->rows[kind].t, *run = &g->run[kind].t;
	struct runs *runs = &g->over[kind];
	size_t was = all->n, i, row;

	for (i = 0; i < run->n; i++) {
		row = sums_row(all, sums_key(run, i));
		runs->when = mem_reach(runs->when, &runs->capwhen, row,
		    sizeof *runs->when, 0);
		add_zeros(m, g, kind, sums_val(all, row), sums_val(run, i),
		    runs->when[row]);
		fold_row(m, g, kind, sums_val(all, row), sums_val(run, i));
		runs->when[row] = g->nruns + 1;
	}
	m->sums += (all->n - was) * all->nval;
	m->sums -= run->n * run->nval;
}

/* What needs all runs at once is computed at the end. */
static bool
needs_all(const struct merge *m)
{
	return m->how.op >= MERGE_MEDIAN;
}

/* Which columns the run has measured. */
static uint32_t
count_columns(struct group *g, unsigned kind)
{
	struct runs *r = &g->over[kind];
	enum col_role role;
	uint32_t bits = 0;
	unsigned at = 0;
	size_t k;

	for (k = 0; merge_next_column(g->rows[kind].def, &at, &role); k++)
		if (measures(&g->run[kind], role, k)) {
			r->last[k] = g->nruns + 1;
			r->n[k]++;
			bits |= 1u << k;
		}
	return bits;
}

static void
count_events(struct group *g, struct run *run)
{
	size_t i;

	g->last = mem_reach(g->last, &g->caplast, g->events.measured, sizeof *g->last, 0);
	g->n = mem_reach(g->n, &g->capn, g->events.measured, sizeof *g->n, 0);
	for (i = g->atmeasures; i < g->nmeasures; i++) {
		g->last[g->measures[i]] = g->nruns + 1;
		g->n[g->measures[i]]++;
		g->has[g->measures[i]] = false;
	}
	run->from = g->atmeasures;
	run->n = g->nmeasures - g->atmeasures;
}

/* The rows of another run. */
static void
begin_rows(struct rows *r)
{
	const struct sums was = r->t;

	sums_free(&r->t);
	sums_init(&r->t, was.nkey, was.nval);
	r->t.init = ABSENT;
	sums_clear(&r->unknown);
}

/* Those of the current run, or all. */
enum merge_scope { MERGE_RUN, MERGE_ALL };

/* Completes a total with zeros for the events that it is of. */
static void
fill_total(const struct group *g, struct rows *total, enum merge_scope scope)
{
	const bool run = scope == MERGE_RUN;
	size_t i, n = run ? g->nmeasures - g->atmeasures : g->events.measured;

	for (i = 0; i < n && total->t.n; i++) {
		num *v = &sums_val(&total->t, 0)[run ? g->measures[g->atmeasures + i] : i];

		if (*v == ABSENT)
			*v = 0;
	}
}

int
merge_fold(struct merge *m, struct group *g)
{
	const bool keep = needs_all(m);
	struct run run = { .n = 0 };
	unsigned k;

	fill_total(g, &g->run[REC_TOTAL - REC_COST], MERGE_RUN);
	g->last = mem_reach(g->last, &g->caplast, g->events.measured, sizeof *g->last, 0);
	for (k = 0; k < ROW_KINDS; k++) {
		if (keep)
			merge_keep_rows(g, k);
		else
			fold_rows(m, g, k);
		run.column[k] = count_columns(g, k);
		begin_rows(&g->run[k]);
	}
	count_events(g, &run);
	if (keep)
		merge_keep_run(g, &run);
	g->nmeasures = g->atmeasures;
	g->nruns++;
	return 0;
}

/* ---- the median ---- */

static int
by_num(const void *pa, const void *pb)
{
	const num *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* The median of n values and `zeros` zeros: of two in the middle, the lower one. */
static num
low_median(num *v, size_t n, size_t zeros)
{
	size_t middle, below = 0;

	if (!(n + zeros))
		return ABSENT;
	if (n)
		qsort(v, n, sizeof *v, by_num);
	middle = (n + zeros - 1) / 2;
	while (below < n && v[below] < 0)
		below++;
	return middle < below ? v[middle] : middle < below + zeros ? 0 : v[middle - zeros];
}

static num
median_of(const struct number *of, size_t row, struct gathered *in)
{
	num known = ABSENT;
	size_t i;

	merge_gather(of, row, in);
	if (of->role != ROLE_MIN && of->role != ROLE_MAX)
		return low_median(in->v, in->n, in->zeros);
	for (i = 0; i < in->n; i++)
		fold_number(op_of(MERGE_MEDIAN, of->role), &known, in->v[i]);
	return known;
}

static void
median_row(struct group *g, unsigned kind, size_t row, struct gathered *in)
{
	struct number of = MERGE_NUMBERS(g, kind);
	num *sum = sums_val(&g->rows[kind].t, row);
	unsigned at = 0;

	while (merge_next_number(&of, &at))
		sum[of.k] = median_of(&of, row, in);
}

/* ---- the whole ---- */

static void
end_rows(struct merge *m, struct group *g, struct gathered *in)
{
	size_t row;
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++)
		for (row = 0; row < g->rows[k].t.n && m->how.op != MERGE_SUM; row++)
			if (m->how.op == MERGE_MEDIAN)
				median_row(g, k, row, in);
			else
				add_zeros(m, g, k, sums_val(&g->rows[k].t, row), NULL,
				    g->over[k].when[row]);
}

int
merge_end_runs(struct merge *m)
{
	struct gathered in = { 0 };
	size_t i, runs = 0;
	int ret = 0;

	for (i = 0; i < m->ngroup; i++)
		runs = m->group[i]->nruns > runs ? m->group[i]->nruns : runs;
	in.v = mem_alloc(runs + 1, sizeof *in.v);
	if (m->how.op > MERGE_MEDIAN)
		ret = merge_make_means(m, &in);
	for (i = 0; i < m->ngroup && ret == 0; i++) {
		if (m->how.op <= MERGE_MEDIAN)
			end_rows(m, m->group[i], &in);
		fill_total(m->group[i], ROWS(m->group[i], REC_TOTAL), MERGE_ALL);
	}
	free(in.v);
	return ret;
}

void
merge_free_runs(struct group *g)
{
	unsigned k;

	for (k = 0; g->run && k < ROW_KINDS; k++) {
		sums_free(&g->run[k].t);
		free(g->run[k].known);
		sums_free(&g->run[k].unknown);
		free(g->over[k].when);
		free(g->over[k].had);
		free(g->over[k].newest);
		free(g->over[k].val);
	}
	free(g->has);
	free(g->totals);
	free(g->measures);
	free(g->last);
	free(g->n);
	free(g->before);
}
