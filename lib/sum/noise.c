/* SPDX-License-Identifier: ISC */
#include "sum/noise.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/special.h"

#define ROUNDING (1.0 / 12)	/* the variance of what is rounded to whole numbers */
#define NEIGHBOURS 40		/* of a row, at the least: on both sides together */
#define FEWEST 10		/* rows, so that they say something about each other */
#define UNIFORM 0.2		/* the part of the weights that all rows have alike */

/* A row where it is in the order of cost. */
struct rated {
	double cost, log_var, trend;	/* logarithms: of cost, of the variance */
	size_t row;
};

struct judge {
	const struct noise *n;
	struct noise_row *row;
	double *var;		/* of each row's runs, and what is made of it */
	struct rated *by_cost;
	double freedom;		/* of the variance of a row */
	double prior;		/* of what its neighbours add */
	double scale;		/* log of the prior's variance, less the trend */
};

/* ---- what the runs say ---- */

static double
mean_of(const double *v, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i];
	return sum / (double)n;
}

static double
squares_of(const double *v, size_t n, double mean)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return sum;
}

static void
measure(struct judge *j)
{
	const size_t *runs = j->n->runs;
	const double *v = j->n->value;
	size_t i, side;

	j->freedom = (double)(runs[NOISE_OLD] + runs[NOISE_NEW] - 2);
	for (i = 0; i < j->n->rows; i++) {
		double squares = 0;

		for (side = 0; side < NOISE_SIDES; v += runs[side++]) {
			j->row[i].mean[side] = mean_of(v, runs[side]);
			squares += squares_of(v, runs[side], j->row[i].mean[side]);
		}
		j->var[i] = squares / j->freedom;
	}
}

/* ---- what the neighbours say ---- */

static int
by_cost(const void *a, const void *b)
{
	const struct rated *x = a, *y = b;

	return x->cost < y->cost ? -1 : x->cost > y->cost ? 1 :
	    x->row < y->row ? -1 : x->row > y->row;
}

/* Of both sides, each weighing the same: a change does not move a row far. */
static double
cost_of(const struct noise_row *r)
{
	return fabs(r->mean[NOISE_OLD]) + fabs(r->mean[NOISE_NEW]);
}

static void
sort_by_cost(struct judge *j)
{
	/* The mean of the logarithm of a variance that is estimated is too small by this. */
	const double bias = special_digamma(j->freedom / 2) - log(j->freedom / 2);
	size_t i;

	for (i = 0; i < j->n->rows; i++)
		j->by_cost[i] = (struct rated){ .cost = log(cost_of(&j->row[i]) + 1), .row = i,
		    .log_var = log(fmax(j->var[i], ROUNDING)) - bias };
	qsort(j->by_cost, j->n->rows, sizeof *j->by_cost, by_cost);
}

/* The line through what neighbours have, by least squares: sums of it. */
struct line {
	double n, x, y, xx, xy;
};

static void
line_add(struct line *l, const struct rated *r, double sign)
{
	l->n += sign;
	l->x += sign * r->cost;
	l->y += sign * r->log_var;
	l->xx += sign * r->cost * r->cost;
	l->xy += sign * r->cost * r->log_var;
}

/* Its height at x; *pull is how much a point there pulls it to itself. */
static double
line_at(const struct line *l, double x, double *pull)
{
	const double mean = l->x / l->n, spread = l->xx - l->x * mean;
	const double off = x - mean, flat = l->y / l->n;

	*pull = 1 / l->n;
	if (spread <= 1e-9 * l->xx)	/* they all cost the same */
		return flat;
	*pull += off * off / spread;
	return flat + off * (l->xy - l->y * mean) / spread;
}

/* The trend: at each row the line through its neighbours on both sides.  Returns how much
 * rows differ from it, as a variance. */
static double
find_trend(struct judge *j)
{
	const size_t n = j->n->rows, wide = n / 8 > NEIGHBOURS / 2 ? n / 8 : NEIGHBOURS / 2;
	size_t i, from = 0, to = 0;
	double pull, squares = 0, lost = 0;
	struct line line = { 0 };

	for (i = 0; i < n; i++) {
		struct rated *r = &j->by_cost[i];

		for (; to < n && to <= i + wide; to++)
			line_add(&line, &j->by_cost[to], 1);
		for (; from + wide < i; from++)
			line_add(&line, &j->by_cost[from], -1);
		r->trend = line_at(&line, r->cost, &pull);
		squares += (r->log_var - r->trend) * (r->log_var - r->trend);
		lost += pull;
	}
	return (double)n > lost ? squares / ((double)n - lost) : 0;
}

/* Rows differ in variance by more than an estimate of one does by chance: that is what
 * the prior does not know of them. */
static void
find_prior(struct judge *j)
{
	double beyond;

	j->prior = 0;
	j->scale = 0;
	if (j->n->rows < FEWEST)
		return;
	beyond = find_trend(j) - special_trigamma(j->freedom / 2);
	j->prior = INFINITY;
	if (beyond > 0) {
		j->prior = 2 * special_trigamma_inverse(beyond);
		j->scale = special_digamma(j->prior / 2) - log(j->prior / 2);
	}
}

static void
draw_together(struct judge *j)
{
	size_t i;

	for (i = 0; i < j->n->rows; i++) {
		const struct rated *r = &j->by_cost[i];
		const double prior = exp(r->trend + j->scale);
		double *var = &j->var[r->row];

		*var = fmax(*var, ROUNDING);
		*var = isinf(j->prior) ? prior :
		    (j->prior * prior + j->freedom * *var) / (j->prior + j->freedom);
		j->row[r->row].spread = sqrt(*var);
	}
}

/* ---- how likely it is ---- */

static void
find_p(struct judge *j)
{
	const size_t *runs = j->n->runs;
	const double each = 1 / (double)runs[NOISE_OLD] + 1 / (double)runs[NOISE_NEW];
	size_t i;

	for (i = 0; i < j->n->rows; i++) {
		struct noise_row *r = &j->row[i];

		r->p = special_t_above((r->mean[NOISE_NEW] - r->mean[NOISE_OLD]) /
		    (r->spread * sqrt(each)), j->prior + j->freedom);
	}
}

/* ---- among many ---- */

struct weighed {
	double p;		/* divided by the weight */
	size_t row;
};

static int
by_p(const void *a, const void *b)
{
	const struct weighed *x = a, *y = b;

	return x->p < y->p ? -1 : x->p > y->p ? 1 : x->row < y->row ? -1 : x->row > y->row;
}

static double
total_of(const struct judge *j)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < j->n->rows; i++)
		sum += cost_of(&j->row[i]);
	return sum;
}

/* The weights have the mean 1, and do not depend on what has changed. */
static void
find_q(struct judge *j, int which)
{
	const size_t n = j->n->rows;
	const double total = total_of(j);
	struct weighed *v = mem_alloc(n + 1, sizeof *v);
	double least = 1;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct noise_row *r = &j->row[i];
		const double weight = total > 0 ? UNIFORM +
		    (1 - UNIFORM) * (double)n * cost_of(r) / total : 1;
		const double p = which == NOISE_GROWN ? r->p :
		    2 * (r->p < 0.5 ? r->p : 1 - r->p);

		v[i] = (struct weighed){ p / weight, i };
	}
	qsort(v, n, sizeof *v, by_p);
	for (i = n; i-- > 0; ) {
		least = fmin(least, v[i].p * (double)n / (double)(i + 1));
		j->row[v[i].row].q[which] = least;
	}
	free(v);
}

void
noise_judge(const struct noise *n, struct noise_row *row)
{
	struct judge j = { .n = n, .row = row };

	j.var = mem_alloc(n->rows + 1, sizeof *j.var);
	j.by_cost = mem_alloc(n->rows + 1, sizeof *j.by_cost);
	measure(&j);
	sort_by_cost(&j);
	find_prior(&j);
	draw_together(&j);
	find_p(&j);
	find_q(&j, NOISE_GROWN);
	find_q(&j, NOISE_CHANGED);
	free(j.var);
	free(j.by_cost);
}
