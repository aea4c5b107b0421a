/* SPDX-License-Identifier: ISC */
/* Chooses the contents of a table and their order: events, rows, growth. */
#include "view/rank_table.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"

/* ---- order ---- */

/* Rows that are equal are sorted by names, from the smallest up in any case. */
static void
set_order(struct table *t)
{
	enum group_by keys[TABLE_KEYS];
	const struct order order = { t->sort, t->nsort + table_keys(t->q, keys),
	    table_column, t };
	size_t i;

	for (i = 0; i + t->nsort < order.nsort; i++)
		t->sort[t->nsort + i] = (struct sort){ .what = SORT_KEY, .i = i };
	/* Not all of these are shown. */
	if (t->v->callers || t->v->callees || t->v->values || t->v->only || table_is_diff(t))
		order_sort(&order, t->order, t->kept, 0, t->kept);
	else
		order_sort(&order, t->order, t->kept, table_first(t), table_limit(t));
}

/* ---- growth ---- */

/* Compares points of a row by the order in which they came, on which floating-point sums
 * depend. */
static int
by_row(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Returns points as (row, point) in the order of rows. */
static uint64_t (*
sort_points(const struct rank *r))[2]
{
	uint64_t (*v)[2] = mem_alloc(r->points.n + 1, sizeof *v);
	size_t i;

	for (i = 0; i < r->points.n; i++) {
		v[i][0] = *sums_key(&r->points, i);
		v[i][1] = i;
	}
	qsort(v, r->points.n, sizeof *v, by_row);
	return v;
}

static struct growth_point
point_of(const struct rank *r, size_t point)
{
	const num *v = sums_val(&r->points, point);

	return (struct growth_point){ .size = (double)rank_point_size(r, point),
	    .cost = v[POINT_CALLS] ? (double)v[POINT_COST] / (double)v[POINT_CALLS] : 0,
	    .weight = (double)v[POINT_CALLS] };
}

static struct growth *
growth_of_rows(const struct rank *r)
{
	uint64_t (*sorted)[2] = sort_points(r);
	struct growth_point *p = mem_alloc(r->points.n + 1, sizeof *p);
	struct growth *g = mem_alloc(r->rows.n + 1, sizeof *g);
	size_t i, k = 0, n;

	for (i = 0; i < r->rows.n; i++) {
		for (n = 0; k < r->points.n && sorted[k][0] == i; k++)
			p[n++] = point_of(r, sorted[k][1]);
		growth_fit(p, n, &g[i]);
	}
	free(sorted);
	free(p);
	return g;
}

/* ---- the whole ---- */

static bool
self_known(const struct rank *r)
{
	size_t i;

	for (i = 0; i < r->rows.n && r->flags[i] & RANK_NO_SELF; i++)
		;
	return i < r->rows.n || !r->rows.n;
}

static bool
rows_fit(const struct terms *of, const num *sums, size_t n, size_t stride)
{
	size_t i;
	num sum;

	for (i = 0; i < n; i++)
		if (terms_sum(of, sums + i * stride, &sum) < 0)
			return false;
	return true;
}

/* Do all sums of a formula fit?  Those of events do. */
static bool
terms_fit(const struct table *t, const struct terms *of)
{
	const struct rank *r = t->r;
	const size_t nval = r->rows.nval;
	num sum;

	if (of->n == 1 && of->v[0].coef == 1)
		return true;
	return terms_sum(of, r->total, &sum) == 0 &&
	    rows_fit(of, r->rows.val, r->rows.n, r->rows.stride) &&
	    rows_fit(of, r->incl, r->incl_known ? r->rows.n : 0, nval) &&
	    rows_fit(of, r->edges.val + 1, r->edges.n, r->edges.stride);
}

static int
check_fit(const struct table *t)
{
	size_t i;

	for (i = 0; i < t->nmetric; i++)
		if (!terms_fit(t, &t->metric[i].over) ||
		    !terms_fit(t, &t->metric[i].under))
			return diag_fail_plain(t->q->diag, "%s: a sum does not fit 128 bits",
			    QUOTE(t->metric[i].name));
	return 0;
}

int
table_choose(struct table *t)
{
	size_t i;

	if (t->v->growth && !t->r->sizes)
		return diag_fail_plain(t->q->diag, "--growth: the profile has no "
		    "points (cost against input size), as aprof writes them");
	if (t->v->growth)
		t->growth = growth_of_rows(t->r);
	t->metric = mem_alloc(t->v->nshow + t->v->nsort + t->v->nmin + 1,
	    sizeof *t->metric);
	t->sort = mem_alloc(t->v->nsort + 1 + TABLE_KEYS, sizeof *t->sort);
	for (i = 0; i < t->v->nshow; i++)
		if (table_add_metric(t, t->v->show[i]) < 0)
			return -1;
	for (i = 0; i < t->v->nsort; i++)
		if (table_find_column(t, t->v->sort[i], &t->sort[t->nsort++]) < 0)
			return -1;
	if (!t->nsort && table_is_diff(t))
		t->sort[t->nsort++] = (struct sort){ .what = SORT_CHANGE,
		    .down = !t->v->reverse };
	if (!t->nsort && t->nmetric)
		t->sort[t->nsort++] = (struct sort){ .what = t->growth ||
		    !self_known(t->r) ? SORT_INCL : SORT_SELF,
		    .down = !t->v->reverse };
	if (check_fit(t) < 0 || table_keep(t) < 0)
		return -1;
	set_order(t);
	return 0;
}

void
table_tell_absent(const struct table *t)
{
	struct buf names = { 0 };
	uint64_t lack;
	size_t i;

	for (i = 0; i < t->v->nshow; i++) {
		struct text side[2] = { t->metric[i].name, { 0 } };
		const bool event = events_find(&t->r->events, side[0]) >= 0;

		if (event && i)
			continue;
		if (!event)
			formula_ratio(side[0], &side[0], &side[1]);
		names.n = 0;
		if (!(lack = rank_lacking(t->r, side[0], side[1], &names)))
			continue;
		if (event || !names.n) {
			names.n = 0;
			printable_add(&names, t->metric[i].name);
		}
		events_tell_lacking(t->q->diag, buf_str(&names), event ? (struct text){ 0 } :
		    t->metric[i].name, lack, t->h->parts);
	}
	buf_free(&names);
}

void
table_free(struct table *t)
{
	size_t i;

	for (i = 0; i < t->nmetric; i++) {
		terms_free(&t->metric[i].over);
		terms_free(&t->metric[i].under);
	}
	free(t->metric);
	free(t->sort);
	free(t->order);
	free(t->growth);
}
