/* SPDX-License-Identifier: ISC */
/* Selects the rows that are shown: by minima, or those with blocks of calls. */
#include "view/calls.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/threshold.h"

#define MILLION 1000000

bool
view_min_get(struct text t, struct view_min *out)
{
	const char *more = last_byte(t.s, '>', t.n);	/* names may also have some */
	struct text number = t;
	struct threshold share;

	*out = (struct view_min){ 0 };
	if (more) {
		out->column = (struct text){ t.s, (size_t)(more - t.s) };
		number = (struct text){ more + 1, (size_t)(t.s + t.n - more - 1) };
		out->above = !number.n || *number.s != '=';
		number.s += !out->above;
		number.n -= !out->above;
	}
	while (number.n && *number.s == ' ')
		number.s++, number.n--;
	while (out->column.n && out->column.s[out->column.n - 1] == ' ')
		out->column.n--;
	if ((more && !out->column.n) || !threshold_get_share(number, &share))
		return false;
	out->n = share.n;
	out->percent = number.s[number.n - 1] == '%';
	return true;
}

/* Compares v, which is not ABSENT and has `per` to one unit, with the minimum. */
static int
compare(const struct view_min *m, struct value v, uint64_t per, num total)
{
	if (m->percent)
		return threshold_cmp(v.n, (struct threshold){ m->n, true }, total);
	if (v.kind == WHOLE)
		return threshold_cmp(v.n, threshold_of_parts((struct threshold){ m->n, false },
		    per), 0);
	return (v.ratio * MILLION > (double)m->n) - (v.ratio * MILLION < (double)m->n);
}

/* Is a row's value large enough?  A change counts by its size, up or down. */
static bool
is_enough(const struct table *t, const struct view_min *m, const struct sort *s,
    uint32_t row)
{
	const bool cost = s->what == SORT_SELF || s->what == SORT_INCL;
	const struct metric *metric = cost ? &t->metric[s->i] : NULL;
	struct value v = table_column(t, row, s);
	int c;

	if (v.kind == WHOLE && metric && metric->delta)
		v.n = table_magnitude(v.n);
	c = v.kind == ABSENT ? -1 : compare(m, v, metric ? metric->per : 1,
	    metric ? table_whole(t, metric) : 0);
	return m->above ? c > 0 : c >= 0;
}

/* Finds the column of a minimum; -1 with the diag set if it has no such numbers. */
static int
find_column(struct table *t, const struct view_min *m, struct sort *s)
{
	bool cost;

	if (m->column.s) {
		if (table_find_column(t, m->column, s) < 0)
			return -1;
	} else if (t->nsort) {
		*s = t->sort[0];
	} else {
		return diag_fail_plain(t->q->diag, "--min: the profile has no events");
	}
	if (s->what == SORT_CHANGE)
		*s = (struct sort){ .what = SORT_SELF };	/* also in columns of the
								 * first metric */
	cost = s->what == SORT_SELF || s->what == SORT_INCL;
	if (s->what == SORT_KEY || s->what == SORT_GROWTH)
		return diag_fail_plain(t->q->diag, "--min: expected a column of numbers");
	if (m->percent && (!cost || t->metric[s->i].ratio))
		return diag_fail_plain(t->q->diag, "--min: only costs have a share of a "
		    "total; give a number without %%");
	return 0;
}

static bool
is_kept(const struct table *t, const struct sort *column, uint32_t row)
{
	size_t i;

	if (t->v->callers || t->v->callees)
		return calls_wanted(t, row);
	for (i = 0; i < t->v->nmin && is_enough(t, &t->v->min[i], &column[i], row); i++)
		;
	return i == t->v->nmin;
}

int
table_keep(struct table *t)
{
	const uint32_t n = (uint32_t)t->r->rows.n;
	struct sort *column = mem_alloc(t->v->nmin + 1, sizeof *column);
	size_t i, last = n;
	uint32_t row;
	int ret = 0;

	t->order = mem_alloc(n + 1, sizeof *t->order);
	for (i = 0; i < t->v->nmin && ret == 0; i++)
		ret = find_column(t, &t->v->min[i], &column[i]);
	for (row = 0; row < n && ret == 0; row++)
		t->order[is_kept(t, column, row) ? t->kept++ : --last].of = row;
	free(column);
	return ret;
}
