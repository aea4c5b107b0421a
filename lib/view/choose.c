/* SPDX-License-Identifier: ISC */
/* What a table shows, and in what order: events, rows, growth. */
#include "view/table.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/suggest.h"
#include "util/vis.h"

/* ---- metrics ---- */

/* Is it one of -k? */
static bool
is_column(const struct table *t, struct text name)
{
	size_t i;

	for (i = 0; i < t->v->nsort && !text_eq(t->v->sort[i], name); i++)
		;
	return i < t->v->nsort;
}

static int
no_event(const struct table *t, struct text name)
{
	const struct rank *r = t->r;
	enum group_by keys[TABLE_KEYS];
	struct buf b = { 0 }, incl = { 0 }, known = { 0 };
	size_t i, n = table_keys(t->q, keys);
	const char *meant;

	for (i = 0; i < r->events.n; i++) {
		struct text e = r->events.v[i].r->col[EVENT_NAME].t;

		if (!r->events.v[i].measured && !rank_knows(r, e))
			continue;
		buf_puts(&b, b.n ? ", " : "");
		vis_add(&b, e);
		buf_puts(&incl, ", ");
		vis_add(&incl, e);
		buf_puts(&incl, ".incl");
	}
	if (!b.n)
		buf_puts(&b, "none");
	buf_puts(&known, "calls");
	for (i = 0; i < n; i++)
		buf_printf(&known, ", %s", group_by_name[keys[i]]);
	for (i = 0; i < SIZES && r->sizes; i++)
		buf_printf(&known, ", %s", table_size_name[i]);
	buf_puts(&incl, ", ");
	buf_text(&incl, buf_as_text(&known));
	meant = is_column(t, name) ? suggest_say(suggest_in(name, buf_str(&incl),
	    ", ")) : "";
	diag_fail_plain(t->q->diag, "no event %s%s; events: %s (E.incl is inclusive "
	    "cost; -k also takes %s)", diag_quote(name.s, name.n),
	    *meant ? meant : events_suggest(&r->events, name), buf_str(&b),
	    buf_str(&known));
	buf_free(&b);
	buf_free(&incl);
	buf_free(&known);
	return -1;
}

/* Those that are not 0. */
static struct terms *
make_terms(const num *coef, size_t first, size_t n)
{
	struct terms *t;
	size_t i, count = 0;

	for (i = 0; i < n; i++)
		count += coef[i] != 0;
	t = mem_alloc(1, sizeof *t + count * sizeof *t->v);
	for (i = 0; i < n; i++)
		if (coef[i])
			t->v[t->n++] = (struct term){ first + i, coef[i] };
	return t;
}

static struct terms *
find_terms(const struct table *t, struct text name)
{
	const struct rank *r = t->r;
	long column = events_find(&r->events, name);
	const num one = 1;
	struct terms *terms = NULL;
	num *coef;
	int ret;

	if (column >= 0 && r->slot[column] >= 0)
		return make_terms(&one, (size_t)r->slot[column], 1);
	coef = mem_alloc(r->nslots + 1, sizeof *coef);
	ret = rank_resolve(r, name, coef);
	if (ret == 1)
		terms = make_terms(coef, 0, r->nslots);
	else if (ret < 0)
		diag_fail_plain(t->q->diag, "%s is not a sum of events",
		    diag_quote(name.s, name.n));
	else
		no_event(t, name);
	free(coef);
	return terms;
}

/* Of an event itself: a formula may be of several. */
static void
find_unit(struct table *t, struct metric *m)
{
	long column = events_find(&t->r->events, m->name);
	const struct record *event;

	m->per = 1;
	if (column < 0)
		return;
	event = events_at(&t->r->events, (size_t)column);
	m->per = event_scale(event);
	if (m->per != 1)
		m->unit = event->col[EVENT_UNIT].t;
}

static void
find_delta(struct table *t, struct metric *m)
{
	long column = events_find(&t->r->events, m->name);

	m->delta = column < 0 ? NULL : rank_delta_of(t->r, t->r->slot[column]);
	if (m->delta && t->r->slot[column] != (long)m->delta->change)
		m->delta = NULL;	/* it is a side of it */
}

/* The total, of a change the larger one of those that it is between. */
static num
most_total(const struct table *t, const struct metric *m)
{
	const num *total = t->r->total;

	return !m->delta ? m->total : total[m->delta->old] > total[m->delta->new] ?
	    total[m->delta->old] : total[m->delta->new];
}

/* No inclusive cost is over all cost, unless costs are negative. */
static bool
bounded(const struct table *t, const struct metric *m, num *most)
{
	size_t i;

	for (i = 0; i < m->over->n; i++)
		if (m->over->v[i].coef < 0 || t->r->most[m->over->v[i].slot] == NUM_MAX)
			return false;
	return !m->under && terms_sum(m->over, t->r->most, most) == 0;
}

static int
add_metric(struct table *t, struct text name)
{
	struct metric *m = &t->metric[t->nmetric];
	struct text side[2] = { name, { 0 } };
	bool ratio = events_find(&t->r->events, name) < 0 &&
	    formula_ratio(name, &side[0], &side[1]);

	m->name = name;
	find_unit(t, m);
	find_delta(t, m);
	if (!(m->over = find_terms(t, side[0])))
		return -1;
	t->nmetric++;
	if (ratio && !(m->under = find_terms(t, side[1])))
		return -1;
	if (terms_sum(m->over, t->r->total, &m->total) < 0)
		m->total = 0;
	m->little = most_total(t, m) < m->per / 10;
	m->bounded = bounded(t, m, &m->most);
	return 0;
}

/* The metric of this name, a new one if need be; -1. */
static long
find_metric(struct table *t, struct text name)
{
	size_t i;

	for (i = 0; i < t->nmetric; i++)
		if (text_eq(t->metric[i].name, name))
			return (long)i;
	return add_metric(t, name) < 0 ? -1 : (long)i;
}

/* ---- order ---- */

/* Takes what says so off a column that is an inclusive cost. */
static bool
take_incl(struct text *column)
{
	static const struct text incl = { ".incl", 5 };

	if (column->n <= incl.n ||
	    memcmp(column->s + column->n - incl.n, incl.s, incl.n) != 0)
		return false;
	column->n -= incl.n;
	return true;
}

struct text
view_event_of(struct text column)
{
	static const struct text none = { NULL, 0 };
	enum group_by b;
	size_t i;

	for (b = 0; b < BY_KINDS; b++)
		if (text_is(column, group_by_name[b]))
			return none;
	for (i = 0; i < SIZES; i++)
		if (text_is(column, table_size_name[i]))
			return none;
	if (text_is(column, "calls") || text_is(column, "growth"))
		return none;
	take_incl(&column);
	return column;
}

static int
add_sort(struct table *t, struct text name)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(t->q, keys);
	struct sort *s = &t->sort[t->nsort++];
	const bool reverse = t->v->reverse;
	long m;

	if (text_is(name, "calls")) {
		*s = (struct sort){ .what = SORT_CALLS, .down = !reverse };
		return 0;
	}
	if (t->growth && text_is(name, "growth")) {
		*s = (struct sort){ .what = SORT_GROWTH, .down = !reverse };
		return 0;
	}
	for (i = 0; i < SIZES && t->r->sizes; i++)
		if (text_is(name, table_size_name[i])) {
			*s = (struct sort){ .what = SORT_SIZE, .i = i, .down = !reverse };
			return 0;
		}
	for (i = 0; i < n; i++)
		if (text_is(name, group_by_name[keys[i]])) {
			*s = (struct sort){ .what = SORT_KEY, .i = i, .down = reverse };
			return 0;
		}
	s->what = take_incl(&name) ? SORT_INCL : SORT_SELF;
	if ((m = find_metric(t, name)) < 0)
		return -1;
	s->i = (size_t)m;
	s->down = !reverse;
	return 0;
}

static struct value
row_value(const void *arg, uint32_t row, const struct sort *s)
{
	const struct table *t = arg;

	switch (s->what) {
	case SORT_CALLS:
		return table_calls(t, row);
	case SORT_SIZE:
		return table_size(t, row, s->i);
	case SORT_GROWTH:
		return table_growth(t, row);
	case SORT_CHANGE:
		return table_change(t, row);
	case SORT_SELF:
		return table_self(t, row, s->i);
	case SORT_INCL:
		return table_incl(t, row, s->i);
	default:
		return table_key(t, row, s->i);
	}
}

/* Names from the smallest up, whatever the direction of the rest, tell apart
 * what is equal. */
static void
set_order(struct table *t)
{
	const struct rank *r = t->r;
	enum group_by keys[TABLE_KEYS];
	const struct order order = { t->sort, t->nsort + table_keys(t->q, keys),
	    row_value, t };
	size_t i;

	for (i = 0; i + t->nsort < order.nsort; i++)
		t->sort[t->nsort + i] = (struct sort){ .what = SORT_KEY, .i = i };
	t->order = mem_alloc(r->rows.n + 1, sizeof *t->order);
	for (i = 0; i < r->rows.n; i++)
		t->order[i].of = (uint32_t)i;
	order_sort(&order, t->order, r->rows.n,
	    t->v->callers || t->v->callees || t->v->values || t->v->only ||
	    table_is_diff(t) ? r->rows.n :	/* not all of them are shown */
	    table_limit(t));
}

/* ---- growth ---- */

/* Those of a row as they came: floating point sums depend on it. */
static int
by_row(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : x[1] < y[1] ? -1 : x[1] > y[1];
}

/* Points as (row, point) in the order of rows. */
static uint64_t (*
sort_points(const struct rank *r))[2]
{
	uint64_t (*v)[2] = mem_alloc(r->points.n + 1, sizeof *v);
	size_t i;

	for (i = 0; i < r->points.n; i++) {
		v[i][0] = *sums_key(&r->points, i);
		v[i][1] = i;
	}
	qsort(v, r->points.n, sizeof *v, by_row);
	return v;
}

static struct growth_point
point_of(const struct rank *r, size_t point)
{
	const num *v = sums_val(&r->points, point);

	return (struct growth_point){ .size = (double)rank_point_size(r, point),
	    .cost = v[POINT_CALLS] ? (double)v[POINT_COST] / (double)v[POINT_CALLS] : 0,
	    .weight = (double)v[POINT_CALLS] };
}

static struct growth *
growth_of_rows(const struct rank *r)
{
	uint64_t (*sorted)[2] = sort_points(r);
	struct growth_point *p = mem_alloc(r->points.n + 1, sizeof *p);
	struct growth *g = mem_alloc(r->rows.n + 1, sizeof *g);
	size_t i, k = 0, n;

	for (i = 0; i < r->rows.n; i++) {
		for (n = 0; k < r->points.n && sorted[k][0] == i; k++)
			p[n++] = point_of(r, sorted[k][1]);
		growth_fit(p, n, &g[i]);
	}
	free(sorted);
	free(p);
	return g;
}

/* ---- the whole ---- */

static bool
self_known(const struct rank *r)
{
	size_t i;

	for (i = 0; i < r->rows.n && r->flags[i] & RANK_NO_SELF; i++)
		;
	return i < r->rows.n || !r->rows.n;
}

/* Parts are counted in the heading, also those without the first event that is shown. */
static void
tell_absent(const struct table *t)
{
	const struct terms *first = t->v->nshow ? t->metric[0].over : NULL;
	struct buf name = { 0 };
	uint64_t lack;

	if (!first || first->n != 1)	/* a formula may be of any */
		return;
	lack = t->h->parts - t->r->in_parts[first->v[0].slot];
	if (!lack)
		return;
	vis_add(&name, t->metric[0].name);
	diag_say(t->q->diag, DIAG_NOTE, "%" PRIu64 " of %" PRIu64 " parts %s no %s",
	    lack, t->h->parts, lack == 1 ? "has" : "have", buf_str(&name));
	buf_free(&name);
}

int
table_choose(struct table *t)
{
	size_t i;

	if (t->v->growth && !t->r->sizes)
		return diag_fail_plain(t->q->diag, "--growth: the profile has no "
		    "points (cost against input size), as aprof writes them");
	if (t->v->growth)
		t->growth = growth_of_rows(t->r);
	t->metric = mem_alloc(t->v->nshow + t->v->nsort + 1, sizeof *t->metric);
	t->sort = mem_alloc(t->v->nsort + 1 + TABLE_KEYS, sizeof *t->sort);
	for (i = 0; i < t->v->nshow; i++)
		if (add_metric(t, t->v->show[i]) < 0)
			return -1;
	for (i = 0; i < t->v->nsort; i++)
		if (add_sort(t, t->v->sort[i]) < 0)
			return -1;
	if (!t->nsort && table_is_diff(t))
		t->sort[t->nsort++] = (struct sort){ .what = SORT_CHANGE,
		    .down = !t->v->reverse };
	if (!t->nsort && t->nmetric)
		t->sort[t->nsort++] = (struct sort){ .what = t->growth ||
		    !self_known(t->r) ? SORT_INCL : SORT_SELF,
		    .down = !t->v->reverse };
	set_order(t);
	tell_absent(t);
	return 0;
}

void
table_free(struct table *t)
{
	size_t i;

	for (i = 0; i < t->nmetric; i++) {
		free(t->metric[i].over);
		free(t->metric[i].under);
	}
	free(t->metric);
	free(t->sort);
	free(t->order);
	free(t->growth);
}
