/* SPDX-License-Identifier: ISC */
#include "stream/dict.h"

#include <stdlib.h>

#include "stream/contexts.h"
#include "util/mem.h"

#define CHUNK ((size_t)64 << 10)

struct defs {
	unsigned ncol;
	uint32_t *col;
	size_t n, cap;
	struct hash_index index;
	struct predictor guess;
};

struct dict {
	const char **str;	/* the bytes, after their number */
	size_t nstr, capstr;
	struct hash_index index;
	struct predictor guess;
	char *room, *room_end;	/* free bytes of the last chunk */
	char **chunk;
	size_t nchunk, capchunk;
	struct defs defs[DEFS];	/* in the place of contexts: frames, as contexts without
				 * callers */
	struct contexts contexts;
	uint32_t *bare;		/* by function: its frame without anything else + 1 */
	size_t capbare;
};

struct dict *
dict_new(void)
{
	struct dict *d = mem_alloc(1, sizeof *d);
	int i;

	for (i = 0; i < DEFS; i++)
		d->defs[i].ncol = rec_table[REC_OBJECT + i].ncol;	/* - id + attrs */
	contexts_init(&d->contexts);
	return d;
}

void
dict_free(struct dict *d)
{
	size_t i;

	if (!d)
		return;
	for (i = 0; i < DEFS; i++) {
		free(d->defs[i].col);
		index_free(&d->defs[i].index);
	}
	for (i = 0; i < d->nchunk; i++)
		free(d->chunk[i]);
	contexts_free(&d->contexts);
	free(d->bare);
	free(d->chunk);
	free(d->str);
	index_free(&d->index);
	free(d);
}

struct text
dict_text(const struct dict *d, uint32_t str)
{
	uint32_t n;

	if (str == NO_ID)
		return (struct text){ 0 };
	memcpy(&n, d->str[str] - sizeof n, sizeof n);
	return (struct text){ d->str[str], n };
}

static const char *
store(struct dict *d, struct text t)
{
	size_t need = sizeof(uint32_t) + t.n + 1;
	uint32_t n = (uint32_t)t.n;
	char *p;

	if (need > (size_t)(d->room_end - d->room)) {
		size_t size = need > CHUNK / 4 ? need : CHUNK;

		p = mem_resize(NULL, size, 1);
		d->chunk = mem_grow(d->chunk, &d->capchunk, d->nchunk + 1,
		    sizeof *d->chunk);
		d->chunk[d->nchunk++] = p;
		if (size == CHUNK) {
			d->room = p;
			d->room_end = p + size;
		}
	} else {
		p = d->room;
	}
	if (p == d->room)
		d->room += need;
	memcpy(p, &n, sizeof n);
	p += sizeof n;
	if (t.n)
		memcpy(p, t.s, t.n);
	p[t.n] = '\0';
	return p;
}

static inline uint32_t
hash_str(struct text t)
{
	return hash_upper(hash_bytes(t.s, t.n));
}

static uint32_t
find_str(const struct dict *d, struct text t, uint32_t h)
{
	size_t i = h;
	uint32_t id1;

	while ((id1 = index_next(&d->index, h, &i)))
		if (text_eq(dict_text(d, id1 - 1), t))
			return id1 - 1;
	return NO_ID;
}

uint32_t
dict_find_str(const struct dict *d, struct text t)
{
	return t.s ? find_str(d, t, hash_str(t)) : NO_ID;
}

uint32_t
dict_str(struct dict *d, struct text t)
{
	uint32_t h, id;

	if (!t.s)
		return NO_ID;
	if (t.n >= UINT32_MAX - 8)
		mem_fail(t.n);
	if (d->guess.next < d->nstr && text_eq(dict_text(d, d->guess.next), t))
		return predictor_hit(&d->guess);
	h = hash_str(t);
	if ((id = find_str(d, t, h)) != NO_ID)
		return predictor_missed(&d->guess, id);
	if (d->nstr >= NO_ID - 1)
		mem_fail(0);
	d->str = mem_grow(d->str, &d->capstr, d->nstr + 1, sizeof *d->str);
	d->str[d->nstr] = store(d, t);
	if (index_grows(&d->index))
		for (id = 0; id < d->nstr; id++)
			index_put(&d->index, hash_str(dict_text(d, id)), id);
	index_put(&d->index, h, (uint32_t)d->nstr);
	return (uint32_t)d->nstr++;
}

uint32_t
dict_count(const struct dict *d, enum rec_kind kind)
{
	return (uint32_t)(kind == REC_CTX ? d->contexts.n : d->defs[kind - REC_OBJECT].n);
}

static inline const uint32_t *
cols_of(const struct dict *d, enum rec_kind kind, uint32_t id)
{
	static const uint32_t none[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID,
	    NO_ID };
	const struct defs *t = &d->defs[kind - REC_OBJECT];

	return id == NO_ID ? none : t->col + (size_t)id * t->ncol;
}

const uint32_t *
dict_def(const struct dict *d, enum rec_kind kind, uint32_t id)
{
	return cols_of(d, kind, id);
}

uint32_t
dict_caller(const struct dict *d, uint32_t ctx)
{
	return contexts_get(&d->contexts, ctx)->caller - 1;
}

uint32_t
dict_frame_id(const struct dict *d, uint32_t ctx)
{
	return contexts_get(&d->contexts, ctx)->frame;
}

const uint32_t *
dict_frame(const struct dict *d, uint32_t ctx)
{
	return cols_of(d, REC_CTX, dict_frame_id(d, ctx));
}

void
dict_cols(const struct dict *d, enum rec_kind kind, uint32_t id, uint32_t cols[DEF_COLS])
{
	const bool frame = kind == REC_CTX;

	memcpy(cols, frame ? dict_frame(d, id) : cols_of(d, kind, id),
	    d->defs[kind - REC_OBJECT].ncol * sizeof *cols);
	if (frame)
		cols[CTX_PARENT] = dict_caller(d, id);
}

struct contexts *
dict_contexts(struct dict *d)
{
	return &d->contexts;
}

/* Compares two columns at a time, as a call of memcmp() costs more than these few do. */
static inline bool
same_cols(const uint32_t *a, const uint32_t *b, unsigned n)
{
	uint64_t x, y;
	unsigned i;

	for (i = 0; i + 1 < n; i += 2) {
		memcpy(&x, a + i, sizeof x);
		memcpy(&y, b + i, sizeof y);
		if (x != y)
			return false;
	}
	return !(n & 1) || a[n - 1] == b[n - 1];
}

static inline uint32_t
hash_cols(const uint32_t *c, unsigned n)
{
	/* Multiplied as well: strings that were new together have similar numbers. */
	uint64_t h = n & 1 ? c[n - 1] * HASH_FACTOR : 0, x;
	unsigned i;

	for (i = 0; i + 1 < n; i += 2) {
		memcpy(&x, c + i, sizeof x);
		h = hash_number(h, x);
	}
	return hash_upper(h);
}

/* ncol is a constant wherever this is inlined. */
static inline __attribute__((always_inline)) uint32_t
define(struct defs *t, const uint32_t *cols, unsigned ncol, bool *fresh)
{
	uint32_t h, id1, id;
	size_t i;

	*fresh = false;
	if (t->guess.next < t->n &&
	    same_cols(cols, t->col + (size_t)t->guess.next * ncol, ncol))
		return predictor_hit(&t->guess);
	h = hash_cols(cols, ncol);
	for (i = h; (id1 = index_next(&t->index, h, &i)); )
		if (same_cols(cols, t->col + (size_t)(id1 - 1) * ncol, ncol))
			return predictor_missed(&t->guess, id1 - 1);
	*fresh = true;
	if (t->n >= NO_ID - 1)
		mem_fail(0);
	t->col = mem_grow(t->col, &t->cap, (t->n + 1) * ncol, sizeof *t->col);
	memcpy(t->col + t->n * ncol, cols, ncol * sizeof *cols);
	if (index_grows(&t->index))
		for (id = 0; id < t->n; id++)
			index_put(&t->index, hash_cols(t->col + (size_t)id * ncol, ncol), id);
	index_put(&t->index, h, (uint32_t)t->n);
	return (uint32_t)t->n++;
}

static uint32_t
define_frame(struct dict *d, const uint32_t *cols)
{
	uint32_t frame[DEF_COLS];
	bool fresh;

	memcpy(frame, cols, sizeof frame);
	frame[CTX_PARENT] = NO_ID;
	return define(&d->defs[REC_CTX - REC_OBJECT], frame, DEF_COLS, &fresh);
}

/* Most frames are a function and nothing else. */
uint32_t
dict_define_frame(struct dict *d, const uint32_t *cols)
{
	const uint32_t func = cols[CTX_FUNC];

	if (func == NO_ID || (cols[CTX_FILE] & cols[CTX_LINE] & cols[CTX_ADDR] &
	    cols[CTX_ATTRS]) != NO_ID)
		return define_frame(d, cols);
	if (func >= d->capbare || !d->bare[func]) {
		d->bare = mem_reach(d->bare, &d->capbare, func, sizeof *d->bare, 0);
		d->bare[func] = define_frame(d, cols) + 1;
	}
	return d->bare[func] - 1;
}

static uint32_t
define_kind(struct dict *d, enum rec_kind kind, const uint32_t *cols, bool *fresh)
{
	struct defs *t = &d->defs[kind - REC_OBJECT];

	switch (t->ncol) {
	case 2: return define(t, cols, 2, fresh);
	case 3: return define(t, cols, 3, fresh);
	case 5: return define(t, cols, 5, fresh);
	default: return contexts_define(&d->contexts, cols[CTX_PARENT],
	    dict_define_frame(d, cols), fresh);
	}
}

uint32_t
dict_redefine(struct dict *d, enum rec_kind kind, uint64_t id, const uint32_t *cols)
{
	uint32_t like[DEF_COLS];
	bool fresh;

	dict_cols(d, kind, (uint32_t)id, like);
	if (id != NO_ID && memcmp(cols, like,
	    d->defs[kind - REC_OBJECT].ncol * sizeof *cols) == 0)
		return (uint32_t)id;
	return define_kind(d, kind, cols, &fresh);
}

int
dict_put(struct dict *d, struct sink *s, enum rec_kind kind, const uint32_t *cols,
    uint32_t *id)
{
	struct record r;
	bool fresh;

	*id = define_kind(d, kind, cols, &fresh);
	if (!fresh)
		return 0;
	dict_record(d, kind, *id, &r);
	return sink_put(s, &r);
}

void
dict_tuple(struct dict *d, const struct record *r, uint32_t cols[DEF_COLS])
{
	char text[48];
	unsigned i;

	for (i = 1; i < r->def->ncol; i++) {
		const struct field *f = &r->col[i];

		switch (r->def->col[i].type) {
		case COL_STR:
			cols[i - 1] = dict_str(d, f->t);
			break;
		case COL_LINE:
			cols[i - 1] = !f->has ? NO_ID : dict_str(d,
			    (struct text){ text, (size_t)(field_put_line(text, f) - text) });
			break;
		case COL_ADDR:
			cols[i - 1] = !f->has ? NO_ID : dict_str(d,
			    (struct text){ text, (size_t)(field_put_addr(text, f) - text) });
			break;
		default:
			cols[i - 1] = (uint32_t)f->n;
		}
	}
	cols[i - 1] = dict_str(d, r->attrs);
}

/* A context's, without a loop: there may be one for each sample. */
static void
record_ctx(const struct dict *d, uint32_t ctx, struct record *r)
{
	const uint32_t *cols = dict_frame(d, ctx);

	rec_init(r, REC_CTX);
	r->col[0].n = ctx;
	r->col[1 + CTX_PARENT].n = dict_caller(d, ctx);
	r->col[1 + CTX_FUNC].n = cols[CTX_FUNC];
	r->col[1 + CTX_FILE].n = cols[CTX_FILE];
	if (cols[CTX_LINE] != NO_ID)
		field_get_line(dict_text(d, cols[CTX_LINE]), &r->col[1 + CTX_LINE]);
	if (cols[CTX_ADDR] != NO_ID)
		field_get_addr(dict_text(d, cols[CTX_ADDR]), &r->col[1 + CTX_ADDR]);
	if (cols[CTX_ATTRS] != NO_ID)
		r->attrs = dict_text(d, cols[CTX_ATTRS]);
}

void
dict_record(const struct dict *d, enum rec_kind kind, uint32_t id, struct record *r)
{
	uint32_t cols[DEF_COLS];
	unsigned i;

	if (kind == REC_CTX) {
		record_ctx(d, id, r);
		return;
	}
	dict_cols(d, kind, id, cols);
	rec_init(r, kind);
	r->col[0].n = id;
	for (i = 1; i < r->def->ncol; i++) {
		struct field *f = &r->col[i];

		switch (r->def->col[i].type) {
		case COL_STR:
			f->t = dict_text(d, cols[i - 1]);
			break;
		case COL_LINE:
			if (cols[i - 1] != NO_ID)
				field_get_line(dict_text(d, cols[i - 1]), f);
			break;
		case COL_ADDR:
			if (cols[i - 1] != NO_ID)
				field_get_addr(dict_text(d, cols[i - 1]), f);
			break;
		default:
			f->n = cols[i - 1];
		}
	}
	r->attrs = dict_text(d, cols[i - 1]);
}

struct text
dict_path(const struct dict *d, uint32_t file)
{
	return dict_text(d, dict_def(d, REC_FILE, file)[FILE_PATH]);
}

struct text
dict_object_path(const struct dict *d, uint32_t object)
{
	return dict_text(d, dict_def(d, REC_OBJECT, object)[OBJECT_PATH]);
}

struct text
dict_func_name(const struct dict *d, uint32_t func)
{
	return dict_text(d, dict_def(d, REC_FUNC, func)[FUNC_NAME]);
}

uint32_t
dict_func_bare(struct dict *d, uint64_t func, bool *fresh)
{
	uint32_t cols[DEF_COLS];

	*fresh = false;
	memcpy(cols, dict_def(d, REC_FUNC, (uint32_t)func),
	    (FUNC_ATTRS + 1) * sizeof *cols);
	if (cols[FUNC_ATTRS] == NO_ID)
		return (uint32_t)func;
	cols[FUNC_ATTRS] = NO_ID;
	return define_kind(d, REC_FUNC, cols, fresh);
}
