/* SPDX-License-Identifier: ISC */
/*
 * Counts how often a gate between several runs is wrong:
 *
 *	simulate MODEL RUNS GATES FDR [IDLE [ROW SLOWER]]
 *
 * makes GATES times RUNS runs before and as many after no change, of a thousand functions
 * whose costs fall as 1/i and IDLE ones, half of which have no cost and half have one in 3
 * of 100 runs, and prints how many gates saw one.  With a ROW, that function got slower by
 * the factor SLOWER, and it prints how many gates saw that.  A gate looks at functions and
 * at the total, as prof-diff --fail-over does.  The numbers are the same each time.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sum/noise.h"
#include "util/mem.h"

#define ROWS 1000
#define MOST_RUNS 64
#define NOISE 0.02		/* the deviation of a run, as a share of the cost */

/* ---- random numbers: xorshift128+ (Vigna 2017) ---- */

static uint64_t state[2] = { 88172645463325252u, 362436069u };

static double
uniform(void)
{
	uint64_t a = state[0];
	const uint64_t b = state[1];

	state[0] = b;
	a ^= a << 23;
	state[1] = a ^ b ^ (a >> 17) ^ (b >> 26);
	return ((double)((state[1] + b) >> 12) + 0.5) * 0x1p-52;
}

static double
normal(void)
{
	const double a = uniform(), b = uniform();

	return sqrt(-2 * log(a)) * cos(2 * M_PI * b);
}

static double
poisson(double mean)
{
	const double end = exp(-mean);
	double p = 1, n = -1;

	if (mean > 50)
		return fmax(0, floor(mean + sqrt(mean) * normal() + 0.5));
	for (; p > end; n++)
		p *= uniform();
	return n;
}

/* ---- models of noise: returns the cost of a function with this deviation ---- */

static double
even(double cost, double noise)
{
	return cost * (1 + noise * normal());
}

/* Samples, each of a cost of a million. */
static double
counted(double cost, double noise)
{
	(void)noise;
	return poisson(cost / 1e6);
}

/* A hundred times as many. */
static double
dense(double cost, double noise)
{
	(void)noise;
	return poisson(cost / 1e4);
}

static double
skewed(double cost, double noise)
{
	return cost * (1 + noise * (-log(uniform()) - 1));
}

static double
with_outliers(double cost, double noise)
{
	return even(cost, noise) + (uniform() < 0.05 ? 0.3 * cost : 0);
}

static const struct model {
	const char *name;
	double (*cost)(double cost, double noise);
	double uneven;		/* variation of noise between functions */
	double common;		/* variation of whole runs */
} models[] = {
	{ "even", even, 0, 0 }, { "uneven", even, 0.5, 0 }, { "counted", counted, 0, 0 },
	{ "dense", dense, 0, 0 },
	{ "skewed", skewed, 0, 0 }, { "outliers", with_outliers, 0, 0 },
	{ "slow-runs", even, 0, 0.03 },
};

/* ---- gates ---- */

static void
make_runs(const struct model *m, struct noise *n, double *value, size_t slow, double by)
{
	const size_t each = n->runs[SIDE_OLD] + n->runs[SIDE_NEW];
	double common[2 * MOST_RUNS], sum[2 * MOST_RUNS] = { 0 };
	size_t i, r;

	for (r = 0; r < each; r++)
		common[r] = exp(m->common * normal());
	for (i = 0; i < ROWS; i++) {
		const double noise = NOISE * exp(m->uneven * normal());

		for (r = 0; r < each; r++) {
			double cost = 1e9 / (double)(i + 1) * common[r];

			if (i + 1 == slow && r >= n->runs[SIDE_OLD])
				cost *= by;
			cost = floor(m->cost(cost, noise) + 0.5);
			value[i * each + r] = cost;
			sum[r] += cost;
		}
	}
	for (r = 0; r < (n->rows - ROWS) * each; r++) {
		const double cost = r / each % 2 && uniform() < 0.03 ?
		    floor(-1e6 * log(uniform())) : 0;

		value[ROWS * each + r] = cost;
		sum[r % each] += cost;
	}
	memcpy(value + n->rows * each, sum, each * sizeof *sum);
}

/* Does a gate see growth, anywhere or in that function? */
static bool
sees(const struct noise *n, double fdr, size_t slow)
{
	const size_t each = n->runs[SIDE_OLD] + n->runs[SIDE_NEW];
	struct noise_row *row = mem_alloc(n->rows, sizeof *row), total;
	struct noise of_total = *n;
	bool any = false;
	size_t i;

	noise_judge(n, row);
	of_total.rows = 1;
	of_total.value += n->rows * each;
	noise_judge(&of_total, &total);
	for (i = 0; i < n->rows; i++)
		any |= (!slow || i + 1 == slow) && row[i].q[NOISE_GROWN] <= fdr / 2;
	free(row);
	return any || (!slow && total.q[NOISE_GROWN] <= fdr / 2);
}

int
main(int argc, char **argv)
{
	const struct model *m = models;
	struct noise n = { .rows = ROWS };
	size_t gates, slow, seen = 0, i;
	double *value, fdr, by;

	while (argc > 4 && m < models + sizeof models / sizeof *models &&
	    strcmp(m->name, argv[1]) != 0)
		m++;
	if (argc < 5 || m == models + sizeof models / sizeof *models)
		return 2;
	n.runs[SIDE_OLD] = n.runs[SIDE_NEW] = strtoul(argv[2], NULL, 10);
	gates = strtoul(argv[3], NULL, 10);
	fdr = strtod(argv[4], NULL);
	n.rows += argc > 5 ? strtoul(argv[5], NULL, 10) : 0;
	slow = argc > 7 ? strtoul(argv[6], NULL, 10) : 0;
	by = argc > 7 ? strtod(argv[7], NULL) : 1;
	if (n.runs[SIDE_OLD] > MOST_RUNS || slow > ROWS)
		return 2;
	value = mem_alloc((n.rows + 1) * 2 * n.runs[SIDE_OLD], sizeof *value);
	n.value = value;
	for (i = 0; i < gates; i++) {
		make_runs(m, &n, value, slow, by);
		seen += sees(&n, fdr, slow);
	}
	printf("%zu\n", seen);
	free(value);
	return 0;
}
