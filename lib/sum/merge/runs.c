/* SPDX-License-Identifier: ISC */
/*
 * The measurements of runs, and the numbers of each row: noted when a run ends, and used
 * when the operation makes one number of those of all runs.
 *
 * There may be many runs of few records each, so rows that a run lacks are not visited.
 */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- the current run ---- */

void
merge_measures(struct group *g, uint32_t event)
{
	struct runs *r = g->over;

	r->had = mem_reach(r->had, &r->caphad, event, sizeof *r->had, 0);
	r->last = mem_reach(r->last, &r->caplast, event, sizeof *r->last, 0);
	r->times = mem_reach(r->times, &r->captimes, event, sizeof *r->times, 0);
	if (r->had[event])
		return;
	r->had[event] = RUN_MEASURED;
	r->measures = mem_grow(r->measures, &r->capmeasures, r->nmeasures + 1,
	    sizeof *r->measures);
	r->measures[r->nmeasures++] = event;
}

/* Has the run measured a column: does it have a number somewhere, or no record of the
 * kind at all?  The column that makes a kind is always measured. */
static bool
measures(const struct rows *run, size_t k)
{
	const enum col_role role = run->role[k];
	size_t row;

	for (row = 0; row < run->t.n && role != ROLE_KIND; row++)
		if (sums_val(&run->t, row)[k] != NUM_ABSENT)
			return true;
	return !run->t.n || role == ROLE_KIND;
}

/* Returns a bit for each column that the run has measured. */
static uint32_t
note_columns(struct runs *runs, unsigned kind)
{
	struct past *p = &runs->past[kind];
	uint32_t bits = 0;
	size_t k;

	for (k = 0; k < runs->now[kind].nsum; k++)
		if (measures(&runs->now[kind], k)) {
			p->last[k] = runs->n + 1;
			p->times[k]++;
			bits |= 1u << k;
		}
	return bits;
}

static int
by_number(const void *pa, const void *pb)
{
	const uint32_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

static void
note_events(struct group *g, struct run *run)
{
	struct runs *r = g->over;
	size_t i;

	run->from = r->atmeasures;
	run->n = r->nmeasures - r->atmeasures;
	for (i = run->from; i < r->nmeasures; i++) {
		r->last[r->measures[i]] = r->n + 1;
		r->times[r->measures[i]]++;
		r->had[r->measures[i]] = 0;
	}
	if (run->n)
		qsort(r->measures + run->from, run->n, sizeof *r->measures, by_number);
}

void
merge_note_run(struct group *g)
{
	struct runs *r = g->over;
	struct run run = { .n = 0 };
	unsigned k;

	for (k = 0; k < ROW_KINDS; k++) {
		struct rows *now = &r->now[k];
		const struct sums was = now->t;

		run.column[k] = note_columns(r, k);
		sums_free(&now->t);
		sums_init(&now->t, was.nkey, was.nval);
		now->t.init = NUM_ABSENT;
		sums_clear(&now->unknown);
	}
	note_events(g, &run);
	if (r->keeps) {
		r->before = mem_grow(r->before, &r->capbefore, r->n + 1, sizeof *r->before);
		r->before[r->n] = run;
		r->atmeasures = r->nmeasures;
	}
	r->nmeasures = r->atmeasures;
	r->n++;
}

void
merge_keep_rows(struct group *g, unsigned kind)
{
	struct sums *all = &g->rows[kind]->t, *run = &g->over->now[kind].t;
	struct past *p = &g->over->past[kind];
	size_t i, row;

	p->had = mem_grow(p->had, &p->caphad, p->nhad + run->n, sizeof *p->had);
	p->val = mem_grow(p->val, &p->capval, p->nval + run->n * run->nval, sizeof *p->val);
	for (i = 0; i < run->n; i++) {
		row = sums_row(all, sums_key(run, i));
		p->newest = mem_reach(p->newest, &p->capnewest, row, sizeof *p->newest, 0);
		p->had[p->nhad] = (struct had){ g->over->n + 1, p->newest[row], p->nval,
		    run->nval };
		p->newest[row] = (uint32_t)++p->nhad;
		if (run->nval)
			memcpy(p->val + p->nval, sums_val(run, i),
			    run->nval * sizeof *p->val);
		p->nval += run->nval;
	}
	merge_keep_unknown(g, kind);
}

/* ---- reading them ---- */

bool
merge_has_measured(const struct number *of, uint32_t run)
{
	const struct runs *runs = of->g->over;
	const struct run *r = &runs->before[run - 1];
	const size_t columns = of->g->rows[of->kind]->nsum;
	uint32_t event = (uint32_t)(of->k - columns);

	if (of->k < columns)
		return r->column[of->kind] >> of->k & 1;
	return r->n && bsearch(&event, runs->measures + r->from, r->n, sizeof event, by_number);
}

num
merge_number_in(const struct number *of, const struct had *h)
{
	return of->k < h->n ? of->g->over->past[of->kind].val[h->from + of->k] : NUM_ABSENT;
}

/* Gathers kept numbers.  A run that has measured the column, but lacks the row, counts as
 * 0. */
static void
gather_kept(const struct number *of, size_t row, struct gathered *in)
{
	const struct past *p = &of->g->over->past[of->kind];
	const size_t columns = of->g->rows[of->kind]->nsum;
	uint32_t at;

	in->zeros = of->k < columns ? p->times[of->k] : of->g->over->times[of->k - columns];
	for (at = p->newest[row]; at; at = p->had[at - 1].next) {
		const struct had *h = &p->had[at - 1];
		const num x = merge_number_in(of, h);

		in->zeros -= x != NUM_ABSENT || merge_has_measured(of, h->run);
		if (x != NUM_ABSENT)
			in->v[in->n++] = x;
	}
}

/* Gathers a folded number.  Has a run measured it since the last one that had the row? */
static void
gather_folded(const struct number *of, size_t row, struct gathered *in)
{
	const struct past *p = &of->g->over->past[of->kind];
	const struct rows *rows = of->g->rows[of->kind];
	const num x = sums_val(&rows->t, row)[of->k];
	const uint32_t last = of->k < rows->nsum ? p->last[of->k] :
	    of->g->over->last[of->k - rows->nsum];

	if (x != NUM_ABSENT)
		in->v[in->n++] = x;
	in->zeros = last > p->when[row];
}

/* Does a missing row of a run that has measured the column count as 0? known: the value of
 * the other runs, for kinds where all have `-` or none. */
static bool
lacks_as_zero(enum col_role role, num known)
{
	return role == ROLE_SUM || (role == ROLE_KIND && known != NUM_ABSENT);
}

void
merge_gather(const struct number *of, size_t row, num now, struct gathered *in)
{
	in->n = 0;
	if (of->g->over->keeps)
		gather_kept(of, row, in);
	else
		gather_folded(of, row, in);
	if (now != NUM_ABSENT)
		in->v[in->n++] = now;
	if (!lacks_as_zero(merge_role(of), in->n ? in->v[0] : NUM_ABSENT))
		in->zeros = 0;
}

uint64_t
merge_runs(const struct merge *m)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < m->ngroup; i++)
		if (m->group[i]->over && m->group[i]->over->n > n)
			n = m->group[i]->over->n;
	return n;
}
