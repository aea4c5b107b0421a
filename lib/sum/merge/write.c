/* SPDX-License-Identifier: ISC */
/* Normal form. */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

struct writer {
	struct merge *m;
	struct sink *out;
	struct group *g;
	struct dict *dict;
	uint32_t *place[DEFS];	/* of canonical definitions: in their order, */
	uint32_t *final[DEFS];	/* and their numbers with attributes */
	size_t *event;		/* events of the group in the order they get, */
	bool mixed;		/* which is not theirs */
	const struct rows *rows;	/* that are sorted */
	struct buf values;
	num *val;		/* of a compact row, by the group's event */
};

/* ---- definitions ---- */

static uint32_t
place(const struct writer *w, enum rec_kind kind, uint32_t id)
{
	return id == NO_ID ? 0 : 1 + w->place[kind - REC_OBJECT][id];
}

static int
by_number(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int
by_num(num a, num b)
{
	return a < b ? -1 : a > b;
}

static int
by_text(const struct writer *w, uint32_t a, uint32_t b)
{
	return a == b ? 0 : text_cmp(dict_text(w->dict, a), dict_text(w->dict, b));
}

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
		uint32_t up = dict_def(w->dict, REC_CTX, (uint32_t)i)[CTX_PARENT];

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
		qsort_r(v + from, to - from, sizeof *v, by_ctx, w);
		for (i = from; i < to; i++)
			w->place[REC_CTX - REC_OBJECT][v[i]] = (uint32_t)i;
	}
	free(depth);
	free(by_depth);
	free(at);
}

/* A definition with its attributes, and with final numbers as references. */
static uint32_t
finish_def(struct writer *w, enum rec_kind kind, uint32_t id)
{
	const struct rec_def *def = &rec_table[kind];
	const int k = kind - REC_OBJECT;
	uint32_t cols[DEF_COLS], attrs = w->m->canon.defs[k].attrs[id];
	unsigned i;

	memset(cols, 0xff, sizeof cols);
	memcpy(cols, dict_def(w->dict, kind, id), def->ncol * sizeof *cols);
	for (i = 1; i < def->ncol; i++)
		if (col_is_ref(def->col[i].type) && cols[i - 1] != NO_ID)
			cols[i - 1] = w->final[def->col[i].type - COL_OBJECT][cols[i - 1]];
	if (attrs && def->tail & REC_ATTRS)
		cols[def->ncol - 1] = attrs - 1;
	return dict_redefine(w->dict, kind, id, cols);
}

/* A definition, and the first bytes of its name, which usually decide its order. */
struct named {
	uint64_t start;
	uint32_t id;
};

struct by_start {
	int (*compare)(const void *, const void *, void *);
	struct writer *w;
};

static int
by_start(const void *pa, const void *pb, void *arg)
{
	const struct named *a = pa, *b = pb;
	const struct by_start *how = arg;

	return a->start != b->start ? by_number(a->start, b->start) :
	    how->compare(&a->id, &b->id, how->w);
}

/* Sorts by the first column, a text, then by `compare`. */
static void
sort_named(struct writer *w, enum rec_kind kind, uint32_t *v, size_t n,
    int (*compare)(const void *, const void *, void *))
{
	struct by_start how = { compare, w };
	struct named *list = mem_alloc(n, sizeof *list);
	size_t i, k;

	for (i = 0; i < n; i++) {
		uint32_t first = *dict_def(w->dict, kind, v[i]);
		struct text name = dict_text(w->dict, first);

		list[i].id = v[i];
		for (k = 0; k < sizeof list->start; k++)
			list[i].start = list[i].start << 8 |
			    (k < name.n ? (unsigned char)name.s[k] : 0);
	}
	qsort_r(list, n, sizeof *list, by_start, &how);
	for (i = 0; i < n; i++)
		v[i] = list[i].id;
	free(list);
}

static int
write_defs(struct writer *w, enum rec_kind kind)
{
	static int (*const compare[DEFS])(const void *, const void *, void *) = {
		by_object, by_file, by_func, NULL,
	};
	const int k = kind - REC_OBJECT;
	size_t n = w->m->canon.defs[k].n, count = dict_count(w->dict, kind), i;
	uint32_t *v = w->m->canon.defs[k].used;

	w->place[k] = mem_alloc(count + 1, sizeof **w->place);
	w->final[k] = mem_alloc(count + 1, sizeof **w->final);
	if (compare[k] && n)
		sort_named(w, kind, v, n, compare[k]);
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

/* ---- headers ---- */

/* The order of events if parts do not share one: Valgrind's, the rest by name. */
static size_t
known_place(struct text name)
{
	static const char *const known[] = {
		"Ir", "Dr", "Dw", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw", "Bc",
		"Bcm", "Bi", "Bim",
	};
	size_t i, n = sizeof known / sizeof *known;

	for (i = 0; i < n && !text_is(name, known[i]); i++)
		;
	return i;
}

static int
by_event(const void *pa, const void *pb, void *arg)
{
	const struct group *g = arg;
	const struct event *a = &g->events.v[*(const size_t *)pa];
	const struct event *b = &g->events.v[*(const size_t *)pb];
	struct text na = a->r->col[EVENT_NAME].t, nb = b->r->col[EVENT_NAME].t;
	int c = by_number(!a->measured, !b->measured);

	if (!c)
		c = by_number(known_place(na), known_place(nb));
	return c ? c : text_cmp(na, nb);
}

/* w->event: columns of measured events in the order in which they are put. */
static int
write_events(struct writer *w)
{
	struct group *g = w->g;
	size_t *order = mem_alloc(g->events.n + 1, sizeof *order), i, n = 0;
	int ret = 0;

	for (i = 0; i < g->events.n; i++)
		order[i] = i;
	if (g->mixed)
		qsort_r(order, g->events.n, sizeof *order, by_event, g);
	free(w->event);
	free(w->val);
	w->val = mem_alloc(g->events.measured + 1, sizeof *w->val);
	w->mixed = false;
	w->event = mem_alloc(g->events.measured + 1, sizeof *w->event);
	for (i = 0; i < g->events.n && ret == 0; i++) {
		const struct event *e = &g->events.v[order[i]];
		struct record r = *e->r;

		if (e->measured) {
			w->event[n] = (size_t)events_find(&g->events,
			    r.col[EVENT_NAME].t);
			w->mixed |= w->event[n] != n;
			r.col[EVENT_ID].n = n++;
		}
		ret = sink_put(w->out, &r);
	}
	free(order);
	return ret;
}

static int
by_fact(const void *pa, const void *pb)
{
	const struct fact *a = pa, *b = pb;

	return text_cmp(buf_as_text(&a->key), buf_as_text(&b->key));
}

static int
put_lines(struct writer *w, struct text key, struct text lines)
{
	struct record r;
	const char *p = lines.s, *end = lines.s + lines.n, *lf;

	rec_init(&r, REC_META);
	for (; p < end; p = lf + 1) {
		lf = memchr(p, '\n', (size_t)(end - p));
		r.col[0].t = key;
		r.attrs = (struct text){ p, (size_t)(lf - p) };
		if (sink_put(w->out, &r) < 0)
			return -1;
	}
	return 0;
}

static int
write_facts(struct writer *w)
{
	struct facts *f = &w->g->facts;
	uint64_t source = w->g->key[BY_SOURCE];
	char tmp[NUM_TEXT];
	size_t i;

	facts_sort(f);
	if (f->n)
		qsort(f->v, f->n, sizeof *f->v, by_fact);
	for (i = 0; i < f->n; i++)
		if (put_lines(w, buf_as_text(&f->v[i].key),
		    buf_as_text(&f->v[i].values)) < 0)
			return -1;
	if (w->g->runs > 1 && meta_put(w->out, "runs", (struct text){ tmp,
	    (size_t)(num_put_num(tmp, w->g->runs) - tmp) }) < 0)
		return -1;
	return source ? put_lines(w, TEXT("source"),
	    dict_text(w->dict, (uint32_t)(source - 1))) : 0;
}

/* ---- values ---- */

/* The values of events, of which only the first n may not be 0, without trailing zeros. */
static struct text
values(struct writer *w, const num *v, size_t n)
{
	size_t i;
	char *p;

	if (w->mixed)
		n = w->g->events.measured;

	while (n && v[w->event[n - 1]] == 0)
		n--;
	w->values.n = 0;
	p = buf_room(&w->values, (NUM_TEXT + 1) * n + 1);
	for (i = 0; i < n; i++) {
		num one = v[w->event[i]];

		if (one >= 0 && one < 10)	/* usually */
			*p++ = (char)('0' + (int)one);
		else if (one == ABSENT)
			*p++ = '-';
		else
			p = num_put_num(p, one);
		*p++ = '\t';
	}
	return n ? (struct text){ w->values.s, (size_t)(p - 1 - w->values.s) } :
	    (struct text){ 0 };
}

static int
write_part(struct writer *w, uint64_t run)
{
	struct record r;
	struct buf attrs = { 0 }, positions = { 0 };
	char tmp[24];
	enum position i;
	int ret;

	rec_init(&r, REC_PART);
	for (i = 0; i < POSITIONS; i++) {
		bool keep = w->m->canon.all || (i == POSITION_LINE ?
		    w->m->canon.keeps[BY_LINE] : w->m->canon.keeps[BY_ADDR]);

		if (w->g->position[i] && keep)
			buf_printf(&positions, "%s%s", positions.n ? "," : "",
			    position_name[i]);
	}
	buf_text(&attrs, buf_as_text(&w->g->attrs));
	if (positions.n)
		attr_add(&attrs, "positions", buf_as_text(&positions));
	r.col[0].t = (struct text){ tmp, (size_t)(num_put_u64(tmp, run) - tmp) };
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	ret = sink_put(w->out, &r);
	buf_free(&attrs);
	buf_free(&positions);
	return ret;
}

/* ---- rows ---- */

/* Compares numbers of any length by value. */
static int
by_int(struct text a, struct text b)
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
	    by_int(dict_text(w->dict, (uint32_t)((a >> 8) - 1)),
	    dict_text(w->dict, (uint32_t)((b >> 8) - 1)));
}

static int
by_string(const struct writer *w, enum col_type type, uint64_t a, uint64_t b)
{
	if (a == b)
		return 0;
	if (a == NO_ID || b == NO_ID)
		return a == NO_ID ? -1 : 1;
	return type == COL_INT ? by_int(dict_text(w->dict, (uint32_t)a),
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

/* Sorts all by the first column, if that is a function; then the rows of each one. */
static uint32_t *
sort_rows(struct writer *w)
{
	const struct sums *t = &w->rows->t;
	size_t funcs = w->m->canon.defs[REC_FUNC - REC_OBJECT].n + 1, i;
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
			qsort_r(v + from, at[i] - from, sizeof *v, by_row, w);
	}
	free(at);
	return v;
}

static void
set_key(struct writer *w, struct record *r, const uint64_t *key)
{
	unsigned i;

	for (i = 0; i < r->def->ncol; i++) {
		enum col_type t = r->def->col[i].type;
		struct field *f = &r->col[i];

		key += r->def->col[i].role == ROLE_KIND;	/* the sum tells it */
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

static int
write_row(struct writer *w, size_t row)
{
	struct record r = rec_make(w->rows->def->kind);
	const num *v = sums_val(&w->rows->t, row);
	char tmp[REC_COLS][NUM_TEXT];
	unsigned i;

	set_key(w, &r, sums_key(&w->rows->t, row));
	for (i = 0; i < r.def->ncol; i++) {
		if (r.def->col[i].role == ROLE_KEY)
			continue;
		if (*v != ABSENT)
			r.col[i].t = (struct text){ tmp[i],
			    (size_t)(num_put_num(tmp[i], *v) - tmp[i]) };
		v++;
	}
	if (r.def->tail & REC_VALUES)
		r.values = values(w, v, w->g->events.measured);
	return sink_put(w->out, &r);
}

static int
write_rows(struct writer *w, enum rec_kind kind)
{
	uint32_t *order;
	size_t i;
	int ret = 0;

	w->rows = ROWS(w->g, kind);
	order = sort_rows(w);
	for (i = 0; i < w->rows->t.n && ret == 0; i++)
		ret = write_row(w, order[i]);
	free(order);
	return ret;
}

/* ---- blocks ---- */

struct block_order {
	uint64_t func, file;	/* their places */
	uint32_t block;
};

static int
by_block(const void *pa, const void *pb)
{
	const struct block_order *a = pa, *b = pb;
	int c = by_number(a->func, b->func);

	return c ? c : by_number(a->file, b->file);
}

/* The blocks of a table, whose keys are a function and a file, in their order. */
static struct block_order *
sort_blocks(const struct writer *w, const struct sums *block)
{
	struct block_order *v = mem_alloc(block->n + 1, sizeof *v);
	size_t i;

	for (i = 0; i < block->n; i++) {
		const uint64_t *key = sums_key(block, i);

		v[i] = (struct block_order){ place(w, REC_FUNC, (uint32_t)key[0]),
		    place(w, REC_FILE, (uint32_t)key[1]), (uint32_t)i };
	}
	qsort(v, block->n, sizeof *v, by_block);
	return v;
}

/* Makes r a cost of a block. */
static void
init_cost(const struct writer *w, struct record *r, const uint64_t *key)
{
	rec_init(r, REC_COST);
	if (key[0] != NO_ID)
		r->col[PLACE_FUNC].n = w->final[REC_FUNC - REC_OBJECT][key[0]];
	if (key[1] != NO_ID)
		r->col[PLACE_FILE].n = w->final[REC_FILE - REC_OBJECT][key[1]];
}

/* ---- compact rows ---- */

#define AHEAD 8			/* blocks whose rows are prefetched */

static int
write_block(struct writer *w, struct compact_reader *from, uint32_t block)
{
	struct record r;
	uint32_t line;

	init_cost(w, &r, sums_key(&from->c->block, block));
	compact_open(from, block);
	while (compact_next(from, &line, w->val, w->g->events.measured)) {
		r.col[PLACE_LINE].has = line == COMPACT_NO_LINE ? 0 : HAS_N;
		r.col[PLACE_LINE].n = (uint64_t)line - 1;
		r.values = values(w, w->val, from->used);
		if (sink_put(w->out, &r) < 0)
			return -1;
	}
	return 0;
}

static int
write_compact(struct writer *w)
{
	const struct compact *c = &w->g->compact;
	struct block_order *v = sort_blocks(w, &c->block);
	struct compact_reader from;
	size_t i;
	int ret = 0;

	compact_read(&from, c);
	for (i = 0; i < c->block.n && ret == 0; i++) {
		if (i + AHEAD < c->block.n)
			compact_ahead(&from, v[i + AHEAD].block);
		ret = write_block(w, &from, v[i].block);
	}
	compact_read_end(&from);
	free(v);
	return ret;
}

/* ---- spots ---- */

static int
by_spot(const void *pa, const void *pb, void *arg)
{
	const struct spot *a = spots_at(arg, *(const uint32_t *)pa);
	const struct spot *b = spots_at(arg, *(const uint32_t *)pb);
	int c = by_number(a->line, b->line);

	if (!c)
		c = by_number(a->at_addr, b->at_addr);
	return c ? c : by_number(a->addr, b->addr);
}

/* The spots, those of a block together; at: by block, where those after it begin. */
static uint32_t *
sort_spots(struct spots *s, size_t *at)
{
	uint32_t *v = mem_alloc(s->n + 1, sizeof *v);
	size_t i, from = 0;

	for (i = 0; i < s->n; i++)
		at[spots_at(s, i)->block + 1]++;
	for (i = 0; i < s->block.n; i++)
		at[i + 1] += at[i];
	for (i = 0; i < s->n; i++)
		v[at[spots_at(s, i)->block]++] = (uint32_t)i;
	for (i = 0; i < s->block.n; from = at[i++])
		if (at[i] - from > 1)
			qsort_r(v + from, at[i] - from, sizeof *v, by_spot, s);
	return v;
}

static int
write_spot(struct writer *w, struct record *r, const struct spot *spot)
{
	const size_t ncol = w->g->events.measured;

	r->col[PLACE_LINE].has = spot->line ? HAS_N : 0;
	r->col[PLACE_LINE].n = (uint64_t)spot->line - 1;
	r->col[PLACE_ADDR].has = spot->at_addr ? HAS_N : 0;
	r->col[PLACE_ADDR].n = spot->addr;
	spots_get(&w->g->spots, spot, w->val, ncol);
	r->values = values(w, w->val, ncol);
	return sink_put(w->out, r);
}

static int
write_spots(struct writer *w)
{
	struct spots *s = &w->g->spots;
	size_t *at = mem_alloc(s->block.n + 2, sizeof *at), i, k;
	struct block_order *order = sort_blocks(w, &s->block);
	uint32_t *v = sort_spots(s, at);
	struct record r;
	int ret = 0;

	for (i = 0; i < s->block.n; i++) {
		const uint32_t block = order[i].block;

		init_cost(w, &r, sums_key(&s->block, block));
		for (k = block ? at[block - 1] : 0; k < at[block] && ret == 0; k++)
			ret = write_spot(w, &r, spots_at(s, v[k]));
	}
	free(at);
	free(order);
	free(v);
	return ret;
}

/* Costs are of one sort: if some are not, they become rows of the table. */
static int
write_costs(struct writer *w)
{
	struct group *g = w->g;
	const size_t rows = ROWS(g, REC_COST)->t.n;

	if (!g->spots.n && !rows)
		return write_compact(w);
	if (!g->compact.block.n && !rows)
		return write_spots(w);
	return merge_expand(w->m, g) < 0 ? -1 : write_rows(w, REC_COST);
}

/* ---- the whole ---- */

static int
write_group(struct writer *w, size_t i, uint64_t run)
{
	unsigned kind;

	w->g = &w->m->group[i];
	merge_end_runs(w->m, w->g);
	merge_fill_total(w->g, ROWS(w->g, REC_TOTAL), MERGE_ALL);
	if (write_part(w, run) < 0 || write_facts(w) < 0 || write_events(w) < 0 ||
	    write_rows(w, REC_TOTAL) < 0)
		return -1;
	for (kind = REC_OBJECT; kind <= REC_CTX && i == 0; kind++)
		if (write_defs(w, kind) < 0)
			return -1;
	if (write_costs(w) < 0)
		return -1;
	for (kind = REC_CALL; kind <= REC_RAW; kind++)
		if (write_rows(w, kind) < 0)
			return -1;
	return 0;
}

/* What distinguishes runs, then parts of one. */
static const enum group_by group_key[] = { BY_CMD, BY_PID, BY_SOURCE, BY_PART, BY_THREAD };
#define GROUP_KEYS (sizeof group_key / sizeof *group_key)
#define RUN_KEYS 3

static bool
same_run(const struct group *a, const struct group *b)
{
	size_t i;

	for (i = 0; i < RUN_KEYS && a->key[group_key[i]] == b->key[group_key[i]]; i++)
		;
	return i == RUN_KEYS;
}

static int
by_group(const void *pa, const void *pb, void *arg)
{
	const struct group *a = pa, *b = pb;
	const struct merge *m = arg;
	size_t i;
	int c = 0;

	for (i = 0; i < GROUP_KEYS && !c; i++) {
		uint64_t ka = a->key[group_key[i]], kb = b->key[group_key[i]];

		c = ka && kb ? by_int(dict_text(m->how.dict, (uint32_t)(ka - 1)),
		    dict_text(m->how.dict, (uint32_t)(kb - 1))) : by_number(ka, kb);
	}
	return c;
}

int
merge_begin(struct merge *m, struct sink *out)
{
	struct record r;

	rec_init(&r, REC_PROF);
	m->begun = true;
	r.col[0].t = TEXT("1");
	return sink_put(out, &r);
}

int
merge_write(struct merge *m, struct sink *out)
{
	struct writer w = { .m = m, .out = out, .dict = m->how.dict };
	struct record r;
	uint64_t run = 0;
	size_t i;
	int ret = m->begun ? 0 : merge_begin(m, out), k;

	rec_init(&r, REC_END);
	if (m->ngroup)
		qsort_r(m->group, m->ngroup, sizeof *m->group, by_group, m);
	for (i = 0; i < m->ngroup && ret == 0; i++) {
		run += i == 0 || !same_run(&m->group[i - 1], &m->group[i]);
		ret = write_group(&w, i, run);
	}
	if (ret == 0)
		ret = sink_put(out, &r);
	for (k = 0; k < DEFS; k++) {
		free(w.place[k]);
		free(w.final[k]);
	}
	free(w.event);
	buf_free(&w.values);
	free(w.val);
	return ret;
}
