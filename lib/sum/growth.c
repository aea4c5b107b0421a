/* SPDX-License-Identifier: ISC */
#include "sum/growth.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define PER_OCTAVE 8
#define MAX_SPOTS (64 * PER_OCTAVE + 2)	/* sizes to 2^64, and 0 */
#define MIN_SPOTS 5
#define MIN_SPAN 4	/* between the smallest size and the largest */
#define ENOUGH_CALLS 4	/* half the maximum weight */
#define FREEDOM 4	/* of Student's distribution */
#define LEAST_SCALE 0.02	/* of deviations */
#define DISTINCT 5	/* difference of -2 log likelihood; a factor of 12 */
#define MAX_RANGE 2	/* from the lowest possible law to the highest */
#define MAX_CONSTANT 1.25	/* the growth that "1" may hide */
#define MAX_RUNS 0.4	/* correlation of neighbours' deviations */
#define MAX_DEVIATION 0.08	/* that may come in runs */
#define MAX_ERROR 0.4	/* of a law that fits; a factor of 1.5 */
#define MAX_TOP 0.06	/* mean deviation of the upper octave, beyond random variation */
#define MAX_ROUNDS 30

enum { TERM_A, TERM_B, TERM_C, TERMS };

const char *const growth_name[GROWTH_LAWS] = {
	"1", "log n", "n", "n log n", "n^1.5", "n^2", "n^2 log n", "n^3",
};

/* The lower term that a law may have; GROWTH_1: none. */
static const enum growth_law lower[GROWTH_LAWS] = {
	[GROWTH_N_LOG] = GROWTH_N, [GROWTH_N_SQRT] = GROWTH_N,
	[GROWTH_N2] = GROWTH_N, [GROWTH_N2_LOG] = GROWTH_N2,
	[GROWTH_N3] = GROWTH_N2,
};

/* Points grouped by size. */
struct spots {
	size_t n;
	double size[MAX_SPOTS], cost[MAX_SPOTS];
	double weight[MAX_SPOTS];	/* 1 on average */
	double unit;		/* a negligible cost; u in growth.h */
	double x[TERMS][MAX_SPOTS];	/* of the current law: 0 to 1 */
	double off[MAX_SPOTS];	/* deviations from the fit judged last */
};

struct fit {
	size_t terms;
	double term[TERMS];
	double scale2;		/* squared scale of the deviations */
	double unlikely;	/* -2 log likelihood, without a constant */
};

static double
law_at(enum growth_law law, double n)
{
	switch (law) {
	case GROWTH_LOG:
		return log2(n + 1);
	case GROWTH_N:
		return n;
	case GROWTH_N_LOG:
		return n * log2(n + 1);
	case GROWTH_N_SQRT:
		return n * sqrt(n);
	case GROWTH_N2:
		return n * n;
	case GROWTH_N2_LOG:
		return n * n * log2(n + 1);
	case GROWTH_N3:
		return n * n * n;
	default:
		return 1;
	}
}

/* ---- points ---- */

static bool
is_usable(const struct growth_point *p)
{
	return isfinite(p->weight) && p->weight > 0 && isfinite(p->size) &&
	    p->size >= 0 && isfinite(p->cost) && p->cost >= 0;
}

static size_t
spot_of(double size)
{
	double at = size < 1 ? 0 : 1 + PER_OCTAVE * log2(size);

	return at < MAX_SPOTS - 1 ? (size_t)at : MAX_SPOTS - 1;
}

/* Returns how many points were used. */
static size_t
gather(struct spots *s, const struct growth_point *p, size_t n)
{
	size_t i, at, used = 0;
	double w, sum = 0;

	memset(s, 0, sizeof *s);
	for (i = 0; i < n; i++) {
		if (!is_usable(&p[i]))
			continue;
		used++;
		at = spot_of(p[i].size);
		s->weight[at] += p[i].weight;
		s->size[at] += p[i].weight * p[i].size;
		s->cost[at] += p[i].weight * p[i].cost;
	}
	s->unit = 1;
	for (i = 0; i < MAX_SPOTS; i++) {
		if (!((w = s->weight[i]) > 0))
			continue;
		s->size[s->n] = s->size[i] / w;
		s->cost[s->n] = s->cost[i] / w;
		s->weight[s->n] = w / (w + ENOUGH_CALLS);
		sum += s->weight[s->n++];
	}
	for (i = 0; i < s->n; i++) {
		s->weight[i] *= (double)s->n / sum;
		if (s->cost[i] > 0 && s->cost[i] < s->unit)
			s->unit = s->cost[i];
	}
	return used;
}

/*
 * The terms of a law at each spot, each 1 at the largest size.  The term of c is half f and
 * half g, so that c g is never more than b f.
 */
static void
set_terms(struct spots *s, enum growth_law law)
{
	double top = s->size[s->n - 1];
	double f = law_at(law, top), g = law_at(lower[law], top);
	size_t i;

	for (i = 0; i < s->n; i++) {
		s->x[TERM_A][i] = 1;
		s->x[TERM_B][i] = law_at(law, s->size[i]) / f;
		s->x[TERM_C][i] = (s->x[TERM_B][i] +
		    law_at(lower[law], s->size[i]) / g) / 2;
	}
}

/* ---- a fit ---- */

static double
fitted(const struct spots *s, const double *term, size_t terms, size_t i)
{
	double sum = 0;
	size_t k;

	for (k = 0; k < terms; k++)
		sum += term[k] * s->x[k][i];
	return sum;
}

static double
squared(const struct spots *s, size_t i)
{
	return s->weight[i] * s->off[i] * s->off[i];
}

/* Returns the weight of a deviation, less for an outlier. */
static double
trust(const struct spots *s, const struct fit *f, size_t i)
{
	return (FREEDOM + 1) / (FREEDOM + squared(s, i) / f->scale2);
}

static double
mean_square(const struct spots *s)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < s->n; i++)
		sum += squared(s, i);
	return sum / (double)s->n;
}

/* Sets the deviations from the fit, improves its scale, if it has one, and sets how
 * unlikely the deviations are. */
static void
judge(struct spots *s, struct fit *f)
{
	const double least = LEAST_SCALE * LEAST_SCALE;
	double sum;
	size_t i;
	int round;

	for (i = 0; i < s->n; i++)
		s->off[i] = log((s->cost[i] + s->unit) /
		    (fitted(s, f->term, f->terms, i) + s->unit));
	if (!(f->scale2 > 0))
		f->scale2 = fmax(mean_square(s), least);
	for (round = 0; round < 4; round++) {
		for (i = 0, sum = 0; i < s->n; i++)
			sum += trust(s, f, i) * squared(s, i);
		f->scale2 = fmax(sum / (double)s->n, least);
	}
	for (i = 0, sum = 0; i < s->n; i++)
		sum += log1p(squared(s, i) / (FREEDOM * f->scale2));
	f->unlikely = (double)s->n * log(f->scale2) + (FREEDOM + 1) * sum;
}

/* Normal equations: the sums of products of terms and, last, with the cost. */
typedef double normal[TERMS][TERMS + 1];

static void
add_spot(normal m, const struct spots *s, size_t terms, size_t i, double cost,
    double weight)
{
	size_t j, k;

	for (j = 0; j < terms; j++) {
		for (k = 0; k < terms; k++)
			m[j][k] += weight * s->x[j][i] * s->x[k][i];
		m[j][TERMS] += weight * s->x[j][i] * cost;
	}
}

/* Solves for the terms in the set; the others are 0.  False if a term would be negative, or
 * they are not independent; *gain: the sum of squares that they explain. */
static bool
solve(const normal m, unsigned set, double *term, double *gain)
{
	double a[TERMS][TERMS + 1], f;
	size_t at[TERMS + 1], n = 0, i, j, k;

	for (i = 0; i < TERMS; i++) {
		term[i] = 0;
		if (set >> i & 1)
			at[n++] = i;
	}
	at[n] = TERMS;
	for (i = 0; i < n; i++)
		for (j = 0; j <= n; j++)
			a[i][j] = m[at[i]][at[j]];
	for (i = 0; i < n; i++) {
		if (!(a[i][i] > 1e-12 * m[at[i]][at[i]]))
			return false;
		for (j = i + 1; j < n; j++)
			for (k = i + 1, f = a[j][i] / a[i][i]; k <= n; k++)
				a[j][k] -= f * a[i][k];
	}
	*gain = 0;
	for (i = n; i-- > 0;) {
		for (j = i + 1; j < n; j++)
			a[i][n] -= a[i][j] * term[at[j]];
		term[at[i]] = a[i][n] / a[i][i];
		if (!(term[at[i]] >= 0))
			return false;
		*gain += term[at[i]] * m[at[i]][TERMS];
	}
	return true;
}

/* Weighted least squares: each set of terms is tried, as none may be negative. */
static bool
solve_best(const normal m, size_t terms, double *out)
{
	double term[TERMS], gain, best = -1;
	unsigned set;

	for (set = 1; set < 1u << terms; set++)
		if (solve(m, set, term, &gain) && gain > best) {
			best = gain;
			memcpy(out, term, sizeof term);
		}
	return best >= 0;
}

/* Begins with the least squares of relative errors. */
static void
begin(struct spots *s, struct fit *f)
{
	normal m = { { 0 } };
	double slope;
	size_t i;

	for (i = 0; i < s->n; i++) {
		slope = s->cost[i] + s->unit;
		add_spot(m, s, f->terms, i, s->cost[i], s->weight[i] / slope / slope);
	}
	solve_best(m, f->terms, f->term);
	judge(s, f);
}

/* A Gauss-Newton step from the fit that judge() saw last, with less weight for outliers. */
static bool
step(const struct spots *s, const struct fit *f, double *next)
{
	normal m = { { 0 } };
	double fit, slope;
	size_t i;

	for (i = 0; i < s->n; i++) {
		fit = fitted(s, f->term, f->terms, i);
		slope = fit + s->unit;
		add_spot(m, s, f->terms, i, fit + slope * s->off[i],
		    trust(s, f, i) * s->weight[i] / slope / slope);
	}
	return solve_best(m, f->terms, next);
}

/* Halves the step until it is an improvement. */
static bool
improve(struct spots *s, struct fit *f)
{
	struct fit next = *f;
	int half;
	size_t k;

	if (!step(s, f, next.term))
		return false;
	for (half = 0; half < 12; half++) {
		next.scale2 = f->scale2;
		judge(s, &next);
		if (next.unlikely < f->unlikely) {
			*f = next;
			return true;
		}
		for (k = 0; k < f->terms; k++)
			next.term[k] = (next.term[k] + f->term[k]) / 2;
	}
	return false;
}

static struct fit
fit_law(struct spots *s, enum growth_law law, size_t terms)
{
	struct fit f = { .terms = terms };
	double before;
	int round;
	bool better;

	set_terms(s, law);
	begin(s, &f);
	for (round = 0, better = true; better && round < MAX_ROUNDS; round++) {
		before = f.unlikely;
		better = improve(s, &f) && before - f.unlikely > 1e-3;
	}
	return f;
}

/* ---- the choice ---- */

struct choice {
	struct fit fit[GROWTH_LAWS];	/* the better one, with c or without */
	double score[GROWTH_LAWS];	/* AICc */
	double rival[GROWTH_LAWS];	/* -2 log likelihood, plus 2 if it has c */
	enum growth_law best;
};

/* Returns AICc's penalty; the scale is one of the parameters. */
static double
charge(size_t terms, size_t n)
{
	double k = (double)terms + 1, rest = (double)n - k - 1;

	return rest > 0 ? 2 * k + 2 * k * (k + 1) / rest : INFINITY;
}

static void
try_laws(struct spots *s, struct choice *c)
{
	enum growth_law law;
	struct fit f;
	double score;

	c->best = GROWTH_1;
	for (law = GROWTH_1; law < GROWTH_LAWS; law++) {
		f = c->fit[law] = fit_law(s, law, law == GROWTH_1 ? 1 : 2);
		c->rival[law] = f.unlikely;
		c->score[law] = f.unlikely + charge(f.terms, s->n);
		if (lower[law] != GROWTH_1) {
			f = fit_law(s, law, 3);
			c->rival[law] = fmin(c->rival[law], f.unlikely + 2);
			score = f.unlikely + charge(f.terms, s->n);
			if (score < c->score[law]) {
				c->score[law] = score;
				c->fit[law] = f;
			}
		}
		if (c->score[law] < c->score[c->best])
			c->best = law;
	}
}

/*
 * Would growth be visible at all?  That "1" is about as good proves nothing by itself, as
 * every law can be nearly flat.  The standard error of a slope over evenly spread sizes is
 * the scale times 3.5 / sqrt(n); use twice that.
 */
static bool
is_constant(const struct spots *s, const struct choice *c)
{
	return c->score[GROWTH_1] < c->score[c->best] + DISTINCT &&
	    7 * sqrt(c->fit[GROWTH_1].scale2 / (double)s->n) < log(MAX_CONSTANT);
}

/* Does the cost hardly grow over the sizes, by its logarithm? */
static bool
is_flat(const struct spots *s, const struct choice *c)
{
	const double *term = c->fit[GROWTH_LOG].term;
	const double least = law_at(GROWTH_LOG, s->size[0]) /
	    law_at(GROWTH_LOG, s->size[s->n - 1]);

	return c->best == GROWTH_LOG && term[TERM_A] + term[TERM_B] <
	    MAX_CONSTANT * (term[TERM_A] + term[TERM_B] * least);
}

/* Sets the law and the range of possible laws; false if there is none. */
static bool
choose(const struct spots *s, const struct choice *c, struct growth *out)
{
	const double enough = c->rival[c->best] + DISTINCT;
	enum growth_law law;

	out->law = out->low = out->high = c->best;
	if (is_constant(s, c)) {
		out->law = out->low = out->high = GROWTH_1;
		return true;
	}
	for (law = GROWTH_LOG; law < GROWTH_LAWS; law++) {
		if (c->rival[law] < enough && law < out->low)
			out->low = law;
		if (c->rival[law] < enough && law > out->high)
			out->high = law;
	}
	if (c->score[GROWTH_1] < c->score[c->best] + DISTINCT || is_flat(s, c))
		out->low = GROWTH_1;
	return c->best != GROWTH_1 && out->high - out->low <= MAX_RANGE;
}

/*
 * Does the law not fit the points?  Deviations are weighted as in the fit: small sizes may
 * deviate, since programs may treat them specially.
 */
static bool
is_off(const struct spots *s, const struct fit *f)
{
	double runs = 0, all = 0, last = 0, top = 0, share = 0, weight = 0, u, d;
	size_t i;

	for (i = 0; i < s->n; i++) {
		u = s->weight[i] * trust(s, f, i);
		d = sqrt(u) * s->off[i];
		runs += d * last;
		all += d * d;
		last = d;
		if (2 * s->size[i] > s->size[s->n - 1]) {
			top += u * s->off[i];
			share += u;
			weight += s->weight[i];
		}
	}
	/* Without a pattern, their correlation would be about 1 / sqrt(n). */
	return mean_square(s) > MAX_ERROR * MAX_ERROR ||
	    fabs(top) / share > MAX_TOP + 3 * sqrt(f->scale2 / weight) ||
	    (f->scale2 > MAX_DEVIATION * MAX_DEVIATION &&
	    runs / all > fmax(MAX_RUNS, 1.7 / sqrt((double)s->n)));
}

/* Returns the share of the variance of the logarithms that the law explains, 0 if there is
 * none. */
static double
explained(const struct spots *s)
{
	double sum = 0, var = 0, d;
	size_t i;

	for (i = 0; i < s->n; i++)
		sum += s->weight[i] * log(s->cost[i] + s->unit);
	for (i = 0; i < s->n; i++) {
		d = log(s->cost[i] + s->unit) - sum / (double)s->n;
		var += s->weight[i] * d * d;
	}
	var /= (double)s->n;
	return var > 0 ? fmax(0, 1 - mean_square(s) / var) : 0;
}

static void
describe(struct spots *s, struct fit f, struct growth *out)
{
	double top = s->size[s->n - 1], b = f.term[TERM_B], c = f.term[TERM_C];

	set_terms(s, out->law);
	judge(s, &f);
	out->verdict = is_off(s, &f) ? GROWTH_NEAR :
	    out->low < out->high ? GROWTH_RANGE : GROWTH_CLEAR;
	out->a = f.term[TERM_A];
	out->b = (b + c / 2) / law_at(out->law, top);
	out->c = c / 2 / law_at(lower[out->law], top);
	out->r2 = out->law == GROWTH_1 ? 0 : explained(s);
	out->error = expm1(sqrt(mean_square(s)));
}

void
growth_fit(const struct growth_point *p, size_t n, struct growth *out)
{
	struct spots s;
	struct choice c;

	size_t used = gather(&s, p, n);

	*out = (struct growth){ .points = used };
	if (s.n < MIN_SPOTS || !(s.size[s.n - 1] >= MIN_SPAN * fmax(s.size[0], 1)))
		return;
	try_laws(&s, &c);
	if (choose(&s, &c, out)) {
		describe(&s, c.fit[out->law], out);
		/* Absurdly large costs give no law rather than nonsense. */
		if (isfinite(out->a + out->b + out->c + out->r2 + out->error))
			return;
	}
	*out = (struct growth){ .points = used };
}
