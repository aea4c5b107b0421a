/* SPDX-License-Identifier: ISC */
/* Blocks of the values seen at the sites of a function. */
#include "view/rank_page.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/printable.h"
#include "util/system.h"

/* The columns of a site's key, and of a value's. */
enum { FUNC, SITE, TYPE };
enum { AT_SITE, SEEN };

/* The rows of one table by a row of another, as lists of numbers + 1. */
struct index { uint32_t *first, *next; };

struct values_page {
	struct page *p;
	const struct table *t;
	const struct value_profiles *v;
	struct index sites, seen;	/* of a function, of a site */
	struct data_table rows;	/* for TSV and JSON */
};

/* A value that was seen at a site. */
struct value_row {
	struct named_row func;	/* for TSV and JSON */
	const struct values_page *vp;
	size_t site, seen;	/* numbers + 1; 0: before the first */
	uint64_t n;		/* number of the site's values before it */
};

/* Sorts the largest sum first; of equal ones, the first that was met. */
static int
by_sum(const void *a, const void *b, void *arg)
{
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct sums *const *const t = arg;
	const num x = *sums_val(*t, i), y = *sums_val(*t, k);

	return x != y ? (x > y ? -1 : 1) : i < k ? -1 : i > k;
}

/* by: the order of each list; NULL: that in which the rows were met. */
static struct index
make_index(const struct sums *t, size_t n, int (*by)(const void *, const void *, void *))
{
	struct index x = { mem_alloc(n + 1, sizeof *x.first),
	    mem_alloc(t->n + 1, sizeof *x.next) };
	uint32_t *order = mem_alloc(t->n + 1, sizeof *order);
	size_t i;

	for (i = 0; i < t->n; i++)
		order[i] = (uint32_t)i;
	if (by)
		system_sort(order, t->n, sizeof *order, by, &t);
	for (i = t->n; i-- > 0; ) {
		uint64_t of = sums_key(t, order[i])[0];

		x.next[order[i]] = x.first[of];
		x.first[of] = order[i] + 1;
	}
	free(order);
	return x;
}

/* ---- columns ---- */

static struct value
site_text(const void *row, size_t key)
{
	const struct value_row *r = row;

	return value_of_text(dict_text(r->vp->t->q->dict,
	    (uint32_t)sums_key(&r->vp->v->sites, r->site - 1)[key]));
}

static struct value
value_count(const void *row, size_t i)
{
	const struct value_row *r = row;

	(void)i;
	return (struct value){ .kind = WHOLE, .n = *sums_val(&r->vp->v->seen, r->seen - 1) };
}

static struct value
seen_text(const void *row, size_t key)
{
	const struct value_row *r = row;

	return value_of_text(dict_text(r->vp->t->q->dict,
	    (uint32_t)sums_key(&r->vp->v->seen, r->seen - 1)[key]));
}

/* ---- rows ---- */

/* Goes to the next value of the function's sites that is shown; at each site the most
 * frequent ones. */
static bool
value_next(struct value_row *r, size_t func)
{
	const struct values_page *vp = r->vp;
	const uint64_t most = vp->t->v->most;

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

/* ---- text ---- */

static void
share_cell(struct cell *c, const void *row, size_t i)
{
	const struct value_row *r = row;

	(void)i;
	value_add_share(&c->b, value_count(r, 0), *sums_val(&r->vp->v->sites, r->site - 1));
}

static void
block_title(const struct values_page *vp, uint64_t func)
{
	const struct table *t = vp->t;
	struct page *p = vp->p;
	static const char title[] = "values of ";
	enum group_by keys[TABLE_KEYS];
	struct text name[TABLE_KEYS];
	char tmp[NUM_TEXT];
	size_t i, n = 1, all = table_keys(t->q, keys);

	table_key_texts(t->q, &func, name, tmp);
	for (i = 1; i < all; i++)	/* an unknown file or object is left out */
		if (name[i].s) {
			keys[n] = keys[i];
			name[n++] = name[i];
		}
	page_bold(p, true);
	buf_puts(&p->line, title);
	names_put(p, t->q, (struct names){ 0 }, name, keys, n, page_room(p, 1));
	page_bold(p, false);
	page_flush(p);
}

/* Prints "... 2 more, 17.43 %" below the last value of a site that is shown, if it has more. */
static void
rest_text(const struct values_page *vp, const struct value_row *last)
{
	struct buf *line = &vp->p->line;
	struct value sum = { .kind = WHOLE };
	num n = 0;
	uint32_t i;

	for (i = vp->seen.next[last->seen - 1]; i; i = vp->seen.next[i - 1]) {
		if (num_add(&sum.n, *sums_val(&vp->v->seen, i - 1)) < 0)
			sum.kind = ABSENT;
		n++;
	}
	if (!n)
		return;
	buf_puts(line, "\xe2\x80\xa6 ");
	num_add_grouped(line, n);
	buf_puts(line, " more, ");
	value_add_share(line, sum, *sums_val(&vp->v->sites, last->site - 1));
	buf_puts(line, " %");
	page_flush(vp->p);
}

#define VALUE 12		/* the fewest columns of a value */

static void
block_text(struct values_page *vp, size_t func)
{
	struct text_table tt = { 0 };
	struct page *p = vp->p;
	struct value_row row = { .vp = vp };
	struct text value;

	block_title(vp, sums_key(&vp->v->funcs, func)[0]);
	text_table_values(&tt, "count", COLUMN_COST, value_count, 0);
	text_table_column(&tt, "%", COLUMN_SHARE, share_cell, 0);
	text_table_values(&tt, "site", COLUMN_SIDE, site_text, SITE);
	text_table_values(&tt, "type", COLUMN_SIZES, site_text, TYPE);
	while (value_next(&row, func))
		text_table_measure(&tt, &row);
	text_table_fit(&tt, p->width, VALUE);
	text_table_heads(&tt, p);
	page_put_line(p, "value");
	row = (struct value_row){ .vp = vp };
	while (value_next(&row, func)) {
		text_table_row(&tt, p, &row);
		value = seen_text(&row, SEEN).name;
		printable_shortened(&p->line, value.s ? value : TEXT("???"), page_room(p, 1));
		page_flush(p);
		if (row.n + 1 == vp->t->v->most)
			rest_text(vp, &row);
	}
	page_flush(p);
	text_table_free(&tt);
}

/* ---- TSV and JSON ---- */

static void
rows_begin(struct values_page *vp)
{
	const struct table *t = vp->t;
	struct data_table *d = &vp->rows;

	data_table_init(d, vp->p->out, t->v->form);
	data_name_columns(d, t->q, "", named_row_name);
	data_table_column(d, TEXT("site"), "", site_text, SITE);
	data_table_column(d, TEXT("type"), "", site_text, TYPE);
	data_table_column(d, TEXT("count"), "", value_count, 0);
	data_table_column(d, TEXT("value"), "", seen_text, SEEN);
	data_table_head(d, t->q->diag);
}

static void
block_rows(struct values_page *vp, size_t func)
{
	struct value_row row = { .vp = vp, .func.of.t = vp->t };

	named_row_read(&row.func, sums_key(&vp->v->funcs, func));
	while (value_next(&row, func))
		data_table_row(&vp->rows, &row);
}

/* ---- blocks ---- */

bool
page_no_values(const struct table *t)
{
	if (!t->v->values->seen.n)
		diag_fail_plain(t->q->diag, "--values: the profile has no value "
		    "profiles");
	return !t->v->values->seen.n;
}

/* Prints functions in the order of the ranking, then those that it lacks. */
void
page_values(struct page *p, const struct table *t)
{
	const struct sums *funcs = &t->v->values->funcs;
	struct values_page vp = { .p = p, .t = t, .v = t->v->values,
	    .sites = make_index(&t->v->values->sites, funcs->n, NULL),
	    .seen = make_index(&t->v->values->seen, t->v->values->sites.n, by_sum) };
	uint32_t *row = mem_alloc(funcs->n + t->r->rows.n + 1, sizeof *row);
	struct sums ranked;
	size_t i, of;

	if (t->v->form == VIEW_TEXT)
		page_heading(p, t);
	else
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
