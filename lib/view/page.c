/* SPDX-License-Identifier: ISC */
#include "page.h"

#include <stdlib.h>

#include "mem.h"

/* ---- values ---- */

static int
combine(const struct rank *r, const num *coef, const num *sums, num *out)
{
	size_t i;
	num x;

	*out = 0;
	for (i = 0; i < r->nslots; i++)
		if (coef[i] && (num_mul(coef[i], sums[i], &x) < 0 ||
		    num_add(out, x) < 0))
			return -1;
	return 0;
}

struct value
page_value(const struct rank *r, const struct metric *m, const num *sums)
{
	struct value v = { .kind = ABSENT };
	num under;

	if (combine(r, m->over, sums, &v.n) < 0)
		return v;
	v.kind = WHOLE;
	if (m->under) {
		v.kind = combine(r, m->under, sums, &under) < 0 || under == 0 ?
		    ABSENT : RATIO;
		v.ratio = v.kind == RATIO ? (double)v.n / (double)under : 0;
	}
	return v;
}

struct value
page_self(const struct page *p, size_t row, size_t metric)
{
	return page_value(p->r, &p->metric[metric], table_val(&p->r->rows, row));
}

/* Inclusive cost over all cost is none: a filter has taken away what would
 * show a cycle.  Where costs are negative there is no such bound. */
static bool
bounded(const struct page *p, const struct metric *m, num *most)
{
	size_t i;

	for (i = 0; i < p->r->nslots; i++)
		if (m->over[i] < 0 || (m->over[i] && p->r->most[i] == NUM_MAX))
			return false;
	return !m->under && combine(p->r, m->over, p->r->most, most) == 0;
}

struct value
page_incl(const struct page *p, size_t row, size_t metric)
{
	const struct metric *m = &p->metric[metric];
	struct value v = { .kind = ABSENT };

	if (p->r->calls_known && !(p->r->flags[row] & GRAPH_MIXED))
		v = page_value(p->r, m, p->r->incl + row * p->r->rows.nval);
	if (v.kind == WHOLE && m->bounded && v.n > m->most)
		v.kind = ABSENT;
	return v;
}

void
page_add_value(struct buf *b, struct value v, bool grouped)
{
	char tmp[NUM_TEXT];

	if (v.kind == ABSENT)
		buf_putc(b, '-');
	else if (v.kind == RATIO)
		buf_printf(b, "%.6g", v.ratio);
	else
		buf_add(b, tmp, (size_t)((grouped ? num_put_grouped(tmp, v.n) :
		    num_put_num(tmp, v.n)) - tmp));
}

struct value
page_calls(const struct page *p, size_t row)
{
	return (struct value){ p->r->calls_known && !p->r->fine ? WHOLE : ABSENT,
	    p->r->calls[row], 0 };
}

/* ---- keys ---- */

bool
page_by(const struct rank *r, enum by by)
{
	size_t i;

	for (i = 0; i < r->nby && r->by[i] != by; i++)
		;
	return i < r->nby;
}

size_t
page_key_names(const struct rank *r, const char *names[PAGE_KEYS])
{
	size_t i, n = 0;

	for (i = 0; i < r->nby; i++) {
		if (r->by[i] == BY_TOTAL)
			continue;
		names[n++] = by_name[r->by[i]];
		if (r->by[i] != BY_FUNCTION)
			continue;
		if (!page_by(r, BY_FILE))
			names[n++] = "file";
		if (!page_by(r, BY_OBJECT))
			names[n++] = "object";
	}
	return n;
}

static void
func_texts(const struct rank *r, uint64_t func, struct text t[3])
{
	const uint32_t *f = dict_def(r->dict, REC_FUNC, (uint32_t)func);

	t[0] = dict_text(r->dict, f[FUNC_NAME]);
	t[1] = dict_path(r->dict, f[FUNC_FILE]);
	t[2] = dict_object_path(r->dict, f[FUNC_OBJECT]);
}

/* Texts in the order of page_key_names(); a line is a number in tmp. */
void
page_key_texts(const struct rank *r, const uint64_t *key, struct text *t, char *tmp)
{
	struct text f[3];
	size_t i, n = 0;

	for (i = 0; i < r->nby; i++) {
		uint64_t k = key[i];

		switch (r->by[i]) {
		case BY_FUNCTION:
			func_texts(r, k, f);
			t[n++] = f[0];
			if (!page_by(r, BY_FILE))
				t[n++] = f[1];
			if (!page_by(r, BY_OBJECT))
				t[n++] = f[2];
			break;
		case BY_FILE:
			t[n++] = dict_path(r->dict, (uint32_t)k);
			break;
		case BY_OBJECT:
			t[n++] = dict_object_path(r->dict, (uint32_t)k);
			break;
		case BY_LINE:
			t[n] = (struct text){ 0 };
			if (k != NO_LINE)
				t[n] = (struct text){ tmp,
				    (size_t)(num_put_u64(tmp, k) - tmp) };
			n++;
			break;
		case BY_TOTAL: case BY_KINDS:
			break;
		default:
			t[n++] = dict_text(r->dict, (uint32_t)k);
		}
	}
}

/* ---- order ---- */

int
page_compare_values(struct value a, struct value b)
{
	if (a.kind == ABSENT || b.kind == ABSENT)
		return (a.kind != ABSENT) - (b.kind != ABSENT);
	if (a.kind == RATIO)
		return (a.ratio > b.ratio) - (a.ratio < b.ratio);
	return (a.n > b.n) - (a.n < b.n);
}

static bool
is_number(struct text t, num *n)
{
	return t.s && num_is_canonical(t) && num_get_num(t.s, t.n, n) == 0;
}

int
page_compare_keys(const struct page *p, uint32_t a, uint32_t b, size_t from, size_t to)
{
	struct text ta[PAGE_KEYS], tb[PAGE_KEYS];
	char tmp[2][NUM_TEXT];
	size_t i;
	int c = 0;

	page_key_texts(p->r, table_key(&p->r->rows, a), ta, tmp[0]);
	page_key_texts(p->r, table_key(&p->r->rows, b), tb, tmp[1]);
	for (i = from; i < to && c == 0; i++) {
		num na, nb;
		bool is_a = is_number(ta[i], &na), is_b = is_number(tb[i], &nb);

		if (is_a && is_b)
			c = (na > nb) - (na < nb);
		else	/* numbers before names, or it would be no order */
			c = is_a != is_b ? is_b - is_a : text_cmp(ta[i], tb[i]);
	}
	return c;
}

/* Costs from the largest down, names from the smallest up. */
static int
compare_rows(const void *x, const void *y)
{
	const struct page *p = ((const struct place *)x)->page;
	uint32_t a = ((const struct place *)x)->row, b = ((const struct place *)y)->row;
	const char *names[PAGE_KEYS];
	size_t i;
	int c = 0;

	for (i = 0; i < p->nsort && c == 0; i++) {
		const struct sort *s = &p->sort[i];

		switch (s->what) {
		case SORT_KEY:
			c = page_compare_keys(p, a, b, s->i, s->i + 1);
			break;
		case SORT_CALLS:
			c = (p->r->calls[b] > p->r->calls[a]) - (p->r->calls[b] < p->r->calls[a]);
			break;
		case SORT_SELF:
			c = page_compare_values(page_self(p, b, s->i), page_self(p, a, s->i));
			break;
		case SORT_INCL:
			c = page_compare_values(page_incl(p, b, s->i), page_incl(p, a, s->i));
			break;
		}
	}
	if (p->v->reverse)
		c = -c;
	return c ? c : page_compare_keys(p, a, b, 0, page_key_names(p->r, names));
}

/* ---- set-up ---- */

static int
no_event(const struct rank *r, struct text t)
{
	const char *names[PAGE_KEYS];
	struct buf b = { 0 };
	size_t i, n = page_key_names(r, names);

	for (i = 0; i < r->events.n; i++) {
		struct text e = r->events.v[i].r->col[EVENT_NAME].t;

		if (!r->events.v[i].measured && !rank_knows(r, e))
			continue;
		buf_puts(&b, b.n ? ", " : "");
		buf_text(&b, e);
	}
	if (!b.n)
		buf_puts(&b, "none");
	buf_puts(&b, " (E.incl is inclusive cost; -k also takes calls");
	for (i = 0; i < n; i++)
		buf_printf(&b, ", %s", names[i]);
	buf_putc(&b, ')');
	diag_fail_plain(r->diag, "no event %s; there are %s", diag_quote(t.s, t.n),
	    buf_str(&b));
	buf_free(&b);
	return -1;
}

static num *
coefficients(const struct rank *r, struct text t)
{
	num *coef = mem_alloc(r->nslots + 1, sizeof *coef);
	int ret = rank_resolve(r, t, coef);

	if (ret == 1)
		return coef;
	if (ret < 0)
		diag_fail_plain(r->diag, "%s is no sum of events",
		    diag_quote(t.s, t.n));
	else
		no_event(r, t);
	free(coef);
	return NULL;
}

static int
add_metric(struct page *p, struct text name)
{
	struct metric *m = &p->metric[p->nmetric];
	struct text side[2] = { name, { 0 } };
	bool ratio = events_find(&p->r->events, name) < 0 &&
	    formula_ratio(name, &side[0], &side[1]);

	m->name = name;
	if (!(m->over = coefficients(p->r, side[0])))
		return -1;
	p->nmetric++;
	if (ratio && !(m->under = coefficients(p->r, side[1])))
		return -1;
	if (combine(p->r, m->over, p->r->total, &m->total) < 0)
		m->total = 0;
	m->bounded = bounded(p, m, &m->most);
	return 0;
}

/* The metric of this name, a new one if need be; -1. */
static long
find_metric(struct page *p, struct text name)
{
	size_t i;

	for (i = 0; i < p->nmetric; i++)
		if (text_eq(p->metric[i].name, name))
			return (long)i;
	return add_metric(p, name) < 0 ? -1 : (long)i;
}

static int
add_sort(struct page *p, struct text t)
{
	static const struct text incl = { ".incl", 5 };
	const char *names[PAGE_KEYS];
	size_t i, n = page_key_names(p->r, names);
	struct sort *s = &p->sort[p->nsort++];
	long m;

	if (text_is(t, "calls")) {
		*s = (struct sort){ .what = SORT_CALLS };
		return 0;
	}
	for (i = 0; i < n; i++)
		if (text_is(t, names[i])) {
			*s = (struct sort){ .what = SORT_KEY, .i = i };
			return 0;
		}
	s->what = SORT_SELF;
	if (t.n > incl.n && memcmp(t.s + t.n - incl.n, incl.s, incl.n) == 0) {
		s->what = SORT_INCL;
		t.n -= incl.n;
	}
	if ((m = find_metric(p, t)) < 0)
		return -1;
	s->i = (size_t)m;
	return 0;
}

static int
set_up(struct page *p)
{
	const struct rank *r = p->r;
	size_t i;

	p->metric = mem_alloc(p->v->nshow + p->v->nsort + 1, sizeof *p->metric);
	p->sort = mem_alloc(p->v->nsort + 1, sizeof *p->sort);
	p->order = mem_alloc(r->rows.n + 1, sizeof *p->order);
	for (i = 0; i < p->v->nshow; i++)
		if (add_metric(p, p->v->show[i]) < 0)
			return -1;
	for (i = 0; i < p->v->nsort; i++)
		if (add_sort(p, p->v->sort[i]) < 0)
			return -1;
	if (!p->nsort && p->nmetric)
		p->sort[p->nsort++] = (struct sort){ .what = SORT_SELF };
	for (i = 0; i < r->rows.n; i++)
		p->order[i] = (struct place){ p, (uint32_t)i };
	qsort(p->order, r->rows.n, sizeof *p->order, compare_rows);
	return 0;
}

size_t
page_limit(const struct page *p)
{
	return p->v->most && p->v->most < p->r->rows.n ? (size_t)p->v->most :
	    p->r->rows.n;
}

void
page_flush(struct page *p)
{
	buf_putc(&p->line, '\n');
	out_write(p->out, p->line.s, p->line.n);
	p->line.n = 0;
}

static int
print_all(struct page *p)
{
	size_t i;

	if (p->v->callers || p->v->callees) {
		if (page_no_match(p, p->v->callers, "callers") ||
		    page_no_match(p, p->v->callees, "callees"))
			return -1;
		if (p->v->form == VIEW_TEXT)
			page_heading(p);
		if (p->v->callers)
			page_blocks(p, p->v->callers, true);
		if (p->v->callees)
			page_blocks(p, p->v->callees, false);
		return 0;
	}
	if (p->v->form == VIEW_TEXT) {
		page_text(p);
		return 0;
	}
	if (p->v->form == VIEW_TSV) {
		const char *names[PAGE_KEYS];

		page_tsv_head(p, names, page_key_names(p->r, names));
	}
	for (i = 0; i < page_limit(p); i++) {
		if (p->v->form == VIEW_TSV)
			page_tsv_row(p, p->order[i].row);
		else
			page_json_row(p, p->order[i].row);
	}
	return 0;
}

int
view_print(const struct view *v, const struct rank *r, struct output *out)
{
	struct page p = { .v = v, .r = r, .out = out };
	int ret = set_up(&p);
	size_t i;

	if (ret == 0)
		ret = print_all(&p);
	for (i = 0; i < p.nmetric; i++) {
		free(p.metric[i].over);
		free(p.metric[i].under);
	}
	free(p.metric);
	free(p.sort);
	free(p.order);
	buf_free(&p.line);
	return ret;
}
