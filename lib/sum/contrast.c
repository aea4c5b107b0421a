/* SPDX-License-Identifier: ISC */
#include "sum/contrast.h"

#include <stdlib.h>

#include "sum/runs.h"
#include "util/mem.h"

/* The sums of an event's runs, side by side. */
struct slots {
	size_t *v;
	size_t runs[NOISE_SIDES];
	double finer;		/* so many values of the mean are one of a run */
};

static void
add_slots(struct slots *s, const struct rank *r, struct text event, int side)
{
	static const char *const role[] = { "old", "new" };
	struct text of;
	size_t i;
	uint64_t run;

	for (i = 0; i < r->events.measured; i++) {
		const struct record *e = events_at(&r->events, i);
		const struct rank_delta *d = rank_delta_of(r, r->slot[i]);
		struct buf only = { 0 };
		struct text is;

		/* A change has the name of its event. */
		if (!d || r->slot[i] != (long)d->change ||
		    !runs_name(e->col[EVENT_NAME].t, &of, &run) || !text_eq(of, event))
			continue;
		is = attr_get(e->attrs, "only", &only);
		s->finer = 1 / (double)event_scale(e);
		if (!is.s || text_is(is, role[side]))
			s->v[s->runs[NOISE_OLD] * (side == NOISE_NEW) + s->runs[side]++] =
			    side == NOISE_OLD ? d->old : d->new;
		buf_free(&only);
	}
}

static void
find_slots(struct slots *s, const struct rank *r, struct text event)
{
	int side;

	s->v = mem_alloc(2 * r->events.measured + 1, sizeof *s->v);
	for (side = 0; side < NOISE_SIDES; side++)
		add_slots(s, r, event, side);
}

/* What runs differ by, in parts of a unit as the means are. */
static void
use_scale(struct noise_row *row, size_t n, double finer)
{
	size_t i;

	for (i = 0; i < n; i++) {
		row[i].mean[NOISE_OLD] *= finer;
		row[i].mean[NOISE_NEW] *= finer;
		row[i].spread *= finer;
	}
}

/* Rows whose cost is not known whole are not judged: they have no runs to speak of. */
static void
judge(const struct rank *r, const struct slots *s, const struct rank_delta *delta,
    enum contrast_of of, struct noise_row *row)
{
	const size_t each = s->runs[NOISE_OLD] + s->runs[NOISE_NEW], n = r->rows.n;
	double *value = mem_alloc(n * each + 1, sizeof *value), *to = value;
	struct noise_row *judged = mem_alloc(n + 1, sizeof *judged);
	struct noise noise = { .value = value };
	size_t i, k;

	memcpy(noise.runs, s->runs, sizeof noise.runs);
	for (i = 0; i < n; i++) {
		const num *v = of == CONTRAST_SELF ? sums_val(&r->rows, i) :
		    r->incl + i * r->rows.nval;

		row[i] = (struct noise_row){ .p = 1, .q = { 1, 1 } };
		if (of == CONTRAST_INCLUSIVE && !rank_incl_sure(r, i, delta->change))
			continue;
		for (k = 0; k < each; k++)
			*to++ = (double)v[s->v[k]];
		noise.rows++;
	}
	noise_judge(&noise, judged);
	for (i = k = 0; i < n; i++)
		if (of == CONTRAST_SELF || rank_incl_sure(r, i, delta->change))
			row[i] = judged[k++];
	use_scale(row, n, s->finer);
	free(judged);
	free(value);
}

static void
judge_total(const struct rank *r, const struct slots *s, struct noise_row *total)
{
	const size_t each = s->runs[NOISE_OLD] + s->runs[NOISE_NEW];
	double *value = mem_alloc(each, sizeof *value);
	struct noise noise = { .rows = 1, .value = value };
	size_t k;

	memcpy(noise.runs, s->runs, sizeof noise.runs);
	for (k = 0; k < each; k++)
		value[k] = (double)r->total[s->v[k]];
	noise_judge(&noise, total);
	use_scale(total, 1, s->finer);
	free(value);
}

static int
too_few(const struct slots *s, struct text event, struct diag *d)
{
	return diag_fail_plain(d, "event %s: noise needs two runs or more of each side, "
	    "found %zu old and %zu new", QUOTE(event),
	    s->runs[NOISE_OLD], s->runs[NOISE_NEW]);
}

static int
add_event(struct contrast *c, const struct rank_delta *delta, struct text name,
    struct diag *d)
{
	const struct rank *r = c->rank;
	struct contrast_event *e = &c->event[c->n];
	struct slots s = { 0 };
	int ret = 0;

	find_slots(&s, r, name);
	s.finer *= (double)rank_scale(r, delta->change);
	if (s.runs[NOISE_OLD] < NOISE_LEAST_RUNS || s.runs[NOISE_NEW] < NOISE_LEAST_RUNS) {
		ret = too_few(&s, name, d);
	} else {
		c->n++;
		e->delta = delta;
		memcpy(e->runs, s.runs, sizeof e->runs);
		e->row[CONTRAST_SELF] = mem_alloc(r->rows.n + 1, sizeof **e->row);
		judge(r, &s, delta, CONTRAST_SELF, e->row[CONTRAST_SELF]);
		if (r->incl_known) {
			e->row[CONTRAST_INCLUSIVE] = mem_alloc(r->rows.n + 1,
			    sizeof **e->row);
			judge(r, &s, delta, CONTRAST_INCLUSIVE, e->row[CONTRAST_INCLUSIVE]);
		}
		judge_total(r, &s, &e->total);
	}
	free(s.v);
	return ret;
}

struct contrast *
contrast_new(const struct rank *r, double fdr, struct diag *d)
{
	struct contrast *c = mem_alloc(1, sizeof *c);
	struct text of;
	uint64_t run;
	size_t i;
	int ret = 0;

	*c = (struct contrast){ .rank = r, .fdr = fdr,
	    .event = mem_alloc(r->ndelta + 1, sizeof *c->event) };
	for (i = 0; i < r->events.measured && ret == 0; i++) {
		const struct text name = events_at(&r->events, i)->col[EVENT_NAME].t;
		const struct rank_delta *delta = rank_delta_of(r, r->slot[i]);

		if (delta && r->slot[i] == (long)delta->change &&
		    !runs_name(name, &of, &run))
			ret = add_event(c, delta, name, d);
	}
	if (ret == 0)
		return c;
	contrast_free(c);
	return NULL;
}

void
contrast_free(struct contrast *c)
{
	size_t i;

	for (i = 0; c && i < c->n; i++) {
		free(c->event[i].row[CONTRAST_SELF]);
		free(c->event[i].row[CONTRAST_INCLUSIVE]);
	}
	if (c)
		free(c->event);
	free(c);
}

const struct contrast_event *
contrast_find(const struct contrast *c, const struct rank_delta *delta)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (c->event[i].delta == delta)
			return &c->event[i];
	return NULL;
}

bool
contrast_stands_out(const struct contrast *c, const struct noise_row *row, int which,
    size_t checks)
{
	return row->q[which] <= c->fdr / (double)checks;
}
