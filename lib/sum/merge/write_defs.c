/* SPDX-License-Identifier: ISC */
/* Writes definitions, sorted by their contents, and numbered in that order. */
#include "writer.h"

#include <stdlib.h>

#include "util/key_sort.h"
#include "util/mem.h"
#include "util/system.h"

/* ---- order ---- */

static int
by_field(const struct field *a, const struct field *b)
{
	int c = by_number(a->has & HAS_N, b->has & HAS_N);

	if (!c && a->has & HAS_N)
		c = by_number(a->n, b->n);
	if (!c)
		c = by_number(a->has, b->has);
	return c || !(a->has & (HAS_M | HAS_BB)) ? c : by_number(a->m, b->m);
}

static int
by_object(const void *pa, const void *pb, void *arg)
{
	const struct writer *w = arg;
	const uint32_t *a = dict_def(w->dict, REC_OBJECT, *(const uint32_t *)pa);
	const uint32_t *b = dict_def(w->dict, REC_OBJECT, *(const uint32_t *)pb);
	int c = by_text(w, a[OBJECT_PATH], b[OBJECT_PATH]);

	return c ? c : by_text(w, a[OBJECT_KEY], b[OBJECT_KEY]);
}

static int
by_file(const void *pa, const void *pb, void *arg)
{
	const struct writer *w = arg;

	return by_text(w, *dict_def(w->dict, REC_FILE, *(const uint32_t *)pa),
	    *dict_def(w->dict, REC_FILE, *(const uint32_t *)pb));
}

static int
by_func(const void *pa, const void *pb, void *arg)
{
	const struct writer *w = arg;
	const uint32_t *a = dict_def(w->dict, REC_FUNC, *(const uint32_t *)pa);
	const uint32_t *b = dict_def(w->dict, REC_FUNC, *(const uint32_t *)pb);
	int c = by_text(w, a[FUNC_NAME], b[FUNC_NAME]);

	if (!c)
		c = by_number(place(w, REC_FILE, a[FUNC_FILE]),
		    place(w, REC_FILE, b[FUNC_FILE]));
	if (!c)
		c = by_number(place(w, REC_OBJECT, a[FUNC_OBJECT]),
		    place(w, REC_OBJECT, b[FUNC_OBJECT]));
	return c ? c : by_text(w, a[FUNC_KEY], b[FUNC_KEY]);
}

/* Compares contexts of the same depth. */
static int
by_ctx(const void *pa, const void *pb, void *arg)
{
	const struct writer *w = arg;
	struct record a;
	struct record b;
	static const struct { int col; enum rec_kind kind; } ref[] = {
		{ CTX_PARENT, REC_CTX }, { CTX_FUNC, REC_FUNC }, { CTX_FILE, REC_FILE },
	};
	size_t i;
	int c = 0;

	dict_record(w->dict, REC_CTX, *(const uint32_t *)pb, &b);
	dict_record(w->dict, REC_CTX, *(const uint32_t *)pa, &a);
	for (i = 0; i < 3 && !c; i++)
		c = by_number(place(w, ref[i].kind, (uint32_t)a.col[1 + ref[i].col].n),
		    place(w, ref[i].kind, (uint32_t)b.col[1 + ref[i].col].n));
	if (!c)
		c = by_field(&a.col[1 + CTX_LINE], &b.col[1 + CTX_LINE]);
	return c ? c : by_field(&a.col[1 + CTX_ADDR], &b.col[1 + CTX_ADDR]);
}

/* The first column of a kind of definitions. */
struct names {
	struct writer *w;
	enum rec_kind kind;
};

static struct text
name_of(const void *arg, uint32_t id)
{
	const struct names *names = arg;

	return dict_text(names->w->dict, *dict_def(names->w->dict, names->kind, id));
}

/* Sorts contexts by depth, then within each: callers come first. */
static void
sort_ctxs(struct writer *w, uint32_t *v, size_t n)
{
	size_t count = dict_count(w->dict, REC_CTX), i, from, to;
	uint32_t *depth = mem_alloc(count + 1, sizeof *depth), deepest = 0;
	uint32_t *by_depth = mem_alloc(n + 1, sizeof *by_depth);
	size_t *at;

	/* A caller's number is smaller. */
	for (i = 0; i < count; i++) {
		uint32_t up = dict_caller(w->dict, (uint32_t)i);

		depth[i] = up == NO_ID ? 0 : depth[up] + 1;
		deepest = depth[i] > deepest ? depth[i] : deepest;
	}
	at = mem_alloc((size_t)deepest + 2, sizeof *at);
	for (i = 0; i < n; i++)
		at[depth[v[i]] + 1]++;
	for (i = 0; i <= deepest; i++)
		at[i + 1] += at[i];
	for (i = 0; i < n; i++)
		by_depth[at[depth[v[i]]]++] = v[i];
	memcpy(v, by_depth, n * sizeof *v);
	for (from = 0; from < n; from = to) {
		for (to = from; to < n && depth[v[to]] == depth[v[from]]; to++)
			;
		system_sort(v + from, to - from, sizeof *v, by_ctx, w);
		for (i = from; i < to; i++)
			w->place[REC_CTX - REC_OBJECT][v[i]] = (uint32_t)i;
	}
	free(depth);
	free(by_depth);
	free(at);
}

/* ---- records ---- */

/* Returns a definition with its attributes, and with final numbers as references. */
static uint32_t
finish_def(struct writer *w, enum rec_kind kind, uint32_t id)
{
	const struct rec_def *def = &rec_table[kind];
	const uint32_t attrs = canonical_attrs(&w->m->canonical, kind, id);
	uint32_t cols[DEF_COLS];
	unsigned i;

	memset(cols, 0xff, sizeof cols);
	dict_cols(w->dict, kind, id, cols);
	for (i = 1; i < def->ncol; i++)
		if (col_is_ref(def->col[i].type) && cols[i - 1] != NO_ID)
			cols[i - 1] = w->final[def->col[i].type - COL_OBJECT][cols[i - 1]];
	if (attrs && def->tail & REC_ATTRS)
		cols[def->ncol - 1] = attrs - 1;
	return dict_redefine(w->dict, kind, id, cols);
}

int
merge_write_defs(struct writer *w, enum rec_kind kind)
{
	static int (*const compare[DEFS])(const void *, const void *, void *) = {
		by_object, by_file, by_func, NULL,
	};
	const int k = kind - REC_OBJECT;
	size_t n = w->m->canonical.defs[k].n, count = dict_count(w->dict, kind), i;
	uint32_t *v = w->m->canonical.defs[k].used;
	struct names names = { w, kind };

	w->place[k] = mem_alloc(count + 1, sizeof **w->place);
	w->final[k] = mem_alloc(count + 1, sizeof **w->final);
	if (compare[k])
		key_sort_texts(v, n, &(struct texts){ name_of, &names, compare[k], w });
	else if (n)
		sort_ctxs(w, v, n);
	for (i = 0; i < n; i++) {
		struct record r;

		w->place[k][v[i]] = (uint32_t)i;
		w->final[k][v[i]] = finish_def(w, kind, v[i]);
		dict_record(w->dict, kind, w->final[k][v[i]], &r);
		if (sink_put(w->out, &r) < 0)
			return -1;
	}
	return 0;
}
