/* SPDX-License-Identifier: ISC */
/* What each run has had of each row, for what needs all runs at once. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- columns ---- */

bool
merge_next_column(const struct rec_def *def, unsigned *at, enum col_role *role)
{
	while (*at < def->ncol && def->col[*at].role == ROLE_KEY)
		++*at;
	if (*at == def->ncol)
		return false;
	*role = def->col[(*at)++].role;
	return true;
}

bool
merge_lacks_as_zero(enum col_role role, num known)
{
	return role == ROLE_SUM || (role == ROLE_KIND && known != ABSENT);
}

/* ---- what is kept ---- */

void
merge_keep_rows(struct group *g, unsigned kind)
{
	struct sums *all = &g->rows[kind].t, *run = &g->run[kind].t;
	struct runs *r = &g->over[kind];
	size_t i, row;

	r->had = mem_grow(r->had, &r->caphad, r->nhad + run->n, sizeof *r->had);
	r->val = mem_grow(r->val, &r->capval, r->nval + run->n * run->nval,
	    sizeof *r->val);
	for (i = 0; i < run->n; i++) {
		row = sums_row(all, sums_key(run, i));
		r->newest = mem_reach(r->newest, &r->capnewest, row, sizeof *r->newest, 0);
		r->had[r->nhad] = (struct had){ g->nruns + 1, r->newest[row], r->nval,
		    run->nval };
		r->newest[row] = (uint32_t)++r->nhad;
		if (run->nval)
			memcpy(r->val + r->nval, sums_val(run, i),
			    run->nval * sizeof *r->val);
		r->nval += run->nval;
	}
	merge_keep_unknown(g, kind);
}

static int
by_number(const void *pa, const void *pb)
{
	const uint32_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

void
merge_keep_run(struct group *g, struct run *run)
{
	if (run->n)
		qsort(g->measures + run->from, run->n, sizeof *g->measures, by_number);
	g->before = mem_grow(g->before, &g->capbefore, g->nruns + 1, sizeof *g->before);
	g->before[g->nruns] = *run;
	g->atmeasures = g->nmeasures;
}

/* ---- what is asked of it ---- */

bool
merge_has_measured(const struct number *of, uint32_t run)
{
	const struct run *r = &of->g->before[run - 1];
	size_t columns = of->g->rows[of->kind].nsum;
	uint32_t event = (uint32_t)(of->k - columns);

	if (of->k < columns)
		return r->column[of->kind] >> of->k & 1;
	return r->n && bsearch(&event, of->g->measures + r->from, r->n, sizeof event,
	    by_number);
}

/* How many runs have measured it. */
static size_t
count_runs(const struct number *of)
{
	size_t columns = of->g->rows[of->kind].nsum;

	return of->k < columns ? of->g->over[of->kind].n[of->k] : of->g->n[of->k - columns];
}

num
merge_number_in(const struct number *of, const struct had *h)
{
	return of->k < h->n ? of->g->over[of->kind].val[h->from + of->k] : ABSENT;
}

void
merge_gather(const struct number *of, size_t row, struct gathered *in)
{
	const struct runs *r = &of->g->over[of->kind];
	uint32_t at;

	in->n = 0;
	in->zeros = count_runs(of);
	for (at = r->newest[row]; at; at = r->had[at - 1].next) {
		const struct had *h = &r->had[at - 1];
		const num x = merge_number_in(of, h);

		in->zeros -= x != ABSENT || merge_has_measured(of, h->run);
		if (x != ABSENT)
			in->v[in->n++] = x;
	}
	if (!merge_lacks_as_zero(of->role, in->n ? in->v[0] : ABSENT))
		in->zeros = 0;
}

bool
merge_next_number(struct number *of, unsigned *at)
{
	const struct rows *r = &of->g->rows[of->kind];

	of->k++;
	if (!merge_next_column(r->def, at, &of->role))
		of->role = ROLE_SUM;
	return of->k < r->t.nval;
}
