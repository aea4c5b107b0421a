/* SPDX-License-Identifier: ISC */
/* Blocks of the values that were seen at the sites of a function. */
#include "view/page.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/vis.h"

enum { COUNT, PERCENT, SITE_CELL, TYPE_CELL, NCELL };

enum { FUNC, SITE, TYPE };	/* the columns of a site's key */

/* Rows of one table by a row of another: lists, numbers + 1. */
struct index { uint32_t *first, *next; };

struct values_page {
	struct page *p;
	const struct vprofs *v;
	struct index sites, seen;	/* of a function, of a site */
	struct data_table rows;	/* for programs */
};

/* A value that was seen at a site. */
struct value_row {
	const struct values_page *vp;
	struct named_row func;	/* for programs */
	size_t site, seen;	/* numbers + 1; 0: before the first */
	uint64_t n;		/* of the site, before it */
};

static struct index
make_index(const struct sums *t, size_t n)
{
	struct index x = { mem_alloc(n + 1, sizeof *x.first),
	    mem_alloc(t->n + 1, sizeof *x.next) };
	size_t i;

	for (i = t->n; i-- > 0; ) {
		uint64_t of = sums_key(t, i)[0];

		x.next[i] = x.first[of];
		x.first[of] = (uint32_t)i + 1;
	}
	return x;
}

static struct text
site_text(const struct value_row *r, size_t key)
{
	return dict_text(r->vp->p->t->q->dict,
	    (uint32_t)sums_key(&r->vp->v->sites, r->site - 1)[key]);
}

static struct text
seen_text(const struct value_row *r)
{
	return dict_text(r->vp->p->t->q->dict,
	    (uint32_t)sums_key(&r->vp->v->seen, r->seen - 1)[1]);
}

static struct value
value_count(const struct value_row *r)
{
	return (struct value){ .kind = WHOLE, .n = *sums_val(&r->vp->v->seen, r->seen - 1) };
}

/* The next value of the function's sites that is shown, at each the most frequent ones. */
static bool
value_next(struct value_row *r, size_t func)
{
	const struct values_page *vp = r->vp;
	const uint64_t most = vp->p->t->v->most;

	if (r->seen) {
		r->seen = vp->seen.next[r->seen - 1];
		r->n++;
	}
	while (!r->seen || (most && r->n >= most)) {
		r->site = r->site ? vp->sites.next[r->site - 1] : vp->sites.first[func];
		if (!r->site)
			return false;
		r->seen = vp->seen.first[r->site - 1];
		r->n = 0;
	}
	return true;
}

/* ---- for people ---- */

static void
set_name(struct cells *c, struct text t)
{
	struct buf b = { 0 };

	buf_room(&b, 1);	/* an empty one is somewhere, too */
	vis_add(&b, t.s ? t : TEXT("???"));
	page_set_cell(c, &b);
	buf_free(&b);
}

static void
row_cells(const struct value_row *r, struct cells *c)
{
	const struct value n = value_count(r);
	struct buf b = { 0 };

	c->n = 0;
	page_add_value(&b, n, DIGITS_GROUPED);
	page_set_cell(c, &b);
	b.n = 0;
	page_add_percent(&b, n, *sums_val(&r->vp->v->sites, r->site - 1));
	page_set_cell(c, &b);
	set_name(c, site_text(r, SITE));
	set_name(c, site_text(r, TYPE));
	buf_free(&b);
}

static void
head_cells(struct cells *c)
{
	c->n = 0;
	cells_head(c, "count", COLUMN_COST, 0);
	cells_head(c, "%", COLUMN_SHARE, 0);
	cells_head(c, "site", COLUMN_SIDE, 0);
	cells_head(c, "type", COLUMN_SIZES, 0);
}

static void
block_title(struct page *p, uint64_t func)
{
	const struct table *t = p->t;
	static const char title[] = "values of ";
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = 1, all = table_keys(t->q, keys);

	table_key_texts(t->q, &func, name, tmp);
	for (i = 1; i < all; i++)	/* not an unknown file or object */
		if (name[i].s) {
			keys[n] = keys[i];
			name[n++] = name[i];
		}
	page_bold(p, true);
	buf_puts(&p->line, title);
	page_names(p, name, keys, n, page_room(p, 1));
	page_bold(p, false);
	page_flush(p);
}

#define VALUE 12		/* the least columns of a value */

static void
put_row(const struct value_row *r, struct numbers *l)
{
	const struct text value = seen_text(r);
	struct page *p = r->vp->p;

	row_cells(r, &l->c);
	numbers_add(p, l);
	vis_shortened(&p->line, value.s ? value : TEXT("???"), page_room(p, 1));
	page_flush(p);
}

static void
block_text(struct values_page *vp, size_t func)
{
	struct numbers l;
	struct page *p = vp->p;
	struct value_row row = { .vp = vp };

	block_title(p, sums_key(&vp->v->funcs, func)[0]);
	numbers_begin(&l, NCELL);
	head_cells(&l.c);
	while (value_next(&row, func)) {
		row_cells(&row, &l.c);
		numbers_widen(&l);
	}
	numbers_fit(&l, p->t->v->width, VALUE);
	head_cells(&l.c);
	numbers_add(p, &l);
	buf_puts(&p->line, "value");
	page_flush(p);
	row = (struct value_row){ .vp = vp };
	while (value_next(&row, func))
		put_row(&row, &l);
	page_flush(p);
	numbers_free(&l);
}

/* ---- for programs ---- */

static struct value
func_name(const void *row, size_t i)
{
	return named_row_value(&((const struct value_row *)row)->func, i);
}

static struct value
site_value(const void *row, size_t key)
{
	return value_of_text(site_text(row, key));
}

static struct value
count_value(const void *row, size_t i)
{
	(void)i;
	return value_count(row);
}

static struct value
seen_value(const void *row, size_t i)
{
	(void)i;
	return value_of_text(seen_text(row));
}

static void
rows_begin(struct values_page *vp)
{
	const struct table *t = vp->p->t;
	struct data_table *d = &vp->rows;

	data_table_init(d, vp->p->out, t->v->form);
	data_name_columns(d, t->q, "", func_name);
	data_table_column(d, TEXT("site"), "", site_value, SITE);
	data_table_column(d, TEXT("type"), "", site_value, TYPE);
	data_table_column(d, TEXT("count"), "", count_value, 0);
	data_table_column(d, TEXT("value"), "", seen_value, 0);
	data_table_head(d);
}

static void
block_rows(struct values_page *vp, size_t func)
{
	struct value_row row = { .vp = vp, .func.t = vp->p->t };

	named_row_read(&row.func, sums_key(&vp->v->funcs, func));
	while (value_next(&row, func))
		data_table_row(&vp->rows, &row);
}

/* ---- blocks ---- */

bool
page_no_values(struct page *p)
{
	const struct table *t = p->t;

	if (!t->v->values->seen.n)
		diag_fail_plain(t->q->diag, "--values: the profile has no value "
		    "profiles");
	return !t->v->values->seen.n;
}

/* The functions as the ranking has them, then those that it has not. */
void
page_values(struct page *p)
{
	const struct table *t = p->t;
	const struct sums *funcs = &t->v->values->funcs;
	struct values_page vp = { .p = p, .v = t->v->values,
	    .sites = make_index(&t->v->values->sites, funcs->n),
	    .seen = make_index(&t->v->values->seen, t->v->values->sites.n) };
	uint32_t *row = mem_alloc(funcs->n + t->r->rows.n + 1, sizeof *row);
	struct sums ranked;
	size_t i, of;

	if (t->v->form != VIEW_TEXT)
		rows_begin(&vp);
	sums_init(&ranked, 1, 0);
	for (i = 0; i < t->r->rows.n; i++)
		sums_row(&ranked, sums_key(&t->r->rows, i));
	for (i = 0; i < funcs->n; i++)
		row[sums_row(&ranked, sums_key(funcs, i))] = (uint32_t)i + 1;
	for (i = 0; i < ranked.n; i++) {
		of = i < t->r->rows.n ? t->order[i].of : i;
		if (row[of])
			(t->v->form == VIEW_TEXT ? block_text : block_rows)(&vp, row[of] - 1);
	}
	sums_free(&ranked);
	free(row);
	free(vp.sites.first);
	free(vp.sites.next);
	free(vp.seen.first);
	free(vp.seen.next);
	data_table_free(&vp.rows);
}
