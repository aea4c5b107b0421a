/* SPDX-License-Identifier: ISC */
#include "sum/gate.h"

#include <stdlib.h>

#include "util/mem.h"

#define TOTAL SIZE_MAX		/* instead of a row */

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
		return diag_fail_plain(d, "--min-cost: expected a whole number or a "
		    "percentage, found %s", diag_quote(s, strlen(s)));
	return 0;
}

/* How many questions are asked of the same runs. */
static size_t
count_checks(const struct gate *g)
{
	return g->nlimit * (g->scope == GATE_BOTH ? 2 : 1);
}

static bool
stands_out(const struct gate *g, const struct gate_limit *l, size_t row)
{
	const struct contrast_event *e = contrast_find(g->contrast, l->delta);

	return !e || contrast_stands_out(g->contrast, row == TOTAL ? &e->total :
	    &e->row[g->inclusive ? CONTRAST_INCLUSIVE : CONTRAST_SELF][row], NOISE_GROWN,
	    count_checks(g));
}

static bool
regressed(const struct gate *g, const struct rank *r, const struct gate_limit *l,
    size_t row)
{
	const num *cost = row == TOTAL ? r->total : g->inclusive ?
	    r->incl + row * r->rows.nval : sums_val(&r->rows, row);
	num old = cost[l->delta->old], change = cost[l->delta->change];

	return change > 0 && threshold_cmp(change, l->over, old) > 0 &&
	    threshold_cmp(change, threshold_of_parts(g->min_cost, l->per),
	    r->total[l->delta->old]) > 0 &&
	    (!g->contrast || stands_out(g, l, row));
}

static const struct rank_delta *
find_delta(const struct rank *r, struct text event)
{
	long column = events_find(&r->events, event);
	const struct rank_delta *d;

	if (!event.s)
		return r->ndelta ? r->delta : NULL;
	d = column < 0 ? NULL : rank_delta_of(r, r->slot[column]);
	return d && r->slot[column] == (long)d->change ? d : NULL;
}

/* An event that only one of the profiles has cannot be compared: an error. */
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
		    "event %s: there is nothing to compare", (int)only.n, only.s,
		    QUOTE(name));
	buf_free(&scratch);
	return ret;
}

int
gate_check(struct gate *g, const struct rank *r, struct diag *diag)
{
	size_t i, row;

	if (g->inclusive && !r->incl_known)
		return diag_fail_plain(diag, "--metric inclusive: the profiles have "
		    "neither calls nor stacks");
	g->row = mem_alloc(r->rows.n + 1, sizeof *g->row);
	for (i = 0; i < g->nlimit; i++) {
		struct gate_limit *l = &g->limit[i];

		if (!(l->delta = find_delta(r, l->event)))
			return diag_fail_plain(diag, "--fail-over: the profiles have no "
			    "event %s%s", l->event.s ? QUOTE(l->event) :
			    "at all", l->event.s ? events_suggest(&r->events, l->event) : "");
		if (check_sides(r, l->delta, diag) < 0)
			return -1;
		l->per = rank_scale(r, l->delta->change);
		for (row = 0; row < r->rows.n && g->scope != GATE_TOTAL; row++)
			g->row[row] |= (!g->inclusive ||
			    rank_incl_sure(r, row, l->delta->change)) &&
			    regressed(g, r, l, row);
		if (g->scope != GATE_FUNCTION)
			g->total |= regressed(g, r, l, TOTAL);
	}
	for (row = 0; row < r->rows.n; row++)
		g->rows += g->row[row];
	return 0;
}

void
gate_free(struct gate *g)
{
	free(g->limit);
	free(g->row);
}
