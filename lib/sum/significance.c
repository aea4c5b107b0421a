/* SPDX-License-Identifier: ISC */
#include "sum/significance.h"

#include <stdlib.h>

#include "util/mem.h"

/* Returns the event of a difference, which may be NULL; NULL: it has none. */
static struct significance_event *
event_of(const struct significance *c, const struct rank_delta *delta)
{
	const uint32_t at = delta ? c->at[delta - c->rank->delta] : 0;

	return at ? &c->event[at - 1] : NULL;
}

/* Counts the runs of each event and, if there is room for them, sets their sums: each old
 * run, then each new one. */
static void
see_runs(struct significance *c)
{
	const struct rank *r = c->rank;
	struct significance_event *e;
	int side;
	size_t i;

	for (side = 0; side < SIDES; side++)
		for (i = 0; r->extra && i < r->extra->n; i++) {
			const struct extra_column *x = &r->extra->v[i];

			if (!x->run || x->side != side ||
			    !(e = event_of(c, rank_delta_of(r, r->slot[x->event]))))
				continue;
			if (e->run)
				e->run[e->runs[SIDE_OLD] * (side == SIDE_NEW) +
				    e->runs[side]] = (struct significance_run){ x->run,
				    r->first_extra + i, (num)x->scale };
			e->runs[side]++;
		}
}

static void
find_runs(struct significance *c)
{
	size_t i;

	see_runs(c);
	for (i = 0; i < c->n; i++) {
		struct significance_event *e = &c->event[i];

		e->run = mem_alloc(e->runs[SIDE_OLD] + e->runs[SIDE_NEW] + 1,
		    sizeof *e->run);
		e->runs[SIDE_OLD] = e->runs[SIDE_NEW] = 0;
	}
	see_runs(c);
}

/* Brings the runs to one scale: a run for which the other side has no counterpart may have
 * another one. */
static int
use_one_scale(struct significance_event *s)
{
	const size_t n = s->runs[SIDE_OLD] + s->runs[SIDE_NEW];
	size_t i;

	s->scale = 1;
	for (i = 0; i < n; i++)
		if (event_common_scale(s->scale, (uint64_t)s->run[i].times, &s->scale) < 0)
			return -1;
	for (i = 0; i < n; i++)
		s->run[i].times = (num)s->scale / s->run[i].times;
	return 0;
}

num
significance_cost(const struct significance_event *e, const num *v, size_t run)
{
	num cost;

	return num_mul(v[e->run[run].slot], e->run[run].times, &cost) < 0 ? NUM_MAX : cost;
}

/* Converts the deviations to the unit's parts that the means have. */
static void
use_scale(struct noise_row *row, size_t n, double finer)
{
	size_t i;

	for (i = 0; i < n; i++) {
		row[i].mean[SIDE_OLD] *= finer;
		row[i].mean[SIDE_NEW] *= finer;
		row[i].spread *= finer;
	}
}

/* A row without known cost has no runs to compare. */
static bool
is_judged(const struct rank *r, size_t row, enum significance_of of,
    const struct rank_delta *delta)
{
	return of == SIGNIFICANCE_SELF ||
	    !(rank_incl_bound(r, row, delta->change) & RANK_UNKNOWN);
}

static void
judge(const struct rank *r, struct significance_event *e, enum significance_of of)
{
	const size_t each = e->runs[SIDE_OLD] + e->runs[SIDE_NEW], n = r->rows.n;
	double *value = mem_alloc(n * each + 1, sizeof *value), *to = value;
	struct noise_row *judged = mem_alloc(n + 1, sizeof *judged);
	struct noise_row *row = mem_alloc(n + 1, sizeof *row);
	struct noise noise = { .value = value };
	size_t i, k;

	memcpy(noise.runs, e->runs, sizeof noise.runs);
	for (i = 0; i < n; i++) {
		const num *v = of == SIGNIFICANCE_SELF ? sums_val(&r->rows, i) :
		    r->incl + i * r->rows.nval;

		row[i] = (struct noise_row){ .p = 1, .q = { 1, 1 } };
		if (!is_judged(r, i, of, e->delta))
			continue;
		for (k = 0; k < each; k++)
			*to++ = (double)significance_cost(e, v, k);
		noise.rows++;
	}
	noise_judge(&noise, judged);
	for (i = k = 0; i < n; i++)
		if (is_judged(r, i, of, e->delta))
			row[i] = judged[k++];
	use_scale(row, n, e->finer);
	e->row[of] = row;
	free(judged);
	free(value);
}

static void
judge_total(const struct rank *r, struct significance_event *e)
{
	const size_t each = e->runs[SIDE_OLD] + e->runs[SIDE_NEW];
	double *value = mem_alloc(each, sizeof *value);
	struct noise noise = { .rows = 1, .value = value };
	size_t k;

	memcpy(noise.runs, e->runs, sizeof noise.runs);
	for (k = 0; k < each; k++)
		value[k] = (double)significance_cost(e, r->whole, k);
	noise_judge(&noise, &e->total);
	use_scale(&e->total, 1, e->finer);
	free(value);
}

static int
judge_event(struct significance *c, struct significance_event *e, struct text name,
    struct diag *d)
{
	const struct rank *r = c->rank;

	if (use_one_scale(e) < 0)
		return diag_fail_plain(d, "event %s: the runs need a scale of more than 64 bits",
		    QUOTE(name));
	e->finer = (double)rank_scale(r, e->delta->change) / (double)e->scale;
	if (e->runs[SIDE_OLD] < NOISE_LEAST_RUNS || e->runs[SIDE_NEW] < NOISE_LEAST_RUNS)
		return diag_fail_plain(d, "event %s: noise needs two runs or more of each side, "
		    "found %zu old and %zu new", QUOTE(name),
		    e->runs[SIDE_OLD], e->runs[SIDE_NEW]);
	judge(r, e, SIGNIFICANCE_SELF);
	if (r->incl_known)
		judge(r, e, SIGNIFICANCE_INCLUSIVE);
	judge_total(r, e);
	return 0;
}

struct significance *
significance_new(const struct rank *r, double fdr, struct diag *d)
{
	struct significance *c = mem_alloc(1, sizeof *c);
	size_t *column = mem_alloc(r->ndelta + 1, sizeof *column), i;
	int ret = 0;

	*c = (struct significance){ .rank = r, .fdr = fdr,
	    .event = mem_alloc(r->ndelta + 1, sizeof *c->event),
	    .at = mem_alloc(r->ndelta + 1, sizeof *c->at) };
	for (i = 0; i < r->events.measured; i++) {
		const struct rank_delta *delta = rank_delta_of(r, r->slot[i]);

		if (!delta || r->slot[i] != (long)delta->change)
			continue;
		column[c->n] = i;
		c->event[c->n++].delta = delta;
		c->at[delta - r->delta] = (uint32_t)c->n;
	}
	find_runs(c);
	for (i = 0; i < c->n && ret == 0; i++)
		ret = judge_event(c, &c->event[i],
		    events_at(&r->events, column[i])->col[EVENT_NAME].t, d);
	free(column);
	if (ret == 0)
		return c;
	significance_free(c);
	return NULL;
}

void
significance_free(struct significance *c)
{
	size_t i;

	for (i = 0; c && i < c->n; i++) {
		free(c->event[i].run);
		free(c->event[i].row[SIGNIFICANCE_SELF]);
		free(c->event[i].row[SIGNIFICANCE_INCLUSIVE]);
	}
	if (c) {
		free(c->event);
		free(c->at);
	}
	free(c);
}

const struct significance_event *
significance_find(const struct significance *c, const struct rank_delta *delta)
{
	return event_of(c, delta);
}

bool
is_significant(const struct significance *c, const struct noise_row *row, int which,
    size_t checks)
{
	return row->q[which] <= c->fdr / (double)checks;
}
