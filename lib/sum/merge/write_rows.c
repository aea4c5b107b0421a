/* SPDX-License-Identifier: ISC */
/* Rows of sums, sorted by their keys. */
#include "writer.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/system.h"

/* ---- order ---- */

static int
by_num(num a, num b)
{
	return a < b ? -1 : a > b;
}

/* Compares numbers of any length by value. */
int
merge_by_int(struct text a, struct text b)
{
	bool ma = a.n && *a.s == '-', mb = b.n && *b.s == '-';
	int c = by_number(!ma, !mb);

	if (!c)
		c = by_number(a.n, b.n);
	if (!c)
		c = text_cmp(a, b);
	return ma && mb ? -c : c;
}

/* Compares the second words of two places: the parts present, then the numbers. */
static int
by_second(const struct writer *w, uint64_t a, uint64_t b)
{
	int c = by_number(a & 0xff, b & 0xff);

	return c || a == b ? c :
	    merge_by_int(dict_text(w->dict, (uint32_t)((a >> 8) - 1)),
	    dict_text(w->dict, (uint32_t)((b >> 8) - 1)));
}

static int
by_string(const struct writer *w, enum col_type type, uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	if (a == NO_ID || b == NO_ID)
		return a == NO_ID ? -1 : 1;
	return type == COL_INT ? merge_by_int(dict_text(w->dict, (uint32_t)a),
	    dict_text(w->dict, (uint32_t)b)) : by_text(w, (uint32_t)a, (uint32_t)b);
}

static int
by_row(const void *pa, const void *pb, void *arg)
{
	const struct writer *w = arg;
	const struct rec_def *def = w->rows->def;
	const uint64_t *a = sums_key(&w->rows->t, *(const uint32_t *)pa);
	const uint64_t *b = sums_key(&w->rows->t, *(const uint32_t *)pb);
	unsigned i;
	int c = 0;

	for (i = 0; i < def->ncol && !c; i++) {
		enum col_type t = def->col[i].type;

		if (def->col[i].role == ROLE_KIND) {
			c = by_number(*a++, *b++);
			continue;
		}
		if (def->col[i].role != ROLE_KEY) {
			/* Values seen at a site: the most frequent first. */
			if (def->kind == REC_VPROF)
				c = by_num(*sums_val(&w->rows->t, *(const uint32_t *)pb),
				    *sums_val(&w->rows->t, *(const uint32_t *)pa));
			continue;
		}
		if (col_is_ref(t)) {
			c = by_number(place(w, col_def(t), (uint32_t)*a),
			    place(w, col_def(t), (uint32_t)*b));
		} else if (t == COL_LINE || t == COL_ADDR) {
			c = by_number(a[1] & HAS_N, b[1] & HAS_N);
			if (!c)
				c = by_number(a[0], b[0]);
			a++, b++;
			if (!c)
				c = by_second(w, *a, *b);
		} else {
			c = by_string(w, t, *a, *b);
		}
		a++, b++;
	}
	return c || !(def->tail & REC_ATTRS) ? c : by_string(w, COL_STR, *a, *b);
}

/* Sorts rows by the first column, if that is a function; then those of each function. */
static uint32_t *
sort_rows(struct writer *w)
{
	const struct sums *t = &w->rows->t;
	size_t funcs = w->m->canonical.defs[REC_FUNC - REC_OBJECT].n + 1, i;
	uint32_t *v = mem_alloc(t->n + 1, sizeof *v);
	size_t *at = mem_alloc(funcs + 2, sizeof *at);
	bool by_first = w->rows->def->col[0].type == COL_FUNC;

	for (i = 0; i < t->n; i++)
		at[(by_first ? place(w, REC_FUNC, (uint32_t)*sums_key(t, i)) : 0) + 1]++;
	for (i = 0; i < funcs; i++)
		at[i + 1] += at[i];
	for (i = 0; i < t->n; i++)
		v[at[by_first ? place(w, REC_FUNC, (uint32_t)*sums_key(t, i)) : 0]++] =
		    (uint32_t)i;
	for (i = 0; i < funcs; i++) {
		size_t from = i ? at[i - 1] : 0;

		if (at[i] - from > 1)
			system_sort(v + from, at[i] - from, sizeof *v, by_row, w);
	}
	free(at);
	return v;
}

/* ---- records ---- */

/* Writes a value with a TAB after it. */
static inline char *
put_value(char *p, num v)
{
	if (v >= 0 && v < 10)	/* usually */
		*p++ = (char)('0' + (int)v);
	else if (v == NUM_ABSENT)
		*p++ = '-';
	else if (v >= 0 && v <= UINT32_MAX)
		p = num_put_u64(p, (uint64_t)v);
	else
		p = num_put_num(p, v);
	*p++ = '\t';
	return p;
}

/* Ends values whose text begins in w->values: without the last TAB. */
static struct text
values_upto(const struct writer *w, const char *p)
{
	return p == w->values.s ? (struct text){ 0 } :
	    (struct text){ w->values.s, (size_t)(p - 1 - w->values.s) };
}

struct text
merge_values(struct writer *w, const num *v, size_t n)
{
	size_t i;
	char *p;

	if (w->mixed)
		n = merge_columns(w->g);

	while (n && v[w->event[n - 1]] == 0)
		n--;
	w->values.n = 0;
	p = buf_room(&w->values, (NUM_TEXT + 1) * n + 1);
	for (i = 0; i < n; i++)
		p = put_value(p, v[w->event[i]]);
	return values_upto(w, p);
}

struct text
merge_few_values(struct writer *w, const num *v, uint64_t nonzero)
{
	static const char zeros[] = "0\t0\t0\t0\t0\t0\t0\t0\t";
	const size_t run = sizeof zeros / 2;
	size_t i, at = 0;
	char *p;

	if (w->mixed)
		return merge_values(w, v, w->g->events.measured);
	w->values.n = 0;
	p = buf_room(&w->values, (NUM_TEXT + 1) * TABLE_WIDE + sizeof zeros);
	for (; nonzero; nonzero &= nonzero - 1, at = i + 1) {
		i = (size_t)__builtin_ctzll(nonzero);
		for (; i - at > run; at += run, p += 2 * run)
			memcpy(p, zeros, 2 * run);
		memcpy(p, zeros, 2 * run);
		p = put_value(p + 2 * (i - at), v[i]);
	}
	return values_upto(w, p);
}

static void
set_key(struct writer *w, struct record *r, const uint64_t *key)
{
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		enum col_type t = r->def->col[i].type;
		struct field *f = &r->col[i];

		key += r->def->col[i].role == ROLE_KIND;	/* the sum shows it */
		if (r->def->col[i].role != ROLE_KEY)
			continue;
		if (col_is_ref(t)) {
			f->n = *key == NO_ID ? NO_ID : w->final[t - COL_OBJECT][*key];
		} else if (t == COL_LINE || t == COL_ADDR) {
			f->n = *key++;
			f->has = (unsigned)(*key & 0xff);
			f->m = 0;
			if (*key >> 8)
				num_get_u64(dict_text(w->dict,
				    (uint32_t)((*key >> 8) - 1)).s, &f->m);
		} else {
			f->t = dict_text(w->dict, (uint32_t)*key);
		}
		key++;
	}
	if (r->def->tail & REC_ATTRS)
		r->attrs = dict_text(w->dict, (uint32_t)*key);
}

/* Returns the last function that a row names. */
static uint64_t
last_func(const struct rec_def *def, const uint64_t *key)
{
	uint64_t func = NO_ID;
	unsigned i;

	for (i = 0; i < def->ncol; i++) {
		if (def->col[i].role != ROLE_KEY && def->col[i].role != ROLE_KIND)
			continue;
		if (def->col[i].type == COL_FUNC)
			func = *key;
		key += 1 + (def->col[i].type == COL_LINE || def->col[i].type == COL_ADDR);
	}
	return func;
}

/*
 * Rounds means of counts, which have no scale, in such a way that the counts of a function
 * so far, such as of the calls that arrive in it, add up to their rounded mean.
 */
static int
round_counts(struct writer *w, size_t row, num *count)
{
	const uint64_t func = last_func(w->rows->def, sums_key(&w->rows->t, row));
	num *rest = sums_val(&w->rest, sums_row(&w->rest, &func));
	size_t i;

	for (i = 0; i < w->rows->nsum; i++) {
		const num per = (num)w->rows->per[i];

		if (count[i] == NUM_ABSENT || per < 2)
			continue;
		if (num_add(&rest[i], count[i]) < 0)
			return merge_overflow(w->m);
		count[i] = num_nearest(rest[i], per, &rest[i]);
	}
	return 0;
}

/* Is any value of a total not zero?  One of zeros does not count, and the sum of a sum that
 * had it would be without: equal sums are equal bytes. */
static bool
is_counted(const num *total, size_t n)
{
	while (n && (*total == 0 || *total == NUM_ABSENT)) {
		total++;
		n--;
	}
	return n > 0;
}

static int
write_row(struct writer *w, size_t row)
{
	struct record r = rec_make(w->rows->def->kind);
	const num *v = sums_val(&w->rows->t, row);
	num counts[REC_COLS], *count = counts;
	char tmp[REC_COLS][NUM_TEXT];
	unsigned i;

	if (r.def->kind == REC_TOTAL && !is_counted(v, merge_columns(w->g)))
		return 0;
	set_key(w, &r, sums_key(&w->rows->t, row));
	for (i = 0; i < w->rows->nsum; i++)
		counts[i] = v[i];
	if (w->means && round_counts(w, row, counts) < 0)
		return -1;
	for (i = 0; i < r.def->ncol; i++) {
		if (r.def->col[i].role == ROLE_KEY)
			continue;
		if (*count != NUM_ABSENT)
			r.col[i].t = num_text(tmp[i], *count);
		count++;
	}
	if (r.def->tail & REC_VALUES)
		r.values = merge_values(w, v + w->rows->nsum, merge_columns(w->g));
	return sink_put(w->out, &r);
}

int
merge_write_rows(struct writer *w, enum rec_kind kind)
{
	uint32_t *order;
	size_t i;
	int ret = 0;

	w->rows = ROWS(w->g, kind);
	w->means = false;
	for (i = 0; w->rows->per && i < w->rows->nsum; i++)
		w->means |= w->rows->per[i] > 1;
	if (!w->rows->t.n)
		return 0;
	order = sort_rows(w);
	sums_init(&w->rest, 1, w->rows->nsum);
	for (i = 0; i < w->rows->t.n && ret == 0; i++)
		ret = write_row(w, order[i]);
	sums_free(&w->rest);
	free(order);
	return ret;
}
