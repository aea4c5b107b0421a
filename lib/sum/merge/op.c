/* SPDX-License-Identifier: ISC */
/*
 * One number from those of all runs: the least, the largest, the median or the mean of
 * their values for a key.  A run without the key counts as 0.  A run that has not measured
 * an event or a column does not count, nor does one that has the key and `-` there.
 *
 * The records of a run are summed in rows of its own.  When it ends these are kept for
 * operations that need the numbers of all runs at once; for the least and the largest they
 * are folded into the rows of all, which then have the result of the runs so far.  At the
 * end each number is reduced to one.
 */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- totals ---- */

/* Completes a total with zeros for the n events that it has. */
static void
fill_total(const struct sums *total, const uint32_t *event, size_t n)
{
	size_t i;

	for (i = 0; i < n && total->n; i++) {
		num *v = &sums_val(total, 0)[event ? event[i] : i];

		if (*v == NUM_ABSENT)
			*v = 0;
	}
}

/* Does the current run not know the total of an event: is it not stated, and a cost in a row
 * of the kind absent? */
static bool
lacks_total(const struct runs *r, const struct rows *rows, const uint64_t *unknown)
{
	const size_t event = unknown[UNKNOWN_EVENT];

	return r->had[event] & RUN_ADDED_UP &&
	    sums_val(&rows->t, unknown[UNKNOWN_ROW])[rows->nsum + event] == NUM_ABSENT;
}

/* Does the current run lack a total because of the rows of a kind?  Then there is one row of
 * totals, which is complete. */
static bool
needs_totals(const struct runs *r, const struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->unknown.n; i++)
		if (lacks_total(r, rows, sums_key(&rows->unknown, i)))
			return true;
	return false;
}

/* Removes the totals that the current run does not know, so that it does not count there. */
static void
forget_totals(const struct runs *r, const struct rows *rows, struct sums *total)
{
	size_t i;

	for (i = 0; i < rows->unknown.n; i++) {
		const uint64_t *unknown = sums_key(&rows->unknown, i);

		if (lacks_total(r, rows, unknown))
			sums_val(total, 0)[unknown[UNKNOWN_EVENT]] = NUM_ABSENT;
	}
}

static void
end_totals(struct merge *m, struct runs *r)
{
	const uint64_t key = dict_str(m->how.dict, TEXT("run"));
	const struct rows *costs = &r->now[REC_COST - REC_COST];
	const struct rows *samples = &r->now[REC_SAMPLE - REC_COST];
	struct sums *total = &r->now[REC_TOTAL - REC_COST].t;

	if (needs_totals(r, costs) || needs_totals(r, samples))
		sums_row(total, &key);
	fill_total(total, r->measures + r->atmeasures, r->nmeasures - r->atmeasures);
	forget_totals(r, costs, total);
	forget_totals(r, samples, total);
}

/* ---- rows ---- */

/* Reduces the numbers that runs have in a row, including the current one: now, NULL if it
 * has ended. */
static void
reduce_row(enum merge_op op, struct group *g, unsigned kind, size_t row, const num *now,
    struct gathered *in)
{
	const struct sums *t = &g->rows[kind]->t;
	struct number of = { g, kind, 0 };
	num *all = sums_val(t, row);

	for (; of.k < t->nval; of.k++) {
		merge_gather(&of, row, now ? now[of.k] : NUM_ABSENT, in);
		all[of.k] = merge_reduce(op, merge_role(&of), in);
	}
}

/* ---- the end of a run ---- */

static void
fold_rows(struct merge *m, struct group *g, unsigned kind)
{
	struct sums *all = &g->rows[kind]->t, *run = &g->over->now[kind].t;
	struct past *p = &g->over->past[kind];
	const size_t was = all->n;
	num v[2];	/* the result of all before, and the value of the run */
	struct gathered in = { .v = v };
	size_t i, row;

	for (i = 0; i < run->n; i++) {
		row = sums_row(all, sums_key(run, i));
		p->when = mem_reach(p->when, &p->capwhen, row, sizeof *p->when, 0);
		if (g->over->n)
			reduce_row(m->how.op, g, kind, row, sums_val(run, i), &in);
		else if (run->nval)
			memcpy(sums_val(all, row), sums_val(run, i), run->nval * sizeof *v);
		p->when[row] = g->over->n + 1;
	}
	m->sums += (all->n - was) * all->nval;
	m->sums -= run->n * run->nval;
}

void
merge_end_run(struct merge *m, struct group *g)
{
	struct runs *r = g->over;
	unsigned k;

	end_totals(m, r);
	for (k = 0; k < ROW_KINDS; k++)
		if (r->keeps)
			merge_keep_rows(g, k);
		else
			fold_rows(m, g, k);
	merge_note_run(g);
}

/* ---- the end of all ---- */

/* Ends rows.  A folded row that the last run had is up to date. */
static void
end_rows(enum merge_op op, struct group *g, struct gathered *in)
{
	size_t row;
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++)
		for (row = 0; row < g->rows[k]->t.n; row++)
			if (g->over->keeps || g->over->past[k].when[row] < g->over->n)
				reduce_row(op, g, k, row, NULL, in);
}

int
merge_end_runs(struct merge *m)
{
	const enum merge_op op = m->how.op;
	struct gathered in = { .v = mem_alloc((size_t)merge_runs(m) + 1, sizeof *in.v) };
	size_t i;
	int ret = 0;

	if (merge_op_is_mean(op))
		ret = merge_make_means(m, &in);
	for (i = 0; i < m->ngroup && ret == 0; i++) {
		struct group *g = m->group[i];

		if (op != MERGE_SUM && !merge_op_is_mean(op))
			end_rows(op, g, &in);
		else if (op == MERGE_SUM)
			fill_total(&ROWS(g, REC_TOTAL)->t, NULL, g->events.measured);
	}
	free(in.v);
	return ret;
}
