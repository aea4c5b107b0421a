/* SPDX-License-Identifier: ISC */
/*
 * Exact means over runs: the sum of the runs' values, with an event whose scale has the
 * number of runs as a divisor.  If some runs do not know a value, there are several
 * divisors; the scale then uses their least common multiple.
 */
#include "state.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"

/* The kinds of columns that an event gets in the result. */
enum made { MADE_MEAN, MADE_RUNS, MADE_LEAST, MADE_MOST, MADE_DEVIATION, MADE_STATS };

static const char *const suffix[MADE_STATS] = {
	"", ".runs", ".min", ".max", ".sd",
};

struct means {
	struct merge *m;
	struct group *g;
	struct gathered *in;
	struct events made;
	struct extra_columns extra;
	size_t n;		/* events of the runs */
	uint64_t *per;		/* by event: the divisor of a mean */
	size_t *column;		/* by event: the column of its mean */
	size_t *run;		/* by event and run, from 0: the column of the run's
				 * value */
	bool *partial;		/* by event: does some run not know each of its self
				 * costs? */
	num *val;		/* of a row, by the columns of the result */
};

/* Returns the number of values in rows of the result. */
static size_t
values_made(const struct means *s)
{
	return s->made.measured + s->extra.n;
}

static int
too_large(struct means *s)
{
	return diag_too_large(s->m->how.diag, "a sum");
}

/* ---- divisors ---- */

static int
event_too_fine(struct means *s, size_t event)
{
	return diag_fail_plain(s->m->how.diag, "event %s: its means need a scale of more than "
	    "64 bits", QUOTE(events_at(&s->g->events, event)->col[EVENT_NAME].t));
}

static int
too_fine(struct means *s, const struct number *of)
{
	const size_t columns = s->g->rows[of->kind]->nsum;

	if (of->k < columns)
		return diag_fail_plain(s->m->how.diag, "means of counts of %s need a divisor "
		    "of more than 64 bits", s->g->rows[of->kind]->def->tag);
	return event_too_fine(s, of->k - columns);
}

/* Makes *per a multiple of the number of runs that know a number of the row. */
static int
add_divisor(struct means *s, const struct number *of, size_t row, uint64_t *per)
{
	const size_t columns = s->g->rows[of->kind]->nsum;
	size_t runs;

	merge_gather(of, row, NUM_ABSENT, s->in);
	runs = s->in->n + s->in->zeros;
	if (of->k >= columns && (of->kind == REC_COST - REC_COST ||
	    of->kind == REC_SAMPLE - REC_COST))
		s->partial[of->k - columns] |= runs < s->g->over->times[of->k - columns];
	return runs && *per % runs && event_common_scale(*per, runs, per) < 0 ?
	    too_fine(s, of) : 0;
}

/* Is it a minimum or maximum?  These are over all runs. */
static bool
is_extreme(const struct number *of)
{
	return merge_role(of) == ROLE_MIN || merge_role(of) == ROLE_MAX;
}

static int
find_divisors(struct means *s, unsigned kind)
{
	struct rows *r = s->g->rows[kind];
	struct number of = { s->g, kind, 0 };
	size_t row;

	r->per = mem_alloc(r->nsum + 1, sizeof *r->per);
	for (row = 0; row < r->nsum; row++)
		r->per[row] = 1;
	for (; r->t.n && of.k < r->t.nval; of.k++) {
		uint64_t *per = of.k < r->nsum ? &r->per[of.k] : &s->per[of.k - r->nsum];

		if (is_extreme(&of))
			continue;
		for (row = 0; row < r->t.n; row++)
			if (add_divisor(s, &of, row, per) < 0)
				return -1;
	}
	return 0;
}

/* ---- scales ---- */

/* Returns the scale that an event shares with the inclusive cost of it that others state,
 * and with all these in other groups, since a profile must have one scale for each. */
static num *
scale_of(const struct means *s, size_t event, struct sums *scales, struct dict *dict)
{
	const size_t of = events_measure_of(&s->g->events, event);
	const uint64_t key = dict_str(dict, events_at(&s->g->events, of)->col[EVENT_NAME].t);

	return sums_val(scales, sums_row(scales, &key));
}

static int
add_scale(struct means *s, size_t event, num *scale)
{
	uint64_t own, all = *scale ? (uint64_t)*scale : 1;

	if (__builtin_mul_overflow(event_scale(events_at(&s->g->events, event)),
	    s->per[event], &own) || event_common_scale(all, own, &all) < 0)
		return event_too_fine(s, event);
	*scale = (num)all;
	return 0;
}

/* Extends divisors so that the events of n groups get the scales that they share. */
static int
share_scales(struct means *all, size_t n, struct dict *dict)
{
	struct sums scales;
	size_t i, event;
	int ret = 0;

	sums_init(&scales, 1, 1);
	for (i = 0; i < n; i++)
		for (event = 0; event < all[i].n && ret == 0; event++)
			ret = add_scale(&all[i], event, scale_of(&all[i], event, &scales, dict));
	for (i = 0; i < n && ret == 0; i++)
		for (event = 0; event < all[i].n; event++)
			all[i].per[event] = (uint64_t)*scale_of(&all[i], event, &scales, dict) /
			    event_scale(events_at(&all[i].g->events, event));
	sums_free(&scales);
	return ret;
}

/* ---- events ---- */

/* Adds an event of the result.  A number of runs has no unit, so it has no scale; and only
 * means are the inclusive costs of means. */
static void
add_made(struct means *s, const struct record *event, const char *end, enum made made)
{
	struct record r = rec_copy_of(event), *kept;
	struct buf name = { 0 }, attrs = { 0 };
	struct text rest = event->attrs, key, v;
	struct buf scratch = { 0 };

	while (attr_next(&rest, &scratch, &key, &v))
		if (!(made == MADE_RUNS && (text_is(key, "scale") || text_is(key, "parts"))) &&
		    !(made != MADE_MEAN && (text_is(key, "inclusive") ||
		    text_is(key, "default"))))
			attr_add_text(&attrs, key, v);
	buf_text(&name, event->col[EVENT_NAME].t);
	buf_puts(&name, end);
	r.col[EVENT_ID].n = s->made.measured;
	r.col[EVENT_NAME].t = buf_as_text(&name);
	if (made == MADE_RUNS)
		r.col[EVENT_UNIT].t = (struct text){ 0 };
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	kept = rec_keep(&r);
	events_add(&s->made, kept);
	free(kept);
	buf_free(&name);
	buf_free(&attrs);
	buf_free(&scratch);
}

/* Gives what is made of an event the scale of means; by: as that of event_rescaled(). */
static void
scale_made(struct means *s, size_t event, enum made made, uint64_t by)
{
	const struct record *r = events_at(&s->g->events, event);

	merge_rescale(&s->made, s->column[event] + made, event_scale(r) * s->per[event],
	    event_whole(r), (num)by);
}

static void
make_mean(struct means *s, size_t event)
{
	const struct record *r = events_at(&s->g->events, event);
	const uint64_t runs = s->g->over->times[event] ? s->g->over->times[event] : 1;
	enum made made;

	s->column[event] = s->made.measured;
	add_made(s, r, "", MADE_MEAN);
	for (made = MADE_RUNS; made < MADE_STATS && s->m->how.op == MERGE_STATS; made++)
		add_made(s, r, suffix[made], made);
	scale_made(s, event, MADE_MEAN, s->partial[event] ? 0 : s->per[event] / runs);
	if (s->m->how.op == MERGE_STATS)
		scale_made(s, event, MADE_DEVIATION, 0);
}

/* Adds columns for the runs that have measured the event. */
static void
make_runs(struct means *s, size_t event)
{
	const struct number of = { s->g, REC_COST - REC_COST,
	    ROWS(s->g, REC_COST)->nsum + event };
	struct extra_column c = { .event = s->column[event],
	    .scale = event_scale(events_at(&s->g->events, event)) };

	for (c.run = 1; c.run <= s->g->over->n; c.run++)
		if (merge_has_measured(&of, (uint32_t)c.run)) {
			s->run[event * s->g->over->n + c.run - 1] =
			    s->made.measured + s->extra.n;
			extra_columns_add(&s->extra, &c);
		}
}

static void
make_events(struct means *s)
{
	const struct events *was = &s->g->events;
	size_t *order = merge_event_order(s->g), i;

	for (i = 0; i < was->n; i++) {
		const struct event *e = &was->v[order[i]];

		if (e->measured)
			make_mean(s, (size_t)events_find(was, e->r->col[EVENT_NAME].t));
		else
			events_add(&s->made, e->r);
	}
	for (i = 0; i < s->n && s->m->how.op == MERGE_RUNS; i++)
		make_runs(s, i);
	free(order);
}

/* ---- values ---- */

/* Converts a sum over the runs that know it to a mean with the divisor `per`. */
static int
sum_up(struct means *s, uint64_t per, num *sum)
{
	const size_t runs = s->in->n + s->in->zeros;

	*sum = NUM_ABSENT;
	if (runs && (num_sum(s->in->v, s->in->n, sum) < 0 ||
	    num_mul(*sum, (num)(per / runs), sum) < 0 || *sum == NUM_ABSENT))
		return too_large(s);
	return 0;
}

/* In parts of one, as means are: rounded to one of these. */
static int
deviation_of(struct means *s, uint64_t per, num *out)
{
	const struct gathered *in = s->in;
	const size_t n = in->n + in->zeros;
	long double middle, squares, deviation;
	num sum;
	size_t i;

	*out = NUM_ABSENT;
	if (n < 2)
		return 0;
	if (num_sum(in->v, in->n, &sum) < 0)
		return too_large(s);
	middle = (long double)sum / (long double)n;
	squares = (long double)in->zeros * middle * middle;
	for (i = 0; i < in->n; i++)
		squares += ((long double)in->v[i] - middle) * ((long double)in->v[i] - middle);
	deviation = roundl(sqrtl(squares / (long double)(n - 1)) * (long double)per);
	if (deviation >= 0x1p127L)	/* larger than the range of the values */
		return too_large(s);
	*out = (num)deviation;
	return 0;
}

/* Sets the statistics of the mean, in the columns after it. */
static int
set_stats(struct means *s, uint64_t per, num *v)
{
	const struct gathered *in = s->in;
	const bool any = in->n + in->zeros > 0;

	v[MADE_RUNS] = any ? (num)in->n : NUM_ABSENT;
	v[MADE_LEAST] = merge_reduce(MERGE_MIN, ROLE_SUM, in);
	v[MADE_MOST] = merge_reduce(MERGE_MAX, ROLE_SUM, in);
	return deviation_of(s, per, &v[MADE_DEVIATION]);
}

/* Sets the value of each run.  A run that does not know its value gets the mean of the
 * others, so that it does not count as 0; rounded, as it only shows how runs vary. */
static void
set_runs(struct means *s, const struct number *of, size_t row, size_t event)
{
	const struct past *p = &s->g->over->past[of->kind];
	const num per = s->per[event], mean = s->val[s->column[event]];
	uint32_t at;

	for (at = p->newest[row]; at; at = p->had[at - 1].next) {
		const struct had *h = &p->had[at - 1];
		num x = merge_number_in(of, h);

		if (!merge_has_measured(of, h->run))
			continue;
		if (x == NUM_ABSENT && mean != NUM_ABSENT)
			x = num_nearest(mean, per, NULL);
		s->val[s->run[event * s->g->over->n + h->run - 1]] = x;
	}
}

static int
set_event(struct means *s, const struct number *of, size_t row, size_t event)
{
	num *v = &s->val[s->column[event]];

	if (sum_up(s, s->per[event], v) < 0)
		return -1;
	if (s->m->how.op == MERGE_RUNS)
		set_runs(s, of, row, event);
	return s->m->how.op == MERGE_STATS ? set_stats(s, s->per[event], v) : 0;
}

static int
set_column(struct means *s, const struct number *of, num *v)
{
	if (is_extreme(of)) {
		*v = merge_reduce(s->m->how.op, merge_role(of), s->in);
		return 0;
	}
	return sum_up(s, s->g->rows[of->kind]->per[of->k], v);
}

static int
set_row(struct means *s, unsigned kind, size_t row, unsigned nval)
{
	struct rows *r = s->g->rows[kind];
	struct number of = { s->g, kind, 0 };
	const size_t columns = r->nsum;
	num *to = sums_val(&r->t, row);
	size_t i;

	for (i = 0; i < values_made(s); i++)
		s->val[i] = NUM_ABSENT;
	for (; of.k < nval; of.k++) {
		merge_gather(&of, row, NUM_ABSENT, s->in);
		if (of.k < columns ? set_column(s, &of, &to[of.k]) < 0 :
		    set_event(s, &of, row, of.k - columns) < 0)
			return -1;
	}
	for (i = columns; i < r->t.nval; i++)
		to[i] = s->val[i - columns];
	return 0;
}

static int
set_rows(struct means *s, unsigned kind)
{
	struct rows *r = s->g->rows[kind];
	const size_t was = r->t.nval;
	size_t row;

	if (r->def->tail & REC_VALUES) {
		s->m->sums += r->t.n * (values_made(s) - s->n);
		if (values_made(s) > TABLE_WIDE && !sums_fits(s->m->sums, s->m->values))
			return sums_refuse(s->m->how.diag, values_made(s));
		sums_widen(&r->t, r->nsum + values_made(s));
	}
	for (row = 0; row < r->t.n; row++)
		if (set_row(s, kind, row, (unsigned)was) < 0)
			return -1;
	return 0;
}

/* If a run does not know a cost, it does not know the total either: unless the total was
 * stated, it is the sum of the rows' means. */
static int
set_total(struct means *s, size_t event)
{
	static const enum rec_kind kinds[] = { REC_COST, REC_SAMPLE };
	const struct rows *total = ROWS(s->g, REC_TOTAL);
	const size_t column = s->column[event];
	num sum = NUM_ABSENT;
	size_t k, row;

	if (!s->partial[event] || s->g->totals[event] & TOTAL_STATED || !total->t.n)
		return 0;
	for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (row = 0; row < ROWS(s->g, kinds[k])->t.n; row++) {
			const num v = sums_val(&ROWS(s->g, kinds[k])->t, row)[column];

			if (v != NUM_ABSENT && merge_add(s->m, &sum, v) < 0)
				return -1;
		}
	sums_val(&total->t, 0)[column] = sum;
	return 0;
}

/* ---- the whole ---- */

static int
make_all(struct means *s)
{
	unsigned k;
	size_t i;

	make_events(s);
	s->val = mem_alloc(values_made(s) + 1, sizeof *s->val);
	for (k = 0; k < ROW_KINDS; k++)
		if (set_rows(s, k) < 0)
			return -1;
	for (i = 0; i < s->n; i++)
		if (set_total(s, i) < 0)
			return -1;
	return 0;
}

static int
begin(struct means *s, struct merge *m, struct group *g, struct gathered *in)
{
	const size_t n = g->events.measured;
	size_t i;
	unsigned k;
	int ret = 0;

	*s = (struct means){ .m = m, .g = g, .in = in, .n = n };
	s->per = mem_alloc(n + 1, sizeof *s->per);
	s->column = mem_alloc(n + 1, sizeof *s->column);
	s->partial = mem_alloc(n + 1, sizeof *s->partial);
	if (m->how.op == MERGE_RUNS)
		s->run = mem_alloc(n * g->over->n + 1, sizeof *s->run);
	for (i = 0; i < n; i++)
		s->per[i] = g->over->times[i] ? g->over->times[i] : 1;
	for (k = 0; k < ROW_KINDS && ret == 0; k++)
		ret = find_divisors(s, k);
	return ret;
}

/* Moves the sources of totals to the events of the result. */
static void
move_totals(struct means *s)
{
	const size_t n = s->made.measured + 1;
	unsigned char *totals = mem_alloc(n, sizeof *totals);
	size_t event;

	for (event = 0; event < s->n; event++)
		totals[s->column[event]] = s->g->totals[event];
	free(s->g->totals);
	s->g->totals = totals;
	s->g->captotals = n;
}

/* Moves unknown values to the order of the result's events. */
static void
move_unknown(struct means *s)
{
	unsigned k;
	size_t i;

	for (k = 0; k < ROW_KINDS; k++) {
		struct sums was = s->g->rows[k]->unknown;

		merge_init_unknown(s->g->rows[k]);
		for (i = 0; i < was.n; i++) {
			const uint64_t *key = sums_key(&was, i);

			merge_add_unknown(s->g->rows[k], key[UNKNOWN_ROW],
			    s->column[key[UNKNOWN_EVENT]]);
		}
		sums_free(&was);
	}
}

/* Marks the default event, which is that of the means: a statistic of an event that is 0
 * everywhere may have a cost. */
static void
mark_default(struct means *s)
{
	struct events *e = &s->g->events;
	bool *costs = mem_alloc(e->measured + 1, sizeof *costs);
	bool *means = mem_alloc(e->measured + 1, sizeof *means);
	long shown, wanted;
	size_t i;

	merge_find_costs(s->g, costs);
	shown = events_default(e, costs);
	for (i = 0; i < s->n; i++)
		means[s->column[i]] = costs[s->column[i]];
	wanted = events_default(e, means);
	if (wanted != shown) {
		struct record r = rec_copy_of(events_at(e, (size_t)wanted));
		struct buf attrs = { 0 };

		merge_attrs(&attrs, r.attrs, TEXT("default=1"));
		r.attrs = buf_as_text(&attrs);
		events_replace(e, events_same(e, &(struct event){ &r, true }), rec_keep(&r));
		buf_free(&attrs);
	}
	free(costs);
	free(means);
}

static int
finish(struct means *s)
{
	if (make_all(s) < 0) {
		events_free(&s->made);
		extra_columns_free(&s->extra);
		return -1;
	}
	move_totals(s);
	move_unknown(s);
	events_free(&s->g->events);
	s->g->events = s->made;
	s->g->extra = s->extra;
	s->g->mixed = false;
	if (s->m->how.op == MERGE_STATS)
		mark_default(s);
	return 0;
}

int
merge_make_means(struct merge *m, struct gathered *in)
{
	struct means *s = mem_alloc(m->ngroup + 1, sizeof *s);
	size_t i;
	int ret = 0;

	for (i = 0; i < m->ngroup && ret == 0; i++)
		ret = begin(&s[i], m, m->group[i], in);
	if (ret == 0)
		ret = share_scales(s, m->ngroup, m->how.dict);
	for (i = 0; i < m->ngroup && ret == 0; i++)
		ret = finish(&s[i]);
	for (i = 0; i < m->ngroup; i++) {
		free(s[i].per);
		free(s[i].column);
		free(s[i].partial);
		free(s[i].run);
		free(s[i].val);
	}
	free(s);
	return ret;
}
