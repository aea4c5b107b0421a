/* SPDX-License-Identifier: ISC */
#include "sum/noise.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/special.h"

#define ROUNDING (1.0 / 12)	/* the variance of rounding to whole numbers */
#define NEIGHBOURS 40		/* the fewest neighbours of a row, on both sides together */
#define FEWEST 10		/* the fewest rows that show how others vary */
#define UNIFORM 0.2		/* the part of the weights that is the same for all rows */

/* A row in the order of cost. */
struct rated {
	double cost, log_var, trend;	/* logarithms: of cost, of the variance */
	size_t row;
};

struct judge {
	const struct noise *n;
	struct noise_row *row;
	double *var;		/* by row: the variance of its runs */
	struct rated *by_cost;
	/*
	 * Those rows, in the same order, that show how rows vary: by more than rounding,
	 * with a cost in most of the runs.  Rows without cost are the same in all runs, and
	 * rows of a single sample all have the same variance: a thousand of them would look
	 * as if all rows agreed.
	 */
	const struct rated **varying;
	size_t nvarying;
	bool *varies;		/* by row */
	double df;		/* degrees of freedom of a row's variance */
	double prior_df;	/* and of the neighbours' contribution */
	double prior_scale;	/* log of the prior's variance, less the trend */
};

/* ---- statistics of the runs ---- */

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

static size_t
count_costs(const double *v, size_t n)
{
	size_t i, some = 0;

	for (i = 0; i < n; i++)
		some += v[i] != 0;
	return some;
}

static void
measure(struct judge *j)
{
	const size_t *runs = j->n->runs, each = runs[SIDE_OLD] + runs[SIDE_NEW];
	const double *v = j->n->value;
	size_t i, side;

	j->df = (double)(each - 2);
	for (i = 0; i < j->n->rows; i++) {
		const bool often = 4 * count_costs(v, each) >= 3 * each;
		double squares = 0;

		for (side = 0; side < SIDES; v += runs[side++]) {
			j->row[i].mean[side] = mean_of(v, runs[side]);
			squares += squares_of(v, runs[side], j->row[i].mean[side]);
		}
		j->var[i] = squares / j->df;
		j->varies[i] = often && j->var[i] > ROUNDING;
	}
}

/* ---- statistics of the neighbours ---- */

static int
by_cost(const void *a, const void *b)
{
	const struct rated *x = a, *y = b;

	return x->cost < y->cost ? -1 : x->cost > y->cost ? 1 :
	    x->row < y->row ? -1 : x->row > y->row;
}

/* Returns the cost on both sides with equal weights, so that a change does not move a row
 * far. */
static double
cost_of(const struct noise_row *r)
{
	return fabs(r->mean[SIDE_OLD]) + fabs(r->mean[SIDE_NEW]);
}

static void
sort_by_cost(struct judge *j)
{
	/* The mean logarithm of an estimated variance is too small by this. */
	const double bias = special_digamma(j->df / 2) - log(j->df / 2);
	size_t i;

	for (i = 0; i < j->n->rows; i++)
		j->by_cost[i] = (struct rated){ .cost = log(cost_of(&j->row[i]) + 1), .row = i,
		    .log_var = log(fmax(j->var[i], ROUNDING)) - bias };
	qsort(j->by_cost, j->n->rows, sizeof *j->by_cost, by_cost);
	for (i = 0; i < j->n->rows; i++)
		if (j->varies[j->by_cost[i].row])
			j->varying[j->nvarying++] = &j->by_cost[i];
}

/* A line through points by least squares, as its sums. */
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

/* Returns the line's height at x; *leverage: the influence of a point there on it. */
static double
line_at(const struct line *l, double x, double *leverage)
{
	const double mean = l->x / l->n, spread = l->xx - l->x * mean;
	const double off = x - mean, flat = l->y / l->n;

	*leverage = 1 / l->n;
	if (spread <= 1e-9 * l->xx)	/* all have the same cost */
		return flat;
	*leverage += off * off / spread;
	return flat + off * (l->xy - l->y * mean) / spread;
}

/* Finds the trend: for each row, the line through its varying neighbours on both sides,
 * within their range.  Returns the variance of their deviations from it. */
static double
find_trend(struct judge *j)
{
	const size_t n = j->nvarying, wide = n / 8 > NEIGHBOURS / 2 ? n / 8 : NEIGHBOURS / 2;
	const struct rated *const *v = j->varying;
	size_t i, at = 0, from = 0, to = 0;
	double leverage, squares = 0, fitted = 0;
	struct line line = { 0 };

	for (i = 0; i < j->n->rows; i++) {
		struct rated *r = &j->by_cost[i];

		for (; to < n && to <= at + wide; to++)
			line_add(&line, v[to], 1);
		for (; from + wide < at; from++)
			line_add(&line, v[from], -1);
		r->trend = line_at(&line, fmin(fmax(r->cost, v[from]->cost), v[to - 1]->cost),
		    &leverage);
		if (at == n || r != v[at])
			continue;
		squares += (r->log_var - r->trend) * (r->log_var - r->trend);
		fitted += leverage;
		at++;
	}
	return (double)n > fitted ? squares / ((double)n - fitted) : 0;
}

/* Finds the prior.  If the rows' variances differ by more than estimates of one variance
 * do, the excess is what the neighbours do not explain. */
static void
find_prior(struct judge *j)
{
	double beyond;

	if (j->nvarying < FEWEST)
		return;
	beyond = find_trend(j) - special_trigamma(j->df / 2);
	j->prior_df = INFINITY;
	if (beyond > 0) {
		j->prior_df = 2 * special_trigamma_inverse(beyond);
		j->prior_scale = special_digamma(j->prior_df / 2) - log(j->prior_df / 2);
	}
}

/* ---- probabilities ---- */

/* Returns a row's moderated variance, drawn towards that of its neighbours. */
static double
moderated(const struct judge *j, const struct rated *r, double own)
{
	const double prior = exp(r->trend + j->prior_scale);

	return isinf(j->prior_df) ? prior :
	    (j->prior_df * prior + j->df * own) / (j->prior_df + j->df);
}

/* Finds the probability of each row.  A row that rarely costs anything, but then more than
 * its neighbours vary by, has Student's t test of its own. */
static void
find_p(struct judge *j)
{
	const size_t *runs = j->n->runs;
	const double each = 1 / (double)runs[SIDE_OLD] + 1 / (double)runs[SIDE_NEW];
	/* All rows together have no more degrees of freedom than this. */
	const double df = fmin(j->prior_df + j->df, (double)j->nvarying * j->df);
	size_t i;

	for (i = 0; i < j->n->rows; i++) {
		const struct rated *rated = &j->by_cost[i];
		struct noise_row *r = &j->row[rated->row];
		const double own = fmax(j->var[rated->row], ROUNDING);
		const double var = j->prior_df > 0 ? moderated(j, rated, own) : 0;
		const bool alone = var <= 0 || (!j->varies[rated->row] && own > var);

		r->spread = sqrt(alone ? own : var);
		r->p = special_t_above((r->mean[SIDE_NEW] - r->mean[SIDE_OLD]) /
		    (r->spread * sqrt(each)), alone ? j->df : df);
	}
}

/* ---- many rows ---- */

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

/* Returns the total cost, and the number of rows with any: the others cannot have
 * changed. */
static double
total_of(const struct judge *j, size_t *some)
{
	double sum = 0;
	size_t i;

	*some = 0;
	for (i = 0; i < j->n->rows; i++) {
		sum += cost_of(&j->row[i]);
		*some += cost_of(&j->row[i]) > 0;
	}
	return sum;
}

/* Finds the q-values.  The weights have a mean of 1, and do not depend on the changes. */
static void
find_q(struct judge *j, int which)
{
	size_t n, i, k = 0;
	const double total = total_of(j, &n);
	struct weighed *v = mem_alloc(n + 1, sizeof *v);
	double least = 1;

	for (i = 0; i < j->n->rows; i++) {
		struct noise_row *r = &j->row[i];
		const double p = which == NOISE_GROWN ? r->p :
		    2 * (r->p < 0.5 ? r->p : 1 - r->p);

		r->q[which] = 1;
		if (cost_of(r) > 0)
			v[k++] = (struct weighed){ p / (UNIFORM + (1 - UNIFORM) *
			    (double)n * cost_of(r) / total), i };
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
	j.varying = mem_alloc(n->rows + 1, sizeof *j.varying);
	j.varies = mem_alloc(n->rows + 1, sizeof *j.varies);
	measure(&j);
	sort_by_cost(&j);
	find_prior(&j);
	find_p(&j);
	find_q(&j, NOISE_GROWN);
	find_q(&j, NOISE_CHANGED);
	free(j.var);
	free(j.by_cost);
	free(j.varying);
	free(j.varies);
}
