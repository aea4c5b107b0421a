/* SPDX-License-Identifier: ISC */
/* A difference: old, new, change, and the change in percent of the old cost. */
#include "view/page.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"

/* Old, new, change, percent, noise: the cells of each metric, and the change of inclusive
 * cost with its percentage and noise. */
enum { OLD, NEW, CHANGE, PERCENT, NOISE, INCL, INCL_PERCENT, INCL_NOISE, CELLS };

#define TOTAL SIZE_MAX		/* instead of a row */

static void
add_change(struct buf *b, const struct metric *m, num change)
{
	buf_puts(b, change > 0 ? "+" : "");
	page_add_shown(b, m, (struct value){ .kind = WHOLE, .n = change });
}

static void
set_change(struct cells *c, const struct metric *m, num change)
{
	struct buf b = { 0 };

	add_change(&b, m, change);
	page_set_cell(c, &b);
	buf_free(&b);
}

static void
set_inclusive(struct page *p, struct cells *c, size_t row, size_t metric, num change)
{
	struct buf b = { 0 };

	page_add_mark(p, c, &b, table_mark(p->t, row, metric));
	add_change(&b, &p->t->metric[metric], change);
	page_set_cell(c, &b);
	buf_free(&b);
}

static void
add_share(struct cells *c, num old, num change)
{
	struct buf b = { 0 };

	num_add_change(&b, old, change);
	page_set_cell(c, &b);
	buf_free(&b);
}

/* The self cost of a function whose inclusive cost was, or is, something: that is neither new
 * nor gone. */
static void
add_self_share(const struct page *p, struct cells *c, const num *self, size_t row, size_t metric)
{
	const struct rank_delta *d = p->t->metric[metric].delta;
	const struct rank *r = p->t->r;
	const num *incl = row != TOTAL && r->incl_known &&
	    table_incl(p->t, row, metric).kind == WHOLE ? r->incl + row * r->rows.nval : NULL;

	if (incl && !self[d->old] && self[d->new] && incl[d->old])
		strcpy(c->s[c->n++], "from 0");
	else if (incl && self[d->old] && !self[d->new] && incl[d->new])
		strcpy(c->s[c->n++], "to 0");
	else
		add_share(c, self[d->old], self[d->change]);
}

static void
add_cost(struct cells *c, const struct metric *m, num cost)
{
	struct buf b = { 0 };

	page_add_shown(&b, m, (struct value){ .kind = WHOLE, .n = cost });
	page_set_cell(c, &b);
	buf_free(&b);
}

static bool
add_sides(struct cells *c, const struct metric *m, const num *sums)
{
	const struct rank_delta *d = m->delta;

	if (d) {
		add_cost(c, m, sums[d->old]);
		add_cost(c, m, sums[d->new]);
		set_change(c, m, sums[d->change]);
	}
	return d != NULL;
}

bool
page_change_cells(struct cells *c, const struct metric *m, const num *sums)
{
	if (!add_sides(c, m, sums))
		return false;
	add_share(c, sums[m->delta->old], sums[m->delta->change]);
	return true;
}

bool
page_change_heads(struct cells *c, const struct metric *m, size_t event, const char *of)
{
	struct buf b = { 0 };

	if (m->delta) {
		buf_printf(&b, "old %s", of);
		page_add_name(&b, m);
		cells_head(c, buf_str(&b), COLUMN_SIDE, event);
		cells_head(c, "new", COLUMN_SIDE, event);
		cells_head(c, "change", COLUMN_COST, event);
		cells_head(c, "%", COLUMN_SHARE, event);
	}
	buf_free(&b);
	return m->delta != NULL;
}

/* What runs differ by, as a percentage of the old cost, if there is one. */
static void
add_noise(struct page *p, struct cells *c, const struct metric *m, enum contrast_of of,
    size_t row, num old)
{
	const struct contrast *contrast = p->t->v->contrast;
	const struct contrast_event *e = contrast ? contrast_find(contrast, m->delta) : NULL;
	const struct noise_row *n = !e ? NULL : row == TOTAL ? &e->total : &e->row[of][row];

	if (!contrast)
		return;
	if (n && old > 0 && n->mean[NOISE_OLD] > 0)
		snprintf(c->s[c->n++], CELL, "%.1f", 100 * n->spread / n->mean[NOISE_OLD]);
	else
		strcpy(c->s[c->n++], "-");
}

static void
add_noise_head(const struct page *p, struct cells *c, enum column_kind kind, size_t event)
{
	if (p->t->v->contrast)
		cells_head(c, "\xc2\xb1%", kind, event);
}

/* The cells of a row, or of the total, which has no inclusive cost. */
static void
fill(struct page *p, struct cells *c, size_t row)
{
	const struct table *t = p->t;
	const num *self = row == TOTAL ? t->r->total : sums_val(&t->r->rows, row);
	const num *incl = row == TOTAL ? NULL : t->r->incl + row * t->r->rows.nval;
	size_t i;

	c->n = 0;
	for (i = 0; i < t->v->nshow; i++) {
		const struct metric *m = &t->metric[i];
		const struct rank_delta *d = m->delta;

		if (!add_sides(c, m, self))
			continue;
		add_self_share(p, c, self, row, i);
		add_noise(p, c, m, CONTRAST_SELF, row, self[d->old]);
		if (!p->incl)
			continue;
		if (incl && table_incl(t, row, i).kind == ABSENT) {
			strcpy(c->s[c->n++], "-");
			strcpy(c->s[c->n++], "-");
		} else if (incl) {
			set_inclusive(p, c, row, i, incl[d->change]);
			add_share(c, incl[d->old], incl[d->change]);
			add_noise(p, c, m, CONTRAST_INCLUSIVE, row, incl[d->old]);
			continue;
		} else {
			strcpy(c->s[c->n++], "");
			strcpy(c->s[c->n++], "");
		}
		if (t->v->contrast)
			strcpy(c->s[c->n++], incl ? "-" : "");
	}
}

static void
head_cells(struct page *p, struct cells *c)
{
	const struct table *t = p->t;
	size_t i;

	c->n = 0;
	for (i = 0; i < t->v->nshow; i++) {
		if (!page_change_heads(c, &t->metric[i], i, "self "))
			continue;
		add_noise_head(p, c, COLUMN_NOISE, i);
		if (!p->incl)
			continue;
		cells_head(c, "inclusive", COLUMN_INCL, i);
		cells_head(c, "%", COLUMN_INCL_SHARE, i);
		add_noise_head(p, c, COLUMN_INCL_NOISE, i);
	}
}

/* Has the row changed in an event that is shown? */
static bool
has_changed(const struct page *p, size_t row)
{
	const struct table *t = p->t;
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

/* May it have changed, though the numbers do not say so? */
static bool
may_have_changed(const struct page *p, size_t row)
{
	const struct table *t = p->t;
	size_t i;

	for (i = 0; i < t->v->nshow && t->r->incl_known; i++)
		if (t->metric[i].delta && table_bound(t, row, i))
			return true;
	return false;
}

/* Does a change of the row stand out of the noise? */
static bool
stands_out(const struct page *p, size_t row)
{
	const struct contrast *c = p->t->v->contrast;
	const struct contrast_event *e;
	bool any = !c;
	size_t i;
	int of;

	for (i = 0; i < p->t->v->nshow && !any; i++)
		if (p->t->metric[i].delta && (e = contrast_find(c, p->t->metric[i].delta)))
			for (of = 0; of < CONTRAST_COSTS && e->row[of] && !any; of++)
				any = contrast_stands_out(c, &e->row[of][row],
				    NOISE_CHANGED, 1);
	return any;
}

/* How many rows have changed, and stand out; how many others have changed; how many of
 * those that have not may have. */
struct changes {
	size_t some, noise, maybe;
};

/* The rows that are shown, in order: their number. */
static size_t
choose_rows(const struct page *p, uint32_t *rows, struct changes *of)
{
	const struct table *t = p->t;
	const bool *only = t->v->only;
	size_t i, n = 0;

	*of = (struct changes){ 0 };
	for (i = 0; i < t->r->rows.n; i++) {
		const uint32_t row = t->order[i].of;

		if (only ? !only[row] : !has_changed(p, row)) {
			of->maybe += !only && may_have_changed(p, row);
			continue;
		}
		if (!only && !stands_out(p, row)) {
			of->noise++;
			continue;
		}
		of->some++;
		if (i < t->kept && (!t->v->most || n < t->v->most))
			rows[n++] = row;
	}
	return n;
}

/* Ends a line, without the blanks of empty last cells. */
static void
end_line(struct page *p)
{
	while (p->line.n && p->line.s[p->line.n - 1] == ' ')
		p->line.n--;
	page_flush(p);
}

/* The columns of names: the first one, and those that a row has. */
static void
choose_names(struct lines *l, const uint32_t *rows, size_t nrows)
{
	const struct rank *r = l->p->t->r;
	enum group_by keys[TABLE_KEYS];
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	bool has[TABLE_KEYS] = { true };
	size_t n = table_keys(l->p->t->q, keys), i, k;

	for (i = 0; i < nrows; i++) {
		table_key_texts(l->p->t->q, sums_key(&r->rows, rows[i]), t, tmp);
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
total_changed(const struct page *p)
{
	const struct table *t = p->t;
	size_t i;

	for (i = 0; i < t->v->nshow; i++)
		if (t->metric[i].delta && t->r->total[t->metric[i].delta->change])
			return true;
	return false;
}

/* Does a row that is shown have an inclusive cost other than its self cost? */
static bool
says_more(const struct page *p, const uint32_t *rows, size_t n)
{
	const struct table *t = p->t;
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

/* What is left out of the n rows that are shown. */
static void
left_out_lines(struct page *p, const struct changes *of, size_t n)
{
	if (n < of->some) {
		buf_printf(&p->line, "\xe2\x80\xa6 %zu more", of->some - n);
		page_flush(p);
	}
	if (of->noise) {
		buf_printf(&p->line, "\xe2\x80\xa6 %zu%s changed no more than runs differ",
		    of->noise, of->some ? " others" : "");
		page_flush(p);
	}
	if (of->maybe && of->some) {
		buf_printf(&p->line, "\xe2\x80\xa6 %zu of whose inclusive cost it is not known "
		    "whether it has changed", of->maybe);
		page_flush(p);
	}
}

void
page_diff(struct page *p)
{
	const struct table *t = p->t;
	struct lines l = { .p = p, .heads = head_cells, .fill = fill };
	uint32_t *rows = mem_alloc(t->r->rows.n + 1, sizeof *rows);
	struct changes of;
	size_t n = choose_rows(p, rows, &of), i;
	const char *total;

	p->incl = t->r->incl_known && (!t->v->width || says_more(p, rows, n));
	choose_names(&l, rows, n);
	page_heading(p);
	total = of.some || of.noise || total_changed(p) ? "total" : "total, no change";
	lines_begin(&l, CELLS * t->v->nshow + 1);
	l.longest = strlen(total);
	lines_widen(&l, TOTAL);
	for (i = 0; i < n; i++)
		lines_widen(&l, rows[i]);
	lines_add_heads(&l);
	end_line(p);
	for (i = 0; i < n; i++) {
		lines_add_row(&l, rows[i]);
		end_line(p);
	}
	left_out_lines(p, &of, n);
	lines_add_cells(&l, TOTAL);
	buf_puts(&p->line, total);
	page_flush(p);
	if (t->r->incl_known && !p->incl) {
		buf_puts(&p->line, "inclusive cost: self cost, in all these rows");
		page_flush(p);
	}
	page_mark_lines(p);
	if (of.some)
		page_samples_change_line(p);
	free(rows);
	lines_free(&l);
}
