/* SPDX-License-Identifier: ISC */
/* The scales of a difference: the factors of the values of each side. */
#include "diff_state.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

/*
 * The values of a measure (an event, and its inclusive cost that others state) become parts
 * of one scale, of which both sides' scales are divisors; nothing is rounded.  With
 * --normalize the new values are also multiplied by the old total of the event, and all are
 * divided by the new one, which is in the scale.
 */
struct scaling {
	const struct record *event[SIDES];	/* NULL: the side lacks it; otherwise: */
	size_t of[SIDES];		/* its number there */
	num total[SIDES];		/* NUM_ABSENT: none */
	num times[SIDES];
	uint64_t whole;			/* as in event_rescaled() */
	size_t measure;			/* the event of the measure, which has: */
	uint64_t scale;			/* of all, before it is normalized, and after: */
	num final, ratio[SIDES];
	num all;			/* a common divisor of the final scale and all
					 * factors */
	bool scaled, equal;		/* the totals were made equal, or are equal */
};

static int
too_fine(struct diff *d, const char *what, struct text event)
{
	return diag_fail_plain(d->to->how.diag, "event %s: %s needs a scale of more than 64 bits",
	    QUOTE(event), what);
}

static struct text
name_of(const struct scaling *s)
{
	return s->event[s->event[SIDE_OLD] ? SIDE_OLD : SIDE_NEW]->col[EVENT_NAME].t;
}

/* Notes the event of a side.  A merge has one total, for the run. */
static void
see_side(struct diff *d, int side, struct scaling *all)
{
	struct side *s = &d->side[side];
	const size_t n = s->g ? s->g->events.measured : 0;
	size_t i;

	s->times = mem_alloc(n + 1, sizeof *s->times);
	for (i = 0; i < n; i++) {
		struct scaling *to = &all[s->event[i] / TRIPLE];

		to->event[side] = events_at(&s->g->events, i);
		to->of[side] = i;
		to->total[side] = ROWS(s->g, REC_TOTAL)->t.n ?
		    sums_val(&ROWS(s->g, REC_TOTAL)->t, 0)[i] : NUM_ABSENT;
	}
}

static int
find_scale(struct diff *d, struct scaling *all, size_t i)
{
	struct scaling *s = &all[i], *of;
	int side;

	s->measure = events_measure_of(&d->g->events, TRIPLE * i) / TRIPLE;
	of = &all[s->measure];
	for (side = SIDE_OLD; side <= SIDE_NEW; side++)
		if (s->event[side] && (event_common_scale(of->scale,
		    event_scale(s->event[side]), &of->scale) < 0 ||
		    event_common_scale(s->whole, event_whole(s->event[side]), &s->whole) < 0))
			return too_fine(d, "the difference", name_of(s));
	return 0;
}

/* Reduces both totals, in one scale, to lowest terms: 0, or -1 if that does not fit. */
static int
find_ratio(struct scaling *s)
{
	num all;
	int side;

	for (side = SIDE_OLD; side <= SIDE_NEW; side++)
		if (num_mul(s->total[side], (num)(s->scale / event_scale(s->event[side])),
		    &s->ratio[side]) < 0)
			return -1;
	all = num_gcd(s->ratio[SIDE_OLD], s->ratio[SIDE_NEW]);
	s->ratio[SIDE_OLD] /= all;
	s->ratio[SIDE_NEW] /= all;
	return num_mul((num)s->scale, s->ratio[SIDE_NEW], &s->final);
}

static bool
is_none(num total)
{
	return total == 0 || total == NUM_ABSENT;
}

/* Normalizes one event; one that only one side has measured has no ratio. */
static int
normalize(struct diff *d, struct scaling *s)
{
	int side;

	s->ratio[SIDE_OLD] = s->ratio[SIDE_NEW] = 1;
	s->final = (num)s->scale;
	if (!d->how->normalize || !s->event[SIDE_OLD] || !s->event[SIDE_NEW])
		return 0;
	for (side = SIDE_OLD; side <= SIDE_NEW && s->total[side] > 0; side++)	/* nor absent */
		;
	s->scaled = side > SIDE_NEW;
	s->equal = is_none(s->total[SIDE_OLD]) && is_none(s->total[SIDE_NEW]);
	if (s->equal)
		return 0;
	if (s->scaled)
		return find_ratio(s) < 0 ? too_fine(d, "--normalize", name_of(s)) : 0;
	diag_say(d->to->how.diag, DIAG_WARN, "event %s: --normalize cannot scale it, as the %s "
	    "total is not above 0: its costs are as measured",
	    QUOTE(name_of(s)), diff_side_name(side));
	return 0;
}

static int
find_times(struct diff *d, struct scaling *all, size_t i)
{
	struct scaling *s = &all[i], *of = &all[s->measure];
	int side;

	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		const struct record *event = s->event[side] ? s->event[side] : s->event[!side];

		if (num_mul((num)(of->scale / event_scale(event)), of->ratio[!side],
		    &s->times[side]) < 0)
			return too_fine(d, "--normalize", name_of(s));
		of->all = num_gcd(of->all ? of->all : of->final, s->times[side]);
	}
	return 0;
}

/* Scales an event.  Its sample value is kept only if one sample adds the same on both
 * sides. */
static int
scale_event(struct diff *d, struct scaling *all, size_t event)
{
	struct scaling *s = &all[event];
	const num divisor = all[s->measure].all, scale = all[s->measure].final / divisor;
	int side;
	size_t i;

	if (scale > UINT64_MAX)
		return too_fine(d, "--normalize", name_of(s));
	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		s->times[side] /= divisor;
		if (s->event[side])
			d->side[side].times[s->of[side]] = s->times[side];
	}
	if ((uint64_t)scale == event_scale(events_at(&d->g->events, TRIPLE * event)) &&
	    s->times[SIDE_OLD] == 1 && s->times[SIDE_NEW] == 1)
		return 0;
	s->whole = (uint64_t)num_gcd(scale, s->whole);
	for (i = CHANGE; i < TRIPLE; i++)
		merge_rescale(&d->g->events, TRIPLE * event + i, (uint64_t)scale, s->whole,
		    i != CHANGE ? s->times[i - 1] :
		    s->times[SIDE_OLD] == s->times[SIDE_NEW] ? s->times[SIDE_OLD] : 0);
	return 0;
}

/* Notes how costs were scaled, if they are not the measured ones. */
static void
add_estimate(struct diff *d, const struct scaling *all, size_t n)
{
	const uint64_t old = merge_runs(d->side[SIDE_OLD].m), new = merge_runs(d->side[SIDE_NEW].m);
	struct record r = rec_make(REC_META);
	struct buf what = { 0 }, except = { 0 }, list = { 0 };
	bool any = false;
	size_t i;

	for (i = 0; i < n; i++) {
		const struct scaling *of = &all[all[i].measure];

		any |= of->scaled;
		if (of->scaled || of->equal)
			continue;
		buf_puts(&except, except.n ? ", " : " except those of ");
		buf_text(&except, name_of(&all[i]));
	}
	if (any)
		buf_puts(&what, "new costs are scaled to the old total");
	else if (old || new)
		buf_printf(&what, "means of %" PRIu64 " old and %" PRIu64 " new runs", old, new);
	if (any)
		buf_text(&what, buf_as_text(&except));
	field_escape(&list, buf_as_text(&what));
	r.col[0].t = TEXT("estimate");
	r.attrs = buf_as_text(&list);
	if (what.n)
		facts_add(&d->g->facts, &r);
	buf_free(&list);
	buf_free(&what);
	buf_free(&except);
}

static int
scale_events(struct diff *d)
{
	const size_t n = d->calls / TRIPLE;
	struct scaling *all = mem_alloc(n + 1, sizeof *all);
	size_t i;
	int ret = 0;

	for (i = 0; i < n; i++)
		all[i].scale = all[i].whole = 1;
	see_side(d, SIDE_OLD, all);
	see_side(d, SIDE_NEW, all);
	for (i = 0; i < n && ret == 0; i++)
		ret = find_scale(d, all, i);
	for (i = 0; i < n && ret == 0; i++)
		if (all[i].measure == i)
			ret = normalize(d, &all[i]);
	for (i = 0; i < n && ret == 0; i++)
		ret = find_times(d, all, i);
	for (i = 0; i < n && ret == 0; i++)
		ret = scale_event(d, all, i);
	add_estimate(d, all, n);
	free(all);
	return ret;
}

/* Scales counts of calls; those of means are also parts of one. */
static int
scale_calls(struct diff *d)
{
	uint64_t per[SIDES] = { 1, 1 }, scale;
	int side;

	for (side = SIDE_OLD; side <= SIDE_NEW; side++)
		if (d->side[side].g && ROWS(d->side[side].g, REC_CALL)->per)
			per[side] = ROWS(d->side[side].g, REC_CALL)->per[0];
	if (event_common_scale(per[SIDE_OLD], per[SIDE_NEW], &scale) < 0)
		return too_fine(d, "the difference", TEXT("calls"));
	for (side = SIDE_OLD; side <= SIDE_NEW; side++) {
		d->side[side].calls_times = (num)(scale / per[side]);
		if (d->has_calls && scale != 1)
			merge_rescale(&d->g->events, d->calls + (size_t)side, scale, 1,
			    d->side[side].calls_times);
	}
	return 0;
}

int
diff_scale(struct diff *d)
{
	return scale_events(d) < 0 ? -1 : scale_calls(d);
}
