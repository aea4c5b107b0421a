/* SPDX-License-Identifier: ISC */
/* Blocks of the values that were seen at the sites of a function. */
#include "view/page.h"

#include <stdlib.h>

#include "util/json.h"
#include "util/mem.h"
#include "util/vis.h"

enum { COUNT, PERCENT, SITE, TYPE, NCELL };

/* Rows of one table by a row of another: lists, numbers + 1. */
struct index { uint32_t *first, *next; };

struct values_page {
	struct page *p;
	const struct vprofs *v;
	struct index sites, seen;	/* of a function, of a site */
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
text_at(const struct values_page *vp, const struct sums *t, size_t row, size_t key)
{
	return dict_text(vp->p->t->q->dict, (uint32_t)sums_key(t, row)[key]);
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
row_cells(const struct values_page *vp, size_t site, size_t seen, struct cells *c)
{
	struct value n = { .kind = WHOLE, .n = *sums_val(&vp->v->seen, seen) };
	struct buf b = { 0 };

	c->n = 0;
	page_add_value(&b, n, DIGITS_GROUPED);
	page_set_cell(c, &b);
	b.n = 0;
	page_add_percent(&b, n, *sums_val(&vp->v->sites, site));
	page_set_cell(c, &b);
	set_name(c, text_at(vp, &vp->v->sites, site, 1));
	set_name(c, text_at(vp, &vp->v->sites, site, 2));
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

/* Calls `row` for each value of the function's sites that is shown. */
static void
each_value(const struct values_page *vp, size_t func, void (*row)(
    const struct values_page *, size_t site, size_t seen, void *arg), void *arg)
{
	const uint64_t most = vp->p->t->v->most;
	uint64_t n;
	size_t i, k;

	for (i = vp->sites.first[func]; i; i = vp->sites.next[i - 1]) {
		k = vp->seen.first[i - 1];
		for (n = 0; k && (!most || n < most); n++, k = vp->seen.next[k - 1])
			row(vp, i - 1, k - 1, arg);
	}
}

#define VALUE 12		/* the least columns of a value */

static void
widen_row(const struct values_page *vp, size_t site, size_t seen, void *arg)
{
	struct numbers *l = arg;

	row_cells(vp, site, seen, &l->c);
	numbers_widen(l);
}

static void
put_row(const struct values_page *vp, size_t site, size_t seen, void *arg)
{
	const struct text value = text_at(vp, &vp->v->seen, seen, 1);
	struct numbers *l = arg;
	struct page *p = vp->p;

	row_cells(vp, site, seen, &l->c);
	numbers_add(p, l);
	vis_shortened(&p->line, value.s ? value : TEXT("???"), page_room(p, 1));
	page_flush(p);
}

static void
block_text(const struct values_page *vp, size_t func)
{
	struct numbers l;
	struct page *p = vp->p;

	block_title(p, sums_key(&vp->v->funcs, func)[0]);
	numbers_begin(&l, NCELL);
	head_cells(&l.c);
	each_value(vp, func, widen_row, &l);
	numbers_fit(&l, p->t->v->width, VALUE);
	head_cells(&l.c);
	numbers_add(p, &l);
	buf_puts(&p->line, "value");
	page_flush(p);
	each_value(vp, func, put_row, &l);
	page_flush(p);
	numbers_free(&l);
}

/* ---- for programs ---- */

static const char *const column[] = { "site", "type", "count", "value" };

static void
put_tsv(const struct values_page *vp, size_t site, size_t seen, void *arg)
{
	const uint64_t *func = arg;
	struct page *p = vp->p;
	enum group_by keys[TABLE_KEYS];
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(p->t->q, keys);

	table_key_texts(p->t->q, func, t, tmp);
	t[n++] = text_at(vp, &vp->v->sites, site, 1);
	t[n++] = text_at(vp, &vp->v->sites, site, 2);
	for (i = 0; i < n; i++) {
		field_escape(&p->line, t[i]);
		buf_putc(&p->line, '\t');
	}
	page_add_value(&p->line, (struct value){ .kind = WHOLE,
	    .n = *sums_val(&vp->v->seen, seen) }, DIGITS_PLAIN);
	buf_putc(&p->line, '\t');
	field_escape(&p->line, text_at(vp, &vp->v->seen, seen, 1));
	page_flush(p);
}

static void
put_json(const struct values_page *vp, size_t site, size_t seen, void *arg)
{
	const uint64_t *func = arg;
	struct page *p = vp->p;
	enum group_by keys[TABLE_KEYS];
	struct text t[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = table_keys(p->t->q, keys);

	table_key_texts(p->t->q, func, t, tmp);
	buf_putc(&p->line, '{');
	for (i = 0; i < n; i++) {
		page_json_member(&p->line, text_of(group_by_name[keys[i]]), "");
		json_string(&p->line, t[i]);
	}
	for (i = 0; i < sizeof column / sizeof *column; i++) {
		page_json_member(&p->line, text_of(column[i]), "");
		if (i < 2)
			json_string(&p->line, text_at(vp, &vp->v->sites, site, i + 1));
		else if (i == 2)
			json_num(&p->line, *sums_val(&vp->v->seen, seen));
		else
			json_string(&p->line, text_at(vp, &vp->v->seen, seen, 1));
	}
	buf_putc(&p->line, '}');
	page_flush(p);
}

static void
put_head(struct page *p)
{
	enum group_by keys[TABLE_KEYS];
	size_t i, n = table_keys(p->t->q, keys);

	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s\t", group_by_name[keys[i]]);
	for (i = 0; i < sizeof column / sizeof *column; i++)
		buf_printf(&p->line, "%s%s", i ? "\t" : "", column[i]);
	page_flush(p);
}

/* ---- blocks ---- */

static void
put_block(const struct values_page *vp, size_t func)
{
	uint64_t key = sums_key(&vp->v->funcs, func)[0];

	if (vp->p->t->v->form == VIEW_TEXT)
		block_text(vp, func);
	else
		each_value(vp, func, vp->p->t->v->form == VIEW_TSV ? put_tsv : put_json,
		    &key);
}

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

	if (t->v->form == VIEW_TSV)
		put_head(p);
	sums_init(&ranked, 1, 0);
	for (i = 0; i < t->r->rows.n; i++)
		sums_row(&ranked, sums_key(&t->r->rows, i));
	for (i = 0; i < funcs->n; i++)
		row[sums_row(&ranked, sums_key(funcs, i))] = (uint32_t)i + 1;
	for (i = 0; i < ranked.n; i++) {
		of = i < t->r->rows.n ? t->order[i].of : i;
		if (row[of])
			put_block(&vp, row[of] - 1);
	}
	sums_free(&ranked);
	free(row);
	free(vp.sites.first);
	free(vp.sites.next);
	free(vp.seen.first);
	free(vp.seen.next);
}
