/* SPDX-License-Identifier: ISC */
/*
 * The difference of two merges is a third one: what either has, with events named by
 * their side, and partner functions joined.
 */
#include "partners.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sum/runs.h"
#include "util/mem.h"

enum { CHANGE, TRIPLE = 3 };	/* of an event: the change, old, new */

static const char *const side_name[SIDES] = { "old", "new" };

/* ---- events ---- */

static struct record *
triple(const struct record *event, const char *suffix, const char *role,
    const char *only, bool is_default)
{
	struct record r = *event, *kept;
	struct buf name = { 0 }, attrs = { 0 }, own = { 0 }, left = { 0 };

	buf_text(&name, event->col[EVENT_NAME].t);
	if (is_default)
		attr_add(&own, "default", TEXT("1"));
	if (*suffix) {
		buf_puts(&name, ".");
		buf_puts(&name, suffix);
		attr_add(&own, "of", event->col[EVENT_NAME].t);
	}
	attr_add(&own, "role", text_of(role));
	if (only)
		attr_add(&own, "only", text_of(only));
	attr_add_others(&left, event->attrs, "default");
	merge_attrs(&attrs, left.n ? buf_as_text(&left) : (struct text){ 0 },
	    buf_as_text(&own));
	r.col[EVENT_NAME].t = buf_as_text(&name);
	r.attrs = buf_as_text(&attrs);
	kept = rec_keep(&r);
	buf_free(&name);
	buf_free(&attrs);
	buf_free(&own);
	buf_free(&left);
	return kept;
}

static int
name_twice(struct diff *d, struct text name)
{
	return diag_fail_plain(d->to->how.diag, "the difference would have event %s "
	    "twice", QUOTE(name));
}

static int
add_event(struct diff *d, const struct record *event, const char *suffix,
    const char *role, const char *only)
{
	struct record *r = triple(event, suffix, role, only, !*suffix &&
	    d->shown.s && text_eq(event->col[EVENT_NAME].t, d->shown));
	struct text name = r->col[EVENT_NAME].t;
	int ret = events_find(&d->g->events, name) < 0 ? 0 : name_twice(d, name);

	events_add(&d->g->events, r);
	free(r);
	return ret;
}

static int
check_diff(struct diff *d, const struct record *event)
{
	struct buf scratch = { 0 };
	struct text role = attr_get(event->attrs, "role", &scratch);
	bool is_diff = role.s != NULL;

	buf_free(&scratch);
	return !is_diff ? 0 : diag_fail(d->to->how.diag, "the profile is already a "
	    "difference, of event %s", QUOTE(event->col[EVENT_NAME].t));
}

/* The only side that has the event, whose growth is unknown then; NULL: both have it. */
static const char *
only_in(const struct diff *d, const struct side *s, const struct record *event)
{
	int side = s == &d->side[NEW];
	const struct group *other = d->side[!side].g;

	return other && events_find(&other->events, event->col[EVENT_NAME].t) >= 0 ?
	    NULL : side_name[side];
}

static int
add_side_events(struct diff *d, struct side *s)
{
	size_t i, n = s->g ? s->g->events.measured : 0;

	s->event = mem_alloc(n + 1, sizeof *s->event);
	for (i = 0; i < n; i++) {
		const struct record *e = events_at(&s->g->events, i);
		long at = events_find(&d->g->events, e->col[EVENT_NAME].t);

		if (check_diff(d, e) < 0)
			return -1;
		if (at >= 0 && event_check_unit(events_at(&d->g->events,
		    (size_t)at), e, d->to->how.diag) < 0)
			return -1;
		if (at < 0) {
			at = (long)d->g->events.measured;
			if (add_event(d, e, "", "delta", only_in(d, s, e)) < 0 ||
			    add_event(d, e, "old", "old", NULL) < 0 ||
			    add_event(d, e, "new", "new", NULL) < 0)
				return -1;
		} else if (at % TRIPLE != CHANGE) {
			return name_twice(d, e->col[EVENT_NAME].t);
		}
		s->event[i] = (size_t)at;
	}
	return 0;
}

/* Warns if the profiles measured different things: then everything is new or gone.  Did
 * they? */
static bool
warn_of_events(const struct diff *d)
{
	const struct group *old = d->side[OLD].g, *new = d->side[NEW].g;
	struct text a, b;
	size_t i;

	if (!old || !new || !old->events.measured || !new->events.measured)
		return false;
	for (i = 0; i < new->events.measured; i++)
		if (events_find(&old->events, events_at(&new->events,
		    i)->col[EVENT_NAME].t) >= 0)
			return false;
	a = events_at(&old->events, 0)->col[EVENT_NAME].t;
	b = events_at(&new->events, 0)->col[EVENT_NAME].t;
	diag_say(d->to->how.diag, DIAG_WARN, "the profiles have no event in common: "
	    "the old one has %s, the new one %s", QUOTE(a), QUOTE(b));
	return true;
}

/* Those of the old profile come first; NULL: there are none. */
static const struct record *
first_event(const struct diff *d)
{
	const struct group *old = d->side[OLD].g;
	const struct group *first = old && old->events.measured ? old : d->side[NEW].g;

	return first && first->events.measured ? events_at(&first->events, 0) : NULL;
}

/* Has it events of single runs?  What these cost must not choose. */
static bool
has_runs(const struct diff *d)
{
	return d->side[OLD].m->how.op == MERGE_RUNS;
}

/* Would the difference without a mark choose this event, whatever the costs are?  Without a
 * mark the default has a cost. */
static bool
needs_no_mark(const struct diff *d, const struct group *of, const struct record *event)
{
	return !has_runs(d) && events_own_default(&of->events) < 0 &&
	    text_eq(event->col[EVENT_NAME].t, first_event(d)->col[EVENT_NAME].t);
}

/* The default of a difference is that of the old profile, if it has one. */
static void
find_default(struct diff *d)
{
	const struct record *old = merge_default_of(d->side[OLD].g);
	const struct record *new = merge_default_of(d->side[NEW].g);
	const struct record *event = old ? old : new;
	struct text a, b;

	if (!event) {
		warn_of_events(d);
		if ((has_runs(d) || d->side[OLD].m->how.unknown) && first_event(d))
			d->shown = first_event(d)->col[EVENT_NAME].t;
		return;
	}
	a = event->col[EVENT_NAME].t;
	b = new ? new->col[EVENT_NAME].t : a;
	if (!warn_of_events(d) && !text_eq(a, b) && !d->how->named)
		diag_say(d->to->how.diag, DIAG_NOTE, "the profiles show different events, the "
		    "old one %s, the new one %s: this is of %s", QUOTE(a), QUOTE(b), QUOTE(a));
	if (!needs_no_mark(d, old ? d->side[OLD].g : d->side[NEW].g, event))
		d->shown = a;
}

static bool
has_calls(const struct side *s)
{
	return s->g && ROWS(s->g, REC_CALL)->t.n;
}

/* Of how many records the cost of an event is not known, as an event, which states no
 * inclusive cost. */
static int
add_unknown_event(struct diff *d, const struct record *event, const char *role)
{
	struct record r = *event;
	struct buf attrs = { 0 };
	int ret;

	attr_add_others(&attrs, event->attrs, "inclusive");
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	ret = add_event(d, &r, role, role, NULL);
	buf_free(&attrs);
	return ret;
}

/* What is not known of a side, for who asks.  A total that is not stated is the sum of self
 * costs. */
static int
add_unknown(struct diff *d, int side)
{
	static const char *const role[] = { RUNS_UNKNOWN_OLD, RUNS_UNKNOWN_NEW };
	struct side *s = &d->side[side];
	const size_t n = s->g ? s->g->events.measured : 0;
	bool *any = mem_alloc(n + 1, sizeof *any);
	size_t i;
	int ret = 0;

	s->unknown = mem_alloc(n + 1, sizeof *s->unknown);
	s->total_unknown = mem_alloc(n + 1, sizeof *s->total_unknown);
	if (n) {
		merge_find_unknown(s->m, s->g, REC_COST, any);
		merge_find_unknown(s->m, s->g, REC_SAMPLE, any);
		for (i = 0; i < n; i++)
			s->total_unknown[i] = any[i] && s->g->totals[i] & TOTAL_ADDED_UP;
		merge_find_unknown(s->m, s->g, REC_CALL, any);
	}
	for (i = 0; i < n && ret == 0; i++)
		if (any[i]) {
			s->unknown[i] = d->g->events.measured;
			ret = add_unknown_event(d, events_at(&s->g->events, i), role[side]);
		}
	free(any);
	return ret;
}

/* Events of both sides: those of the old one first. */
static int
add_events(struct diff *d)
{
	struct record calls = rec_make(REC_EVENT);
	int side, ret = 0;
	unsigned k;

	find_default(d);
	for (side = OLD; side <= NEW && ret == 0; side++) {
		struct cursor at = { .file = d->side[side].name };

		d->to->how.diag->at = &at;
		ret = add_side_events(d, &d->side[side]);
		d->to->how.diag->at = NULL;
	}
	if (ret < 0)
		return -1;
	d->has_calls = has_calls(&d->side[OLD]) || has_calls(&d->side[NEW]);
	d->calls = d->g->events.measured;
	calls.col[EVENT_ID].n = 0;
	calls.col[EVENT_NAME].t = TEXT("calls");
	if (d->has_calls && (add_event(d, &calls, "old", "old", NULL) < 0 ||
	    add_event(d, &calls, "new", "new", NULL) < 0))
		return -1;
	if (add_unknown(d, OLD) < 0 || add_unknown(d, NEW) < 0)
		return -1;
	for (k = 0; k < ROW_KINDS; k++)
		if (d->g->rows[k].def->tail & REC_VALUES)
			sums_widen(&d->g->rows[k].t, d->g->rows[k].nsum +
			    d->g->events.measured);
	return 0;
}

/* ---- scales ---- */

/*
 * The values of a measure, an event and the inclusive cost of it that others state, become
 * parts of one scale, of which both sides' are multiples; nothing is rounded.  With
 * --normalize the new ones are also multiplied by the old total of the event, and all
 * divided by the new one, which is in the scale.
 */
struct scaling {
	const struct record *event[SIDES];	/* NULL: the side lacks it; else: */
	size_t of[SIDES];		/* its number there */
	num total[SIDES];		/* ABSENT: none */
	num times[SIDES];
	uint64_t whole;			/* as of event_rescaled() */
	size_t measure;			/* the event that it is of, which has: */
	uint64_t scale;			/* of all, before it is normalized, and after: */
	num final, ratio[SIDES];
	num all;			/* a divisor of the final scale and all times */
	bool scaled, equal;		/* the totals were made one, or are */
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
	return s->event[s->event[OLD] ? OLD : NEW]->col[EVENT_NAME].t;
}

/* A merge has one total, of the run. */
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
		    sums_val(&ROWS(s->g, REC_TOTAL)->t, 0)[i] : ABSENT;
	}
}

static int
find_scale(struct diff *d, struct scaling *all, size_t i)
{
	struct scaling *s = &all[i], *of;
	int side;

	s->measure = events_measure_of(&d->g->events, TRIPLE * i) / TRIPLE;
	of = &all[s->measure];
	for (side = OLD; side <= NEW; side++)
		if (s->event[side] && (event_common_scale(of->scale,
		    event_scale(s->event[side]), &of->scale) < 0 ||
		    event_common_scale(s->whole, event_whole(s->event[side]), &s->whole) < 0))
			return too_fine(d, "the difference", name_of(s));
	return 0;
}

/* The totals in one scale, without what they share: 0, or -1 if that does not fit. */
static int
find_ratio(struct scaling *s)
{
	num all;
	int side;

	for (side = OLD; side <= NEW; side++)
		if (num_mul(s->total[side], (num)(s->scale / event_scale(s->event[side])),
		    &s->ratio[side]) < 0)
			return -1;
	all = num_gcd(s->ratio[OLD], s->ratio[NEW]);
	s->ratio[OLD] /= all;
	s->ratio[NEW] /= all;
	return num_mul((num)s->scale, s->ratio[NEW], &s->final);
}

static bool
is_none(num total)
{
	return total == 0 || total == ABSENT;
}

/* What only one side has measured has no share of the other's. */
static int
normalize(struct diff *d, struct scaling *s)
{
	int side;

	s->ratio[OLD] = s->ratio[NEW] = 1;
	s->final = (num)s->scale;
	if (!d->how->normalize || !s->event[OLD] || !s->event[NEW])
		return 0;
	for (side = OLD; side <= NEW && s->total[side] > 0; side++)	/* nor ABSENT */
		;
	s->scaled = side > NEW;
	s->equal = is_none(s->total[OLD]) && is_none(s->total[NEW]);
	if (s->equal)
		return 0;
	if (s->scaled)
		return find_ratio(s) < 0 ? too_fine(d, "--normalize", name_of(s)) : 0;
	diag_say(d->to->how.diag, DIAG_WARN, "event %s: --normalize cannot scale it, as the %s "
	    "total is not above 0: its costs are as measured",
	    QUOTE(name_of(s)), side_name[side]);
	return 0;
}

static int
find_times(struct diff *d, struct scaling *all, size_t i)
{
	struct scaling *s = &all[i], *of = &all[s->measure];
	int side;

	for (side = OLD; side <= NEW; side++) {
		const struct record *event = s->event[side] ? s->event[side] : s->event[!side];

		if (num_mul((num)(of->scale / event_scale(event)), of->ratio[!side],
		    &s->times[side]) < 0)
			return too_fine(d, "--normalize", name_of(s));
		of->all = num_gcd(of->all ? of->all : of->final, s->times[side]);
	}
	return 0;
}

/* Samples can be told from the change only if both sides' add the same to it. */
static int
scale_event(struct diff *d, struct scaling *all, size_t event)
{
	struct scaling *s = &all[event];
	const num divisor = all[s->measure].all, scale = all[s->measure].final / divisor;
	int side;
	size_t i;

	if (scale > UINT64_MAX)
		return too_fine(d, "--normalize", name_of(s));
	for (side = OLD; side <= NEW; side++) {
		s->times[side] /= divisor;
		if (s->event[side])
			d->side[side].times[s->of[side]] = s->times[side];
	}
	if ((uint64_t)scale == event_scale(events_at(&d->g->events, TRIPLE * event)) &&
	    s->times[OLD] == 1 && s->times[NEW] == 1)
		return 0;
	s->whole = (uint64_t)num_gcd(scale, s->whole);
	for (i = CHANGE; i < TRIPLE; i++)
		merge_rescale(&d->g->events, TRIPLE * event + i, (uint64_t)scale, s->whole,
		    i != CHANGE ? s->times[i - 1] :
		    s->times[OLD] == s->times[NEW] ? s->times[OLD] : 0);
	return 0;
}

/* Says what costs are if they are not those measured. */
static void
add_estimate(struct diff *d, const struct scaling *all, size_t n)
{
	const uint64_t old = merge_runs(d->side[OLD].m), new = merge_runs(d->side[NEW].m);
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
	see_side(d, OLD, all);
	see_side(d, NEW, all);
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

/* Counts of calls of means are parts of one, too. */
static int
scale_calls(struct diff *d)
{
	uint64_t per[SIDES] = { 1, 1 }, scale;
	int side;

	for (side = OLD; side <= NEW; side++)
		if (d->side[side].g && d->side[side].g->over[REC_CALL - REC_COST].per[0])
			per[side] = d->side[side].g->over[REC_CALL - REC_COST].per[0];
	if (event_common_scale(per[OLD], per[NEW], &scale) < 0)
		return too_fine(d, "the difference", TEXT("calls"));
	for (side = OLD; side <= NEW; side++) {
		d->side[side].calls_times = (num)(scale / per[side]);
		if (d->has_calls && scale != 1)
			merge_rescale(&d->g->events, d->calls + (size_t)side, scale, 1,
			    d->side[side].calls_times);
	}
	return 0;
}

/* ---- records ---- */

static int
add_to(struct diff *d, num *sum, num v, num times)
{
	if (v == ABSENT)
		return 0;
	if (num_mul(v, times, &v) < 0 || sums_add(sum, v, ABSENT) < 0)
		return merge_overflow(d->to);
	return 0;
}

static bool
is_unknown(const struct side *s, enum rec_kind kind, size_t row, size_t event)
{
	return s->unknown[event] && (kind == REC_TOTAL ? s->total_unknown[event] :
	    merge_is_unknown(s->m, s->g, kind, row, event));
}

static int
add_row(struct diff *d, int side, enum rec_kind kind, size_t row)
{
	struct side *s = &d->side[side];
	const struct rows *from = ROWS(s->g, kind);
	struct rows *to = ROWS(d->g, kind);
	const num *v = sums_val(&from->t, row);
	uint64_t key[KEY_WORDS];
	size_t was = to->t.n, i;
	num *sum;

	diff_key(d, s, from->def, sums_key(&from->t, row), key);
	if (kind == REC_SAMPLE)
		key[from->nkey - 1] = diff_attrs(d, side, key[from->nkey - 1]);
	sum = sums_val(&to->t, sums_row(&to->t, key)) + to->nsum;
	d->sums += (to->t.n - was) * to->t.nval;
	if (s->g->events.measured > TABLE_WIDE && !sums_fits(d->sums,
	    d->side[OLD].m->values + d->side[NEW].m->values))
		return sums_refuse(d->to->how.diag, s->g->events.measured);
	if (kind == REC_CALL && add_to(d, &sum[d->calls + (size_t)side], v[0],
	    s->calls_times) < 0)
		return -1;
	for (i = 0; i < s->g->events.measured; i++)
		if (add_to(d, &sum[s->event[i] + 1 + (size_t)side], v[from->nsum + i],
		    s->times[i]) < 0 || (is_unknown(s, kind, row, i) &&
		    add_to(d, &sum[s->unknown[i]], 1, 1) < 0))
			return -1;
	return 0;
}

/* A merge has no total if that is 0, but it may be one that is not known. */
static int
add_unknown_total(struct diff *d, struct side *s)
{
	const uint64_t key = dict_str(d->dict, TEXT("run"));
	struct rows *to = ROWS(d->g, REC_TOTAL);
	size_t i;

	for (i = 0; i < s->g->events.measured && !ROWS(s->g, REC_TOTAL)->t.n; i++)
		if (s->total_unknown[i] && add_to(d, &sums_val(&to->t, sums_row(&to->t,
		    &key))[to->nsum + s->unknown[i]], 1, 1) < 0)
			return -1;
	return 0;
}

static int
add_rows(struct diff *d, int side)
{
	static const enum rec_kind kinds[] = { REC_COST, REC_CALL, REC_SAMPLE, REC_TOTAL };
	struct side *s = &d->side[side];
	size_t k, i;
	unsigned kind;

	if (!s->g)
		return 0;
	for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
		for (i = 0; i < ROWS(s->g, kinds[k])->t.n; i++)
			if (add_row(d, side, kinds[k], i) < 0)
				return -1;
	for (kind = REC_COST; kind <= REC_RAW; kind++)
		if (kind != REC_COST && kind != REC_CALL && kind != REC_SAMPLE)
			for (i = 0; i < ROWS(s->g, kind)->t.n; i++) {
				struct record r = rec_make(kind);

				loss_record(&d->loss, &r);
			}
	return add_unknown_total(d, s);
}

/* What a side lacks counts as 0 in the change. */
static int
add_changes(struct diff *d)
{
	unsigned k;
	size_t row, i;

	for (k = 0; k < ROW_KINDS; k++) {
		const struct rows *r = &d->g->rows[k];

		for (row = 0; row < r->t.n && r->def->tail & REC_VALUES; row++)
			for (i = 0; i < d->calls; i += TRIPLE) {
				num *v = sums_val(&r->t, row) + r->nsum + i;
				num was = v[1 + OLD] == ABSENT ? 0 : v[1 + OLD];

				v[CHANGE] = v[1 + NEW] == ABSENT ? 0 : v[1 + NEW];
				if (num_sub(&v[CHANGE], was) < 0)
					return merge_overflow(d->to);
			}
	}
	return 0;
}

/* ---- the whole ---- */

static void
add_facts(struct diff *d)
{
	struct record r = rec_make(REC_META);
	struct buf list = { 0 };
	int side, any = 0;

	for (side = OLD; side <= NEW; side++)
		if (d->side[side].g)
			facts_join(&d->g->facts, &d->side[side].g->facts, any++ == 0);
	field_escape(&list, text_of(d->side[OLD].name));
	buf_putc(&list, '\t');
	field_escape(&list, text_of(d->side[NEW].name));
	r.col[0].t = TEXT("diff");
	r.attrs = buf_as_text(&list);
	facts_add(&d->g->facts, &r);
	buf_free(&list);
}

static int
set_up(struct diff *d, struct merge *m, int side, const char *name)
{
	d->side[side].m = m;
	d->side[side].name = strcmp(name, "-") == 0 ? "standard input" : name;
	if (m->ngroup > 1)
		return diag_fail_plain(m->how.diag, "%s: parts that are kept apart "
		    "cannot be compared", side_name[side]);
	d->side[side].g = m->ngroup ? m->group[0] : NULL;
	if (!m->ngroup)
		return 0;
	facts_sort(&m->group[0]->facts);
	return merge_expand(m, m->group[0]) < 0 ||
	    merge_check_order(m, m->group[0]) < 0 || merge_end_runs(m) < 0 ? -1 : 0;
}

int
diff_write(struct merge *old, struct merge *new, const struct diff_how *how,
    struct sink *out)
{
	const struct merge_how sum = { .dict = how->dict, .diag = how->diag };
	struct diff d = { .how = how, .to = merge_new(&sum), .dict = how->dict };
	int ret, side;

	d.g = merge_one_group(d.to);
	ret = set_up(&d, old, OLD, how->old_name) < 0 ||
	    set_up(&d, new, NEW, how->new_name) < 0 ? -1 : 0;
	if (ret == 0) {
		diff_find_partners(&d);
		diff_find_comms(&d);
		add_facts(&d);
		ret = add_events(&d);
	}
	if (ret == 0)
		ret = scale_events(&d) < 0 || scale_calls(&d) < 0 ? -1 : 0;
	if (ret == 0)
		ret = add_rows(&d, OLD) < 0 || add_rows(&d, NEW) < 0 ||
		    add_changes(&d) < 0 ? -1 : 0;
	if (ret == 0)
		ret = loss_tell(&d.loss, "a difference", false, how->diag);
	if (ret == 0)
		ret = merge_write(d.to, out);
	for (side = OLD; side <= NEW; side++) {
		free(d.side[side].path[0]);
		free(d.side[side].path[1]);
		free(d.side[side].func);
		free(d.side[side].ctx);
		free(d.side[side].event);
		free(d.side[side].unknown);
		free(d.side[side].total_unknown);
		free(d.side[side].times);
	}
	sums_free(&d.attrs);
	loss_free(&d.loss);
	merge_free(d.to);
	return ret;
}
