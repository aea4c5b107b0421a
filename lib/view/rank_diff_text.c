/* SPDX-License-Identifier: ISC */
/* A difference as text: old, new, change, and the change in percent of the old cost. */
#include "view/rank_page.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- cells: a row's, or the total's, which has no inclusive cost ---- */

static const num *
inclusive(const struct costs *of)
{
	return of->t->r->incl + of->row * of->t->r->rows.nval;
}

static bool
knows_incl(const struct costs *of, size_t metric)
{
	return of->row != NO_ROW && of->t->r->incl_known &&
	    table_incl(of->t, of->row, metric).kind == WHOLE;
}

/* "from 0" and "to 0" stand for the self cost of a function whose inclusive cost was, or
 * is, not 0: it is neither new nor gone. */
void
change_self_share_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;
	const struct rank_delta *d = of->t->metric[metric].delta;
	const num *self = of->sums, *incl = knows_incl(of, metric) ? inclusive(of) : NULL;

	if (incl && !self[d->old] && self[d->new] && incl[d->old])
		buf_puts(&c->b, "from 0");
	else if (incl && self[d->old] && !self[d->new] && incl[d->new])
		buf_puts(&c->b, "to 0");
	else
		num_add_change(&c->b, self[d->old], self[d->change]);
}

/* Does the row lack an inclusive cost?  The cell then shows that. */
static bool
lacks_incl(struct cell *c, const struct costs *of, size_t metric)
{
	if (of->row == NO_ROW)
		return true;
	if (table_incl(of->t, of->row, metric).kind != ABSENT)
		return false;
	buf_putc(&c->b, '-');
	return true;
}

void
change_incl_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;
	const struct metric *m = &of->t->metric[metric];

	if (lacks_incl(c, of, metric))
		return;
	cell_add_mark(c, table_mark(of->t, of->row, metric));
	metric_add_change(&c->b, m, inclusive(of)[m->delta->change]);
}

void
change_incl_share_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;
	const struct rank_delta *d = of->t->metric[metric].delta;

	if (!lacks_incl(c, of, metric))
		num_add_change(&c->b, inclusive(of)[d->old], inclusive(of)[d->change]);
}

/* Sets the noise between runs in percent of the old cost: false if there is none. */
static bool
noise_of(const struct noise_row *n, num old, double *percent)
{
	if (!n || old <= 0 || n->mean[SIDE_OLD] <= 0)
		return false;
	*percent = 100 * n->spread / n->mean[SIDE_OLD];
	return true;
}

static void
add_noise(struct cell *c, bool known, double percent)
{
	if (known)
		buf_printf(&c->b, "%.1f", percent);
	else
		buf_putc(&c->b, '-');
}

bool
change_noise(const struct costs *of, size_t metric, double *percent)
{
	const struct rank_delta *d = of->t->metric[metric].delta;
	const struct significance_event *e = significance_find(of->t->v->significance, d);

	return noise_of(!e ? NULL : of->row == NO_ROW ? &e->total :
	    &e->row[SIGNIFICANCE_SELF][of->row], of->sums[d->old], percent);
}

void
change_noise_cell(struct cell *c, const void *row, size_t metric)
{
	double percent = 0;
	const bool known = change_noise(row, metric, &percent);

	add_noise(c, known, percent);
}

static void
incl_noise_cell(struct cell *c, const void *row, size_t metric)
{
	const struct costs *of = row;
	const struct rank_delta *d = of->t->metric[metric].delta;
	const struct significance_event *e = significance_find(of->t->v->significance, d);
	double percent = 0;
	bool known;

	if (lacks_incl(c, of, metric))
		return;
	known = noise_of(e ? &e->row[SIGNIFICANCE_INCLUSIVE][of->row] : NULL,
	    inclusive(of)[d->old], &percent);
	add_noise(c, known, percent);
}

#define NOISE "\xc2\xb1%"

static void
add_columns(struct text_table *tt, const struct table *t, bool incl)
{
	const bool noise = t->v->significance;
	size_t i;

	for (i = 0; i < t->v->nshow; i++) {
		if (!t->metric[i].change)
			continue;
		side_columns(tt, t, i, "self ");
		text_table_column(tt, "%", COLUMN_SHARE, change_self_share_cell, i);
		if (noise)
			text_table_column(tt, NOISE, COLUMN_NOISE, change_noise_cell, i);
		if (!incl)
			continue;
		text_table_column(tt, "inclusive", COLUMN_INCL, change_incl_cell, i);
		text_table_column(tt, "%", COLUMN_INCL_SHARE, change_incl_share_cell, i);
		if (noise)
			text_table_column(tt, NOISE, COLUMN_INCL_NOISE, incl_noise_cell, i);
	}
}

/* ---- rows ---- */

/* Has the row changed in an event that is shown? */
static bool
has_changed(const struct table *t, size_t row)
{
	size_t i;

	for (i = 0; i < t->v->nshow; i++) {
		const struct rank_delta *d = t->metric[i].delta;
		const struct value incl = table_incl(t, row, i);

		if (d && (sums_val(&t->r->rows, row)[d->change] ||
		    (incl.kind == WHOLE && incl.n)))
			return true;
	}
	return false;
}

/* May it have changed, although its numbers are equal? */
static bool
may_have_changed(const struct table *t, size_t row)
{
	size_t i;

	for (i = 0; i < t->v->nshow && t->r->incl_known; i++)
		if (t->metric[i].delta && table_bound(t, row, i))
			return true;
	return false;
}

/* Does the row have a significant change? */
static bool
stands_out(const struct table *t, size_t row)
{
	const struct significance *c = t->v->significance;
	const struct significance_event *e;
	bool any = !c;
	size_t i;
	int of;

	for (i = 0; i < t->v->nshow && !any; i++)
		if (t->metric[i].delta && (e = significance_find(c, t->metric[i].delta)))
			for (of = 0; of < SIGNIFICANCE_COSTS && e->row[of] && !any; of++)
				any = is_significant(c, &e->row[of][row],
				    NOISE_CHANGED, 1);
	return any;
}

size_t
page_changed_rows(const struct table *t, uint32_t *rows, struct changes *of)
{
	const bool *only = t->v->only;
	size_t i, n = 0;

	*of = (struct changes){ 0 };
	for (i = 0; i < t->r->rows.n; i++) {
		const uint32_t row = t->order[i].of;

		if (only ? !only[row] : !has_changed(t, row)) {
			of->maybe += !only && may_have_changed(t, row);
			continue;
		}
		if (!only && !stands_out(t, row)) {
			of->noise++;
			continue;
		}
		if (of->some++ < t->v->skip)
			continue;
		if (i < t->kept && (!t->v->most || n < t->v->most))
			rows[n++] = row;
	}
	return n;
}

/* Chooses the columns of names: the first one, and those that some row has. */
static void
choose_names(struct lines *l, const uint32_t *rows, size_t nrows)
{
	const struct rank *r = l->t->r;
	enum group_by keys[TABLE_KEYS];
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	bool has[TABLE_KEYS] = { true };
	size_t n = table_keys(l->t->q, keys), i, k;

	for (i = 0; i < nrows; i++) {
		table_key_texts(l->t->q, sums_key(&r->rows, rows[i]), t, tmp);
		for (k = 0; k < n; k++)
			has[k] |= t[k].s != NULL;
	}
	for (k = 0; k < n; k++)
		if (has[k]) {
			l->key[l->nkey] = keys[k];
			l->column[l->nkey++] = k;
		}
}

/* Do the totals of the events that are shown differ? */
static bool
total_changed(const struct table *t)
{
	size_t i;

	for (i = 0; i < t->v->nshow; i++)
		if (t->metric[i].delta && t->r->whole[t->metric[i].delta->change])
			return true;
	return false;
}

/* Does a row that is shown have an inclusive cost other than its self cost? */
static bool
incl_differs(const struct table *t, const uint32_t *rows, size_t n)
{
	const size_t nval = t->r->rows.nval;
	size_t i, k;

	for (i = 0; i < n; i++)
		for (k = 0; k < t->v->nshow; k++) {
			const struct rank_delta *d = t->metric[k].delta;
			const num *self = sums_val(&t->r->rows, rows[i]);
			const num *incl = t->r->incl + rows[i] * nval;

			if (d && (self[d->old] != incl[d->old] || self[d->new] != incl[d->new] ||
			    table_bound(t, rows[i], k)))
				return true;
		}
	return false;
}

/* Prints a number of rows that are left out, if it is not 0. */
static void
left_out_line(struct page *p, size_t n, const char *what)
{
	if (!n)
		return;
	buf_puts(&p->line, "\xe2\x80\xa6 ");
	num_add_grouped(&p->line, (num)n);
	page_put_line(p, what);
}

/* Prints the omissions, for the n rows that are shown. */
static void
left_out_lines(struct page *p, const struct changes *of, size_t n)
{
	left_out_line(p, of->some - n, " more");
	left_out_line(p, of->noise, !of->some ? " changed no more than run-to-run noise" :
	    of->noise == 1 ? " other changed no more than run-to-run noise" :
	    " others changed no more than run-to-run noise");
	if (of->some)
		left_out_line(p, of->maybe, " whose inclusive cost may have changed, which is not "
		    "known");
}

void
page_diff(struct page *p, const struct table *t)
{
	const struct costs total = { t, NO_ROW, t->r->whole };
	struct lines l = { .p = p, .t = t, .numbers.changes = true };
	uint32_t *rows = mem_alloc(t->r->rows.n + 1, sizeof *rows);
	struct changes of;
	struct costs row;
	size_t n = page_changed_rows(t, rows, &of), i;
	const bool incl = t->r->incl_known && (!p->width || incl_differs(t, rows, n));
	const char *name = of.some || of.noise || total_changed(t) ? "total" :
	    "total, no change";

	choose_names(&l, rows, n);
	page_heading(p, t);
	add_columns(&l.numbers, t, incl);
	l.longest = strlen(name);
	lines_measure(&l, &total);
	for (i = 0; i < n; i++) {
		row = costs_of_row(t, rows[i]);
		lines_measure(&l, &row);
	}
	lines_add_heads(&l);
	page_flush_trimmed(p);
	for (i = 0; i < n; i++) {
		row = costs_of_row(t, rows[i]);
		lines_add_row(&l, &row);
		page_item(p, rows[i]);
		page_flush_trimmed(p);
	}
	if (p->items)
		p->items->all = of.some;
	left_out_lines(p, &of, n + (t->v->skip < of.some ? t->v->skip : of.some));
	text_table_row(&l.numbers, p, &total);
	page_put_line(p, name);
	if (t->r->incl_known && !incl)
		page_put_line(p, "inclusive cost: self cost, in all these rows");
	page_mark_lines(p, t, l.numbers.marks);
	if (of.some)
		page_samples_change_line(p, t);
	free(rows);
	lines_free(&l);
}
