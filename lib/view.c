/* SPDX-License-Identifier: ISC */
#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "mem.h"

/* An event or formula to show: over / under, whole coefficients of the sums. */
struct metric {
	struct text name;
	num *over, *under;	/* under: NULL but for ratios */
	num total;
};

struct value {
	enum { ABSENT, WHOLE, RATIO } kind;
	num n;
	double ratio;
};

struct sort {
	enum { BY_KEY, BY_CALLS, BY_SELF, BY_INCL } what;
	size_t i;		/* of the key's column or the metric */
};

struct page {
	const struct view *v;
	const struct rank *r;
	struct output *out;
	struct metric *metric;
	size_t nmetric;		/* of which v->nshow are shown */
	num *incl, *calls;
	struct sort *sort;
	size_t nsort;
	uint32_t *order;	/* rows */
	struct buf line;
};

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

static struct value
evaluate(const struct rank *r, const struct metric *m, const num *sums)
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

static struct value
self_of(const struct page *p, size_t row, size_t metric)
{
	return evaluate(p->r, &p->metric[metric], table_val(&p->r->rows, row));
}

/* Inclusive cost over the total is no cost: a filter has taken away what
 * would show a cycle. */
static struct value
incl_of(const struct page *p, size_t row, size_t metric)
{
	const struct metric *m = &p->metric[metric];
	struct value v = { .kind = ABSENT };

	if (p->r->calls_known)
		v = evaluate(p->r, m, p->incl + row * p->r->rows.nval);
	if (v.kind == WHOLE && m->total > 0 && v.n > m->total)
		v.kind = ABSENT;
	return v;
}

static void
add_value(struct buf *b, struct value v, bool grouped)
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

/* Hundredths of a percent, rounded: for the eye, so a double will do. */
static void
add_percent(struct buf *b, struct value v, num total)
{
	if (v.kind == WHOLE && total != 0)
		buf_printf(b, "%.2f", 100.0 * (double)v.n / (double)total);
	else
		buf_putc(b, '-');
}

/* ---- keys ---- */

/* The text columns of a row: a function is three, less those that the list
 * names itself. */
static bool
listed(const struct rank *r, enum by by)
{
	size_t i;

	for (i = 0; i < r->nby && r->by[i] != by; i++)
		;
	return i < r->nby;
}

static size_t
key_names(const struct rank *r, const char *names[BY_KINDS + 2])
{
	size_t i, n = 0;

	for (i = 0; i < r->nby; i++) {
		if (r->by[i] == BY_TOTAL)
			continue;
		names[n++] = by_name[r->by[i]];
		if (r->by[i] != BY_FUNCTION)
			continue;
		if (!listed(r, BY_FILE))
			names[n++] = "file";
		if (!listed(r, BY_OBJECT))
			names[n++] = "object";
	}
	return n;
}

static void
func_texts(const struct rank *r, uint64_t func, struct text t[3])
{
	const uint32_t none[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	const uint32_t *f = func == NO_ID ? none :
	    dict_def(r->dict, REC_FUNC, (uint32_t)func);

	t[0] = dict_text(r->dict, f[FUNC_NAME]);
	t[1] = dict_path(r->dict, f[FUNC_FILE]);
	t[2] = dict_object_path(r->dict, f[FUNC_OBJECT]);
}

/* Texts in the order of key_names(); a line is a number in tmp. */
static void
key_texts(const struct rank *r, const uint64_t *key, struct text *t, char *tmp)
{
	struct text f[3];
	size_t i, n = 0;

	for (i = 0; i < r->nby; i++) {
		uint64_t k = key[i];

		switch (r->by[i]) {
		case BY_FUNCTION:
			func_texts(r, k, f);
			t[n++] = f[0];
			if (!listed(r, BY_FILE))
				t[n++] = f[1];
			if (!listed(r, BY_OBJECT))
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

static int
compare_values(struct value a, struct value b)
{
	if (a.kind == ABSENT || b.kind == ABSENT)
		return (a.kind != ABSENT) - (b.kind != ABSENT);
	if (a.kind == RATIO)
		return (a.ratio > b.ratio) - (a.ratio < b.ratio);
	return (a.n > b.n) - (a.n < b.n);
}

static int
compare_keys(const struct page *p, uint32_t a, uint32_t b, size_t from, size_t to)
{
	struct text ta[BY_KINDS + 2], tb[BY_KINDS + 2];
	char tmp[2][NUM_TEXT];
	size_t i;
	int c = 0;

	key_texts(p->r, table_key(&p->r->rows, a), ta, tmp[0]);
	key_texts(p->r, table_key(&p->r->rows, b), tb, tmp[1]);
	for (i = from; i < to && c == 0; i++) {
		num na, nb;

		if (ta[i].s && tb[i].s && num_is_canonical(ta[i]) &&
		    num_is_canonical(tb[i]) &&
		    num_get_num(ta[i].s, ta[i].n, &na) == 0 &&
		    num_get_num(tb[i].s, tb[i].n, &nb) == 0)
			c = (na > nb) - (na < nb);
		else
			c = text_cmp(ta[i], tb[i]);
	}
	return c;
}

/* Costs from the largest down, names from the smallest up. */
static int
compare_rows(const void *x, const void *y, void *arg)
{
	const struct page *p = arg;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
	const char *names[BY_KINDS + 2];
	size_t i;
	int c = 0;

	for (i = 0; i < p->nsort && c == 0; i++) {
		const struct sort *s = &p->sort[i];

		switch (s->what) {
		case BY_KEY:
			c = compare_keys(p, a, b, s->i, s->i + 1);
			break;
		case BY_CALLS:
			c = (p->calls[b] > p->calls[a]) - (p->calls[b] < p->calls[a]);
			break;
		case BY_SELF:
			c = compare_values(self_of(p, b, s->i), self_of(p, a, s->i));
			break;
		case BY_INCL:
			c = compare_values(incl_of(p, b, s->i), incl_of(p, a, s->i));
			break;
		}
	}
	if (p->v->reverse)
		c = -c;
	return c ? c : compare_keys(p, a, b, 0, key_names(p->r, names));
}

/* ---- set-up ---- */

static int
no_event(const struct rank *r, struct text t)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < r->events.n; i++) {
		buf_puts(&b, i ? ", " : "");
		buf_text(&b, r->events.v[i].r->col[EVENT_NAME].t);
	}
	diag_fail_plain(r->diag, "no event %s; there are %s", diag_quote(t.s, t.n),
	    b.n ? buf_str(&b) : "none");
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
	const char *names[BY_KINDS + 2];
	size_t i, n = key_names(p->r, names);
	struct sort *s = &p->sort[p->nsort++];
	long m;

	if (text_is(t, "calls")) {
		*s = (struct sort){ .what = BY_CALLS };
		return 0;
	}
	for (i = 0; i < n; i++)
		if (text_is(t, names[i])) {
			*s = (struct sort){ .what = BY_KEY, .i = i };
			return 0;
		}
	s->what = BY_SELF;
	if (t.n > incl.n && memcmp(t.s + t.n - incl.n, incl.s, incl.n) == 0) {
		s->what = BY_INCL;
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
	struct graph g = { .rows = &r->rows, .edges = &r->edges,
	    .nnodes = r->fine ? r->nodes.n : r->rows.n, .fine = r->fine };
	size_t i;

	p->metric = mem_alloc(p->v->nshow + p->v->nsort + 1, sizeof *p->metric);
	p->sort = mem_alloc(p->v->nsort + 1, sizeof *p->sort);
	p->incl = mem_alloc(r->rows.n * r->rows.nval + 1, sizeof *p->incl);
	p->calls = mem_alloc(r->rows.n + 1, sizeof *p->calls);
	p->order = mem_alloc(r->rows.n + 1, sizeof *p->order);
	for (i = 0; i < p->v->nshow; i++)
		if (add_metric(p, p->v->show[i]) < 0)
			return -1;
	for (i = 0; i < p->v->nsort; i++)
		if (add_sort(p, p->v->sort[i]) < 0)
			return -1;
	if (!p->nsort && p->nmetric)
		p->sort[p->nsort++] = (struct sort){ .what = BY_SELF };
	if (graph_inclusive(&g, p->incl, p->calls) < 0)
		return diag_fail_plain(r->diag, "a sum does not fit 128 bits");
	for (i = 0; i < r->rows.n; i++)
		p->order[i] = (uint32_t)i;
	qsort_r(p->order, r->rows.n, sizeof *p->order, compare_rows, p);
	return 0;
}

static void
flush_line(struct page *p)
{
	buf_putc(&p->line, '\n');
	out_write(p->out, p->line.s, p->line.n);
	p->line.n = 0;
}

/* ---- tables for programs ---- */

static void
tsv_head(struct page *p, const char *const *keys, size_t nkeys)
{
	size_t i;

	for (i = 0; i < nkeys; i++)
		buf_printf(&p->line, "%s\t", keys[i]);
	buf_puts(&p->line, "calls");
	for (i = 0; i < p->v->nshow; i++)
		buf_printf(&p->line, "\t%.*s\t%.*s.incl",
		    (int)p->metric[i].name.n, p->metric[i].name.s,
		    (int)p->metric[i].name.n, p->metric[i].name.s);
	flush_line(p);
}

static struct value
calls_of(const struct page *p, size_t row)
{
	return (struct value){ p->r->calls_known && !p->r->fine ? WHOLE : ABSENT,
	    p->calls[row], 0 };
}

static void
tsv_row(struct page *p, size_t row)
{
	const char *names[BY_KINDS + 2];
	struct text t[BY_KINDS + 2];
	char tmp[NUM_TEXT];
	size_t i, n = key_names(p->r, names);

	key_texts(p->r, table_key(&p->r->rows, row), t, tmp);
	for (i = 0; i < n; i++) {
		field_escape(&p->line, t[i]);
		buf_putc(&p->line, '\t');
	}
	add_value(&p->line, calls_of(p, row), false);
	for (i = 0; i < p->v->nshow; i++) {
		buf_putc(&p->line, '\t');
		add_value(&p->line, self_of(p, row, i), false);
		buf_putc(&p->line, '\t');
		add_value(&p->line, incl_of(p, row, i), false);
	}
	flush_line(p);
}

static void
json_member(struct buf *b, struct text name, const char *suffix)
{
	struct buf key = { 0 };

	buf_puts(b, b->n > 1 ? "," : "");
	buf_text(&key, name);
	buf_puts(&key, suffix);
	json_string(b, buf_as_text(&key));
	buf_putc(b, ':');
	buf_free(&key);
}

static void
json_value(struct buf *b, struct value v)
{
	if (v.kind == WHOLE)
		json_num(b, v.n);
	else if (v.kind == RATIO)
		buf_printf(b, "%.6g", v.ratio);
	else
		buf_puts(b, "null");
}

static void
json_row(struct page *p, size_t row)
{
	const char *names[BY_KINDS + 2];
	struct text t[BY_KINDS + 2];
	char tmp[NUM_TEXT];
	size_t i, n = key_names(p->r, names);
	struct buf *b = &p->line;

	key_texts(p->r, table_key(&p->r->rows, row), t, tmp);
	buf_putc(b, '{');
	for (i = 0; i < n; i++) {
		json_member(b, text_of(names[i]), "");
		if (strcmp(names[i], "line") == 0 && t[i].s)
			buf_text(b, t[i]);
		else
			json_string(b, t[i]);
	}
	json_member(b, TEXT("calls"), "");
	json_value(b, calls_of(p, row));
	for (i = 0; i < p->v->nshow; i++) {
		json_member(b, p->metric[i].name, "");
		json_value(b, self_of(p, row, i));
		json_member(b, p->metric[i].name, ".incl");
		json_value(b, incl_of(p, row, i));
	}
	buf_putc(b, '}');
	flush_line(p);
}

/* ---- the table for people ---- */

/* Characters, not bytes, as far as UTF-8 tells; a terminal shows no control
 * characters. */
static size_t
columns(struct text t)
{
	size_t i, n = 0;

	for (i = 0; i < t.n; i++)
		n += ((unsigned char)t.s[i] & 0xc0) != 0x80;
	return n;
}

static void
add_visible(struct buf *b, struct text t)
{
	size_t i;

	for (i = 0; i < t.n; i++) {
		unsigned char c = (unsigned char)t.s[i];

		if (c < 0x20 || c == 0x7f)
			buf_printf(b, "\\x%02x", c);
		else
			buf_putc(b, (char)c);
	}
}

/* The byte at which character k begins. */
static size_t
byte_of(struct text t, size_t k)
{
	size_t i;

	for (i = 0; i < t.n; i++)
		if (((unsigned char)t.s[i] & 0xc0) != 0x80 && k-- == 0)
			break;
	return i;
}

/* At most `width` characters, the middle left out: both ends of a long C++
 * name say which one it is. */
static void
add_shortened(struct buf *b, struct text t, size_t width)
{
	size_t n = columns(t), head, tail, from;

	if (n <= width || width < 4) {
		add_visible(b, t);
		return;
	}
	head = (width - 1) / 2;
	tail = width - 1 - head;
	add_visible(b, (struct text){ t.s, byte_of(t, head) });
	buf_puts(b, "\xe2\x80\xa6");
	from = byte_of(t, n - tail);
	add_visible(b, (struct text){ t.s + from, t.n - from });
}

static struct text
base_name(struct text t)
{
	const char *slash = t.n ? memrchr(t.s, '/', t.n) : NULL;

	if (!slash || slash + 1 == t.s + t.n)
		return t;
	return (struct text){ slash + 1, (size_t)(t.s + t.n - slash - 1) };
}

static void
paint(struct page *p, const char *code)
{
	if (p->v->color)
		buf_printf(&p->line, "\033[%sm", code);
}

/*
 * Names of a row: what it is by in bright, a function's file and object dim
 * behind it.  Where the width is bounded, paths give way first.
 */
static void
add_names(struct page *p, const struct text *t, const char *const *names, size_t n,
    size_t width)
{
	struct text part[BY_KINDS + 2];
	size_t i, used = 0, longest = 0, room;

	for (i = 0; i < n; i++) {
		part[i] = t[i].s ? t[i] : TEXT("???");
		used += columns(part[i]) + 2 + 2 * (strcmp(names[i], "object") == 0);
	}
	for (i = 0; i < n && width && used > width; i++)
		if (strcmp(names[i], "file") == 0 || strcmp(names[i], "object") == 0) {
			used -= columns(part[i]);
			part[i] = base_name(part[i]);
			used += columns(part[i]);
		}
	for (i = 1; i < n; i++)
		if (columns(part[i]) > columns(part[longest]))
			longest = i;
	for (i = 0; i < n; i++) {
		bool object = strcmp(names[i], "object") == 0;

		room = width && used > width && i == longest ?
		    (columns(part[i]) + width > used + 8 ?
		    columns(part[i]) + width - used : 8) : SIZE_MAX;
		buf_puts(&p->line, i ? "  " : "");
		if (i)
			paint(p, "2");
		buf_puts(&p->line, object ? "[" : "");
		add_shortened(&p->line, part[i], room);
		buf_puts(&p->line, object ? "]" : "");
		if (i)
			paint(p, "0");
	}
}

#define CELL 64

struct cells {			/* a line's numbers, as text */
	char (*s)[CELL];
	size_t n;
};

static void
set_cell(struct cells *c, const struct buf *b)
{
	snprintf(c->s[c->n++], CELL, "%.*s", (int)b->n, b->s);
}

/* self, %, incl, % of each metric, then calls. */
static void
fill_cells(struct page *p, struct cells *c, const struct value *self,
    const struct value *incl, struct value calls)
{
	struct buf b = { 0 };
	size_t i;

	c->n = 0;
	for (i = 0; i < p->v->nshow; i++) {
		const struct value *v[2] = { &self[i], &incl[i] };
		int k;

		for (k = 0; k < 2; k++) {
			b.n = 0;
			add_value(&b, *v[k], true);
			set_cell(c, &b);
			b.n = 0;
			add_percent(&b, *v[k], p->metric[i].under ? 0 :
			    p->metric[i].total);
			set_cell(c, &b);
		}
	}
	b.n = 0;
	add_value(&b, calls, true);
	set_cell(c, &b);
	buf_free(&b);
}

static void
row_cells(struct page *p, struct cells *c, size_t row)
{
	struct value *v = mem_alloc(2 * p->v->nshow + 1, sizeof *v);
	size_t i, n = p->v->nshow;

	for (i = 0; i < n; i++) {
		v[i] = self_of(p, row, i);
		v[n + i] = incl_of(p, row, i);
	}
	fill_cells(p, c, v, v + n, calls_of(p, row));
	free(v);
}

static void
head_cells(struct page *p, struct cells *c)
{
	size_t i;

	c->n = 0;
	for (i = 0; i < p->v->nshow; i++) {
		snprintf(c->s[c->n++], CELL, "%.*s", (int)p->metric[i].name.n,
		    p->metric[i].name.s);
		snprintf(c->s[c->n++], CELL, "%%");
		snprintf(c->s[c->n++], CELL, "inclusive");
		snprintf(c->s[c->n++], CELL, "%%");
	}
	snprintf(c->s[c->n++], CELL, "calls");
}

static void
widen(size_t *width, const struct cells *c)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		if (strlen(c->s[i]) > width[i])
			width[i] = strlen(c->s[i]);
}

static void
add_cells(struct page *p, const struct cells *c, const size_t *width)
{
	size_t i;

	for (i = 0; i < c->n; i++)
		buf_printf(&p->line, "%*s  ", (int)width[i], c->s[i]);
}

static void
heading(struct page *p)
{
	const struct rank *r = p->r;
	char tmp[NUM_TEXT];
	size_t i;

	paint(p, "1");
	for (i = 0; i < p->v->nshow; i++) {
		const struct metric *m = &p->metric[i];

		if (m->under)
			continue;
		buf_puts(&p->line, i ? ", " : "");
		buf_add(&p->line, tmp, (size_t)(num_put_grouped(tmp, m->total) - tmp));
		buf_printf(&p->line, " %.*s", (int)m->name.n, m->name.s);
	}
	paint(p, "0");
	buf_printf(&p->line, " in %" PRIu64 " profile%s, %" PRIu64 " part%s",
	    r->runs, r->runs == 1 ? "" : "s", r->parts, r->parts == 1 ? "" : "s");
	if (r->cmds_differ)
		buf_puts(&p->line, ": several commands");
	else if (r->cmd.s) {
		buf_puts(&p->line, ": ");
		add_shortened(&p->line, r->cmd, p->v->width ? p->v->width : SIZE_MAX);
	}
	flush_line(p);
	if (r->filter.s) {
		buf_puts(&p->line, "filter: ");
		add_visible(&p->line, r->filter);
		flush_line(p);
	}
	if (r->skipped) {
		buf_printf(&p->line, "%" PRIu64 " malformed line%s left out",
		    r->skipped, r->skipped == 1 ? "" : "s");
		flush_line(p);
	}
	flush_line(p);
}

/* "... 812 more, 3.10 %": of the first metric, self. */
static void
remainder_line(struct page *p, size_t from)
{
	struct value sum = { .kind = WHOLE };
	size_t i;

	for (i = from; i < p->r->rows.n && p->nmetric; i++) {
		struct value v = self_of(p, p->order[i], 0);

		if (v.kind != WHOLE || num_add(&sum.n, v.n) < 0)
			sum.kind = ABSENT;
	}
	buf_printf(&p->line, "\xe2\x80\xa6 %zu more", p->r->rows.n - from);
	if (p->nmetric && sum.kind == WHOLE && p->metric[0].total != 0) {
		buf_puts(&p->line, ", ");
		add_percent(&p->line, sum, p->metric[0].total);
		buf_puts(&p->line, " %");
	}
	flush_line(p);
}

static size_t
row_limit(const struct page *p)
{
	return p->v->most && p->v->most < p->r->rows.n ? (size_t)p->v->most :
	    p->r->rows.n;
}

static void
text_table(struct page *p)
{
	const char *names[BY_KINDS + 2];
	struct text t[BY_KINDS + 2];
	char tmp[NUM_TEXT];
	size_t i, n = key_names(p->r, names), limit = row_limit(p), used = 0, left;
	size_t ncell = 4 * p->v->nshow + 1;
	size_t *width = mem_alloc(ncell, sizeof *width);
	struct cells c = { .s = mem_alloc(ncell, CELL) };

	heading(p);
	head_cells(p, &c);
	widen(width, &c);
	for (i = 0; i < limit; i++) {
		row_cells(p, &c, p->order[i]);
		widen(width, &c);
	}
	for (i = 0; i < ncell; i++)
		used += width[i] + 2;
	left = !p->v->width ? 0 : p->v->width > used + 20 ? p->v->width - used : 20;
	head_cells(p, &c);
	paint(p, "1");
	add_cells(p, &c, width);
	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s%s", i ? "  " : "", names[i]);
	paint(p, "0");
	flush_line(p);
	for (i = 0; i < limit; i++) {
		row_cells(p, &c, p->order[i]);
		add_cells(p, &c, width);
		key_texts(p->r, table_key(&p->r->rows, p->order[i]), t, tmp);
		add_names(p, t, names, n, left);
		flush_line(p);
	}
	if (limit < p->r->rows.n)
		remainder_line(p, limit);
	free(width);
	free(c.s);
}

/* ---- callers and callees ---- */

/* One block: the other ends of a function's calls, the dearest first. */
struct block {
	struct page *p;
	bool callers;
	size_t of;		/* the row */
	uint32_t *edge;
	size_t n;
};

static size_t
other_end(const struct block *b, size_t edge)
{
	const uint64_t *key = table_key(&b->p->r->edges, edge);

	return (size_t)key[b->callers ? EDGE_FROM : EDGE_TO];
}

static struct value
edge_cost(const struct block *b, size_t edge, size_t metric)
{
	return evaluate(b->p->r, &b->p->metric[metric],
	    table_val(&b->p->r->edges, edge) + 1);
}

static int
compare_edges(const void *x, const void *y, void *arg)
{
	const struct block *b = arg;
	uint32_t i = *(const uint32_t *)x, j = *(const uint32_t *)y;
	const char *names[BY_KINDS + 2];
	int c = b->p->nmetric ?
	    compare_values(edge_cost(b, j, 0), edge_cost(b, i, 0)) : 0;

	return c ? c : compare_keys(b->p, (uint32_t)other_end(b, i),
	    (uint32_t)other_end(b, j), 0, key_names(b->p->r, names));
}

static void
block_text(struct block *b)
{
	struct page *p = b->p;
	const char *names[BY_KINDS + 2];
	struct text t[BY_KINDS + 2];
	char tmp[NUM_TEXT];
	size_t i, k, n = key_names(p->r, names), ncell = 2 * p->v->nshow + 1;
	size_t *width = mem_alloc(ncell, sizeof *width), pass;
	struct cells c = { .s = mem_alloc(ncell, CELL) };
	struct buf cell = { 0 };

	paint(p, "1");
	buf_puts(&p->line, b->callers ? "callers of " : "callees of ");
	key_texts(p->r, table_key(&p->r->rows, b->of), t, tmp);
	add_names(p, t, names, n, p->v->width ? p->v->width - 11 : 0);
	paint(p, "0");
	flush_line(p);
	for (pass = 0; pass < 2; pass++)
		for (i = 0; i <= b->n; i++) {
			c.n = 0;
			for (k = 0; k < p->v->nshow; k++) {
				struct value v = { .kind = ABSENT };

				cell.n = 0;
				if (i)
					add_value(&cell, v = edge_cost(b, b->edge[i - 1], k), true);
				else
					buf_text(&cell, p->metric[k].name);
				set_cell(&c, &cell);
				cell.n = 0;
				if (i)
					add_percent(&cell, v, p->metric[k].under ? 0 :
					    p->metric[k].total);
				else
					buf_putc(&cell, '%');
				set_cell(&c, &cell);
			}
			cell.n = 0;
			if (i)
				add_value(&cell, (struct value){ WHOLE,
				    table_val(&p->r->edges, b->edge[i - 1])[0], 0 }, true);
			else
				buf_puts(&cell, "calls");
			set_cell(&c, &cell);
			widen(width, &c);
			if (!pass)
				continue;
			add_cells(p, &c, width);
			if (i) {
				key_texts(p->r, table_key(&p->r->rows,
				    other_end(b, b->edge[i - 1])), t, tmp);
				add_names(p, t, names, n, p->v->width > 60 ?
				    p->v->width - 40 : 0);
			} else {
				buf_puts(&p->line, b->callers ? "caller" : "callee");
			}
			flush_line(p);
		}
	flush_line(p);
	free(width);
	free(c.s);
	buf_free(&cell);
}

/* The columns of a call as a table has them: the function asked about, the
 * other one, calls, inclusive costs. */
static void
block_rows(struct block *b)
{
	struct page *p = b->p;
	const char *names[BY_KINDS + 2];
	struct text t[BY_KINDS + 2];
	char tmp[NUM_TEXT];
	size_t i, k, m, n = key_names(p->r, names);
	const char *prefix[2] = { "", b->callers ? "caller." : "callee." };
	bool json = p->v->form == VIEW_JSON;

	for (i = 0; i < b->n; i++) {
		size_t row[2] = { b->of, other_end(b, b->edge[i]) };
		struct value v;

		buf_puts(&p->line, json ? "{" : "");
		for (k = 0; k < 2; k++) {
			key_texts(p->r, table_key(&p->r->rows, row[k]), t, tmp);
			for (m = 0; m < n; m++) {
				if (json) {
					json_member(&p->line, text_of(prefix[k]), names[m]);
					json_string(&p->line, t[m]);
				} else {
					field_escape(&p->line, t[m]);
					buf_putc(&p->line, '\t');
				}
			}
		}
		v = (struct value){ WHOLE, table_val(&p->r->edges, b->edge[i])[0], 0 };
		if (json) {
			json_member(&p->line, TEXT("calls"), "");
			json_value(&p->line, v);
		} else {
			add_value(&p->line, v, false);
		}
		for (k = 0; k < p->v->nshow; k++) {
			v = edge_cost(b, b->edge[i], k);
			if (json) {
				json_member(&p->line, p->metric[k].name, ".incl");
				json_value(&p->line, v);
			} else {
				buf_putc(&p->line, '\t');
				add_value(&p->line, v, false);
			}
		}
		buf_puts(&p->line, json ? "}" : "");
		flush_line(p);
	}
}

static void
block_head(struct page *p, bool callers)
{
	const char *names[BY_KINDS + 2];
	size_t i, n = key_names(p->r, names);

	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s\t", names[i]);
	for (i = 0; i < n; i++)
		buf_printf(&p->line, "%s.%s\t", callers ? "caller" : "callee", names[i]);
	buf_puts(&p->line, "calls");
	for (i = 0; i < p->v->nshow; i++)
		buf_printf(&p->line, "\t%.*s.incl", (int)p->metric[i].name.n,
		    p->metric[i].name.s);
	flush_line(p);
}

static int
blocks(struct page *p, const struct match *match, bool callers)
{
	const struct rank *r = p->r;
	struct block b = { .p = p, .callers = callers };
	size_t i, e, found = 0;

	b.edge = mem_alloc(r->edges.n + 1, sizeof *b.edge);
	if (p->v->form == VIEW_TSV)
		block_head(p, callers);
	for (i = 0; i < r->rows.n; i++) {
		b.of = p->order[i];
		if (!match_text(match, dict_func_name(r->dict,
		    (uint32_t)table_key(&r->rows, b.of)[0])))
			continue;
		found++;
		b.n = 0;
		for (e = 0; e < r->edges.n; e++)
			if (table_key(&r->edges, e)[callers ? EDGE_TO : EDGE_FROM] == b.of)
				b.edge[b.n++] = (uint32_t)e;
		qsort_r(b.edge, b.n, sizeof *b.edge, compare_edges, &b);
		if (p->v->form == VIEW_TEXT)
			block_text(&b);
		else
			block_rows(&b);
	}
	free(b.edge);
	return found ? 0 : diag_fail_plain(r->diag, "no function matches --%s",
	    callers ? "callers" : "callees");
}

static int
print_all(struct page *p)
{
	size_t i;

	if (p->v->callers || p->v->callees) {
		if (p->v->form == VIEW_TEXT)
			heading(p);
		if (p->v->callers && blocks(p, p->v->callers, true) < 0)
			return -1;
		return p->v->callees ? blocks(p, p->v->callees, false) : 0;
	}
	if (p->v->form == VIEW_TEXT) {
		text_table(p);
		return 0;
	}
	if (p->v->form == VIEW_TSV) {
		const char *names[BY_KINDS + 2];

		tsv_head(p, names, key_names(p->r, names));
	}
	for (i = 0; i < row_limit(p); i++) {
		if (p->v->form == VIEW_TSV)
			tsv_row(p, p->order[i]);
		else
			json_row(p, p->order[i]);
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
	free(p.incl);
	free(p.calls);
	free(p.order);
	buf_free(&p.line);
	return ret;
}
