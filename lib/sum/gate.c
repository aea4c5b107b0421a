/* SPDX-License-Identifier: ISC */
#include "sum/gate.h"

#include <stdlib.h>

#include "sum/outliers.h"
#include "util/mem.h"

#define TOTAL GATE_TOTAL_ROW

static const char *const side_name[] = { "old", "new" };

int
gate_limits(struct gate *g, const char *list, struct diag *d)
{
	struct text word, value;
	const char *eq;

	while (list_next(&list, &word)) {
		struct gate_limit l = { 0 };

		eq = last_byte(word.s, '=', word.n);
		value = word;
		if (eq) {
			l.event = (struct text){ word.s, (size_t)(eq - word.s) };
			value = (struct text){ eq + 1, (size_t)(word.s + word.n - eq - 1) };
		}
		if ((eq && !l.event.n) || !threshold_get_share(value, &l.over))
			return diag_fail_plain(d, "--fail-over: expected a percentage or "
			    "EVENT=PERCENTAGE, found %s", QUOTE(word));
		g->limit = mem_resize(g->limit, g->nlimit + 1, sizeof *g->limit);
		g->limit[g->nlimit++] = l;
	}
	return 0;
}

int
gate_min_cost(struct gate *g, const char *s, struct diag *d)
{
	if (!threshold_get(text_of(s), &g->min_cost))
		return diag_fail_plain(d, "--min-cost: expected a number or a "
		    "percentage, found %s", diag_quote(s, strlen(s)));
	return 0;
}

/* Returns the number of questions about the same runs. */
static size_t
count_checks(const struct gate *g)
{
	return g->nlimit * (g->scope == GATE_BOTH ? 2 : 1);
}

static bool
stands_out(const struct gate *g, const struct gate_limit *l, size_t row, int which,
    size_t checks)
{
	const struct significance_event *e = significance_find(g->significance, l->delta);

	return !e || is_significant(g->significance, row == TOTAL ? &e->total :
	    &e->row[g->inclusive ? SIGNIFICANCE_INCLUSIVE : SIGNIFICANCE_SELF][row], which, checks);
}

/* Is a growth from `old` over the limits? whole: the old total; per: values per unit. */
static bool
exceeds_of(const struct gate *g, const struct gate_limit *l, num old, num new, num whole,
    uint64_t per)
{
	num change = new;

	return num_sub(&change, old) == 0 && change > 0 &&
	    threshold_cmp(change, l->over, old) > 0 &&
	    threshold_cmp(change, threshold_of_parts(g->min_cost, per), whole) > 0;
}

static bool
exceeds(const struct gate *g, const struct gate_limit *l, num old, num new, num whole)
{
	return exceeds_of(g, l, old, new, whole, l->per);
}

/* ---- rows ---- */

static struct rank_range
cost_range(const struct gate *g, const struct rank *r, size_t row, size_t slot)
{
	return g->inclusive ? rank_incl_range(r, row, slot) : rank_self_range(r, row, slot);
}

/* Finds whether a growth may be over the limits, and whether it must be. */
static bool
may_exceed(const struct gate *g, const struct gate_limit *l, const struct rank_range *old,
    const struct rank_range *new, num whole)
{
	return old->bottomless || new->endless ||
	    exceeds(g, l, old->least, new->most, whole);
}

static bool
must_exceed(const struct gate *g, const struct gate_limit *l, const struct rank_range *old,
    const struct rank_range *new, num whole)
{
	return !old->endless && !new->bottomless &&
	    exceeds(g, l, old->most, new->least, whole);
}

static enum gate_verdict
unsure(const struct rank_range *old, const struct rank_range *new)
{
	return old->known && new->known ? GATE_UNSURE : GATE_UNKNOWN;
}

/* Significance is known for the costs as computed.  If these are lower bounds of the new
 * cost and upper bounds of the old one, a significant growth is a growth. */
static bool
is_judged(const struct gate *g, const struct rank *r, const struct gate_limit *l,
    size_t row)
{
	return !g->significance || !g->inclusive ||
	    !(rank_incl_bound(r, row, l->delta->change) & ~(unsigned)RANK_MAY_BE_MORE);
}

/* Does the program certainly cost no more than before, by its total and by its rows?  With
 * several runs it must cost significantly less. */
static bool
is_cheaper(const struct gate *g, const struct rank *r, const struct gate_limit *l)
{
	const struct rank_range old = rank_total_range(r, l->delta->old);
	const struct rank_range new = rank_total_range(r, l->delta->new);

	return !old.bottomless && !new.endless && new.most <= old.least &&
	    l->listed[1] <= l->listed[0] &&
	    (!g->significance || stands_out(g, l, TOTAL, NOISE_CHANGED, 1));
}

static enum gate_verdict
judge_row(const struct gate *g, const struct rank *r, const struct gate_limit *l, size_t row)
{
	const struct rank_range old = cost_range(g, r, row, l->delta->old);
	const struct rank_range new = cost_range(g, r, row, l->delta->new);
	const num whole = r->whole[l->delta->old];

	if (!may_exceed(g, l, &old, &new, whole))
		return GATE_FINE;
	if (!must_exceed(g, l, &old, &new, whole) || !is_judged(g, r, l, row))
		return unsure(&old, &new);
	if (g->significance && !stands_out(g, l, row, NOISE_GROWN, count_checks(g)))
		return GATE_IN_NOISE;
	return g->scope == GATE_BOTH && !g->normalized && old.most == 0 && is_cheaper(g, r, l) ?
	    GATE_PAID : GATE_GREW;
}

/* Counts a row; its size is the cost if that is unsure, otherwise the growth. */
static void
count_row(const struct gate *g, const struct rank *r, struct gate_limit *l, size_t row,
    enum gate_verdict verdict)
{
	const num *cost = g->inclusive ? r->incl + row * r->rows.nval :
	    sums_val(&r->rows, row);
	const num old = cost[l->delta->old], new = cost[l->delta->new];
	const num size = verdict != GATE_UNSURE && verdict != GATE_UNKNOWN ?
	    cost[l->delta->change] : old > new ? old : new;
	struct gate_count *c = &l->of[verdict];

	if (!c->rows++ || size > c->size) {
		c->largest = row;
		c->size = size;
	}
}

/* ---- the total ---- */

/* Sums a side's rows.  The sum cannot exceed the total, unless costs are negative or include
 * those of other rows; costs that a filter, or the profiler itself, has taken only add to the
 * total. */
static void
add_up(const struct gate *g, const struct rank *r, struct gate_limit *l)
{
	const size_t slot[] = { l->delta->old, l->delta->new };
	size_t side, row;

	for (side = 0; side < 2; side++) {
		num beyond;

		for (row = 0; row < r->rows.n; row++)
			if (num_add(&l->listed[side], sums_val(&r->rows, row)[slot[side]]) < 0)
				l->listed[side] = NUM_MAX;
		beyond = l->listed[side];
		l->contradicted[side] = !l->cumulative && r->most[slot[side]] != NUM_MAX &&
		    num_sub(&beyond, r->whole[slot[side]]) == 0 && beyond > 0 &&
		    threshold_cmp(beyond, threshold_of_parts(g->min_cost, l->per),
		    r->whole[slot[side]]) > 0;
	}
}

/* If the rows contradict the total, their common growth counts; but how much that varies
 * between runs is not known. */
static enum gate_verdict
judge_total(const struct gate *g, const struct rank *r, const struct gate_limit *l)
{
	const struct rank_range old = rank_total_range(r, l->delta->old);
	const struct rank_range new = rank_total_range(r, l->delta->new);
	const num whole = r->whole[l->delta->old];
	const bool contradicted = l->contradicted[0] || l->contradicted[1];

	if (contradicted && exceeds(g, l, l->listed[0], l->listed[1], l->listed[0]))
		return g->significance ? GATE_UNSURE : GATE_GREW;
	if (!may_exceed(g, l, &old, &new, whole))
		return GATE_FINE;
	if (!must_exceed(g, l, &old, &new, whole))
		return unsure(&old, &new);
	return g->significance && !stands_out(g, l, TOTAL, NOISE_GROWN, count_checks(g)) ?
	    GATE_IN_NOISE : GATE_GREW;
}

/* ---- exceptions ---- */

static enum gate_verdict
judge_by(const struct gate *g, const struct rank *r, const struct gate_limit *l, size_t row)
{
	return row == TOTAL ? judge_total(g, r, l) : judge_row(g, r, l, row);
}

/* Sets *own to the limit of a row, or of the total: false if it has none. */
static bool
own_limit(const struct gate_limit *l, const struct gate_exception *e, struct gate_limit *own)
{
	*own = *l;
	if (e)
		own->over = e->over;
	return !e || !e->endless;
}

static enum gate_verdict
judge(const struct gate *g, const struct rank_request *q, const struct rank *r,
    const struct gate_limit *l, size_t row)
{
	const struct gate_exception *e = gate_exception_of(g, q, r, l, row);
	const enum gate_verdict usual = judge_by(g, r, l, row);
	enum gate_verdict verdict = GATE_FINE;
	struct gate_limit own;

	if (!e)
		return usual;
	if (own_limit(l, e, &own))
		verdict = judge_by(g, r, &own, row);
	return usual == GATE_GREW && verdict == GATE_FINE ? GATE_EXCEPTED : verdict;
}

static void
check_rows(struct gate *g, const struct rank_request *q, const struct rank *r,
    struct gate_limit *l)
{
	size_t row;

	for (row = 0; row < r->rows.n; row++) {
		const enum gate_verdict v = judge(g, q, r, l, row);

		count_row(g, r, l, row, v);
		g->row[row] |= v == GATE_GREW;
	}
}

/* ---- events ---- */

static const struct rank_delta *
find_delta(const struct rank *r, struct text event)
{
	long column = events_find(&r->events, event);
	const struct rank_delta *d;

	d = column < 0 ? NULL : rank_delta_of(r, r->slot[column]);
	return d && r->slot[column] == (long)d->change ? d : NULL;
}

/* An event that only one of the profiles has cannot be compared, which is an error. */
static int
check_sides(const struct rank *r, const struct rank_delta *d, struct diag *diag)
{
	struct buf scratch = { 0 };
	struct text only = { 0 }, name = { 0 };
	size_t i;
	int ret = 0;

	for (i = 0; i < r->events.measured && !name.s; i++)
		if (r->slot[i] == (long)d->change) {
			const struct record *e = events_at(&r->events, i);

			name = e->col[EVENT_NAME].t;
			only = attr_get(e->attrs, "only", &scratch);
		}
	if (only.s)
		ret = diag_fail_plain(diag, "--fail-over: only the %.*s profile has "
		    "event %s: nothing to compare", (int)only.n, only.s,
		    QUOTE(name));
	buf_free(&scratch);
	return ret;
}

/* Without a name, the limit is for the default event, which must be the same on both
 * sides. */
static int
check_default(const struct gate *g, const struct gate_limit *l, struct diag *diag)
{
	const struct text old = g->side[0].usual, new = g->side[1].usual;

	if (l->event.s || !old.s || !new.s || text_eq(old, new))
		return 0;
	return diag_fail_plain(diag, "--fail-over: the default event of the old profile "
	    "is %s, but of the new one %s: name one, as in --fail-over %.*s=1%%",
	    QUOTE(old), QUOTE(new), (int)old.n, old.s);
}

/* An event without any value is not a cost of 0. */
static int
check_measured(const struct gate *g, const struct gate_limit *l, struct diag *diag)
{
	size_t i;

	for (i = 0; i < 2; i++)
		if (merge_lacks_values(g->side[i].merge, l->name))
			return diag_fail_plain(diag, "--fail-over: the %s profile has no "
			    "value of event %s: nothing to compare", side_name[i],
			    QUOTE(l->name));
	return 0;
}

static int
find_event(const struct gate *g, const struct rank_request *q, const struct rank *r,
    struct gate_limit *l, struct diag *diag)
{
	size_t i;

	if (!(l->delta = find_delta(r, l->event.s ? l->event : rank_default(q, r))))
		return diag_fail_plain(diag, "--fail-over: the profiles have no "
		    "event %s%s", l->event.s ? QUOTE(l->event) :
		    "at all", l->event.s ? events_suggest(&r->events, l->event) : "");
	for (i = 0; i < r->events.measured && r->slot[i] != (long)l->delta->change; i++)
		;
	l->name = events_at(&r->events, i)->col[EVENT_NAME].t;
	l->cumulative = event_is_inclusive(events_at(&r->events, i));
	l->per = rank_scale(r, l->delta->change);
	return check_sides(r, l->delta, diag) < 0 || check_default(g, l, diag) < 0 ? -1 :
	    check_measured(g, l, diag);
}

/* ---- outliers ---- */

static bool
median_exceeds(const struct gate *g, const struct gate_limit *l,
    const struct gate_exception *own, const struct significance_event *e, const num *cost,
    num whole)
{
	struct gate_limit limit;

	return own_limit(l, own, &limit) && exceeds_of(g, &limit, outlier_median(e, cost, SIDE_OLD),
	    outlier_median(e, cost, SIDE_NEW), whole, e->scale);
}

/* Has any checked cost grown over the limits, by the median of the runs? */
static bool
any_median_exceeds(const struct gate *g, const struct rank_request *q, const struct rank *r,
    const struct gate_limit *l, const struct significance_event *e)
{
	const num whole = outlier_median(e, r->whole, SIDE_OLD);
	size_t row;

	for (row = 0; row < r->rows.n && g->scope != GATE_TOTAL; row++)
		if (median_exceeds(g, l, gate_exception_of(g, q, r, l, row), e, g->inclusive ?
		    r->incl + row * r->rows.nval : sums_val(&r->rows, row), whole))
			return true;
	return g->scope != GATE_FUNCTION && median_exceeds(g, l,
	    gate_exception_of(g, q, r, l, TOTAL), e, r->whole, whole);
}

static int
check_outlier(const struct gate *g, const struct rank_request *q, const struct rank *r,
    const struct gate_limit *l, struct diag *diag)
{
	const struct significance_event *e = g->significance ?
	    significance_find(g->significance, l->delta) : NULL;
	struct outlier w;

	if (!e || !outlier_find(r, e, &w) || !any_median_exceeds(g, q, r, l, e))
		return 0;
	return diag_fail_plain(diag, "--fail-over: %s run %ju is an outlier, with %.3g "
	    "times the median cost of the others, and may hide an increase: leave it "
	    "out, or measure again", side_name[w.side], (uintmax_t)w.run,
	    (double)w.total / (double)w.median);
}

/* ---- the whole ---- */

/* Was anything checked?  Without rows, only the total can be, if there is a limit for it
 * and it exists. */
static bool
was_checked(const struct gate *g, const struct rank *r, const struct gate_limit *l)
{
	const struct gate_count *unsure = &l->of[GATE_UNSURE], *unknown = &l->of[GATE_UNKNOWN];
	const bool some = r->rows.n || (g->scope == GATE_TOTAL &&
	    (r->whole[l->delta->old] || r->whole[l->delta->new]));

	return (g->scope != GATE_TOTAL && unsure->rows + unknown->rows < r->rows.n) ||
	    (g->scope != GATE_FUNCTION && !unsure->total && !unknown->total && some);
}

static bool
has_costs(const struct rank *r, const struct rank_delta *d)
{
	bool any = r->whole[d->old] || r->whole[d->new];
	size_t row;

	for (row = 0; row < r->rows.n && !any; row++)
		any = sums_val(&r->rows, row)[d->old] || sums_val(&r->rows, row)[d->new];
	return any;
}

/* Was the default event, which nobody named, 0 everywhere, while another event was not?  A
 * program without leaks has no cost at all. */
static bool
is_extra(const struct rank *r, const struct gate_limit *l)
{
	bool other = false;
	size_t i;

	if (l->event.s || has_costs(r, l->delta))
		return false;
	for (i = 0; i < r->ndelta && !other; i++)
		other = has_costs(r, &r->delta[i]);
	return other;
}

static int
check_checked(const struct gate *g, const struct rank *r, struct diag *diag)
{
	size_t i;

	for (i = 0; i < g->nlimit && !g->grew; i++) {
		const struct gate_limit *l = &g->limit[i];

		if (is_extra(r, l))
			return diag_fail_plain(diag, "--fail-over: nothing to check: the "
			    "default event, %s, is 0 everywhere, and others are not: "
			    "name one, as in --fail-over %.*s=1%%", QUOTE(l->name),
			    (int)l->name.n, l->name.s);
		if (was_checked(g, r, l))
			continue;
		if (!r->rows.n)
			return diag_fail_plain(diag, "--fail-over: nothing to check: "
			    "neither profile has a row with event %s", QUOTE(l->name));
		return diag_fail_plain(diag, "--fail-over: nothing of event %s could be checked",
		    QUOTE(l->name));
	}
	return 0;
}

int
gate_check(struct gate *g, const struct rank_request *q, const struct rank *r,
    struct diag *diag)
{
	size_t i;

	if (g->inclusive && !r->incl_known)
		return diag_fail_plain(diag, "--metric inclusive: the profiles have "
		    "neither calls nor stacks");
	g->row = mem_alloc(r->rows.n + 1, sizeof *g->row);
	for (i = 0; i < g->nlimit; i++) {
		struct gate_limit *l = &g->limit[i];

		if (find_event(g, q, r, l, diag) < 0)
			return -1;
		add_up(g, r, l);
		if (g->scope != GATE_TOTAL)
			check_rows(g, q, r, l);
		if (g->scope != GATE_FUNCTION)
			l->of[judge(g, q, r, l, TOTAL)].total = true;
		g->grew |= l->of[GATE_GREW].rows || l->of[GATE_GREW].total;
	}
	for (i = 0; i < g->nlimit && !g->grew; i++)
		if (check_outlier(g, q, r, &g->limit[i], diag) < 0)
			return -1;
	return check_checked(g, r, diag);
}

void
gate_free(struct gate *g)
{
	free(g->limit);
	free(g->row);
}
