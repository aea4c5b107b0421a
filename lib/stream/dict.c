/* SPDX-License-Identifier: ISC */
#include "stream/dict.h"

#include <stdlib.h>

#include "stream/contexts.h"
#include "util/mem.h"

#define CHUNK ((size_t)64 << 10)
#define CHUNK_PLACES (CHUNK / 2)	/* a text begins at an even byte */
#define SHORT 255		/* bytes; the length of longer texts follows this one */

struct defs {
	unsigned ncol;
	uint32_t *col;		/* of functions: only the first FUNC_PAIR ones */
	size_t n, cap;
	struct hash_index index;	/* not of functions */
	struct predictor guess;
};

#define FUNC_COLS (FUNC_ATTRS + 1)
#define FUNC_PAIR 2		/* the name and the file, the only columns of most functions
				 * where there are millions */
#define FUNC_REST (FUNC_COLS - FUNC_PAIR)

struct dict {
	uint32_t *str;		/* the place of each text: they are numbered through all chunks.
				 * There may be millions of texts, so this is no pointer */
	size_t nstr, capstr;
	struct hash_index index;
	struct predictor guess;
	uint32_t room, room_end;	/* free places of the chunk for short texts */
	char **chunk;		/* a long text has several of its own, in one piece */
	size_t nchunk, capchunk;
	char **piece;		/* to be freed */
	size_t npiece, cappiece;
	struct defs defs[DEFS];	/* in the place of contexts: frames, as contexts without
				 * callers */
	uint32_t *func_rest;	/* the other columns of functions; NULL: all are absent */
	size_t capfunc_rest;
	uint32_t *func_of;	/* by name: the first function that has it + 1 */
	size_t capfunc_of;
	struct other_funcs {
		uint32_t *v;
		size_t n, cap;
		struct hash_index index;	/* of v */
	} others;
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
	for (i = 0; i < d->npiece; i++)
		free(d->piece[i]);
	free(d->piece);
	contexts_free(&d->contexts);
	free(d->bare);
	free(d->func_of);
	free(d->func_rest);
	free(d->others.v);
	index_free(&d->others.index);
	free(d->chunk);
	free(d->str);
	index_free(&d->index);
	free(d);
}

static inline char *
place(const struct dict *d, uint32_t at)
{
	return d->chunk[at / CHUNK_PLACES] + at % CHUNK_PLACES * 2;
}

static inline struct text
text_at(const struct dict *d, uint32_t at)
{
	const char *p = place(d, at);
	uint32_t n = (unsigned char)*p++;

	if (n == SHORT) {
		memcpy(&n, p, sizeof n);
		p += sizeof n;
	}
	return (struct text){ p, n };
}

struct text
dict_text(const struct dict *d, uint32_t str)
{
	return str == NO_ID ? (struct text){ 0 } : text_at(d, d->str[str]);
}

/* Returns the first place of n bytes that are one after the other, in new chunks. */
static uint32_t
add_chunks(struct dict *d, size_t n)
{
	const size_t first = d->nchunk;
	char *p = mem_resize(NULL, n, 1);
	size_t i;

	if ((first + n / CHUNK + 1) * CHUNK_PLACES > UINT32_MAX)
		mem_fail(n);
	d->piece = mem_grow(d->piece, &d->cappiece, d->npiece + 1, sizeof *d->piece);
	d->piece[d->npiece++] = p;
	for (i = 0; i < n; i += CHUNK) {
		d->chunk = mem_grow(d->chunk, &d->capchunk, d->nchunk + 1,
		    sizeof *d->chunk);
		d->chunk[d->nchunk++] = p + i;
	}
	return (uint32_t)(first * CHUNK_PLACES);
}

/* Returns the place of n bytes. */
static uint32_t
find_room(struct dict *d, size_t n)
{
	const uint32_t places = (uint32_t)((n + 1) / 2);

	if (n > CHUNK / 2)
		return add_chunks(d, n);
	if (places > d->room_end - d->room) {
		d->room = add_chunks(d, CHUNK);
		d->room_end = d->room + CHUNK_PLACES;
	}
	d->room += places;
	return d->room - places;
}

/* Returns the place of a copy: its length, its bytes and a NUL. */
static uint32_t
store(struct dict *d, struct text t)
{
	const uint32_t n = (uint32_t)t.n;
	const uint32_t at = find_room(d, (n < SHORT ? 1 : 1 + sizeof n) + t.n + 1);
	char *p = place(d, at);

	*p++ = (char)(n < SHORT ? n : SHORT);
	if (n >= SHORT) {
		memcpy(p, &n, sizeof n);
		p += sizeof n;
	}
	if (n)
		memcpy(p, t.s, n);
	p[n] = '\0';
	return at;
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

void
dict_prefetch(const struct dict *d, struct text t)
{
	index_prefetch(&d->index, hash_str(t));
}

static void
index_all(struct dict *d)
{
	uint32_t hash[INDEX_AHEAD], id, *h;

	for (id = 0; id < d->nstr + INDEX_AHEAD; id++) {
		h = &hash[id % INDEX_AHEAD];
		if (id >= INDEX_AHEAD && id - INDEX_AHEAD < d->nstr)
			index_put(&d->index, *h, id - INDEX_AHEAD);
		if (id < d->nstr)
			index_prefetch(&d->index, *h = hash_str(dict_text(d, id)));
	}
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
		index_all(d);
	index_put(&d->index, h, (uint32_t)d->nstr);
	return (uint32_t)d->nstr++;
}

uint32_t
dict_line(struct dict *d, uint64_t line, uint64_t column)
{
	struct field f = { .n = line, .m = column, .has = HAS_N | (column ? HAS_M : 0) };
	char tmp[FIELD_TEXT];

	return line || column ?
	    dict_str(d, (struct text){ tmp, (size_t)(field_put_line(tmp, &f) - tmp) }) : NO_ID;
}

uint32_t
dict_addr(struct dict *d, uint64_t addr)
{
	char tmp[FIELD_TEXT];

	return dict_str(d, num_text_hex(tmp, addr));
}

uint32_t
dict_count(const struct dict *d, enum rec_kind kind)
{
	return (uint32_t)(kind == REC_CTX ? d->contexts.n : d->defs[kind - REC_OBJECT].n);
}

static const uint32_t none[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };

/* Returns the columns of any definition but a function. */
static inline const uint32_t *
cols_of(const struct dict *d, enum rec_kind kind, uint32_t id)
{
	const struct defs *t = &d->defs[kind - REC_OBJECT];

	return id == NO_ID ? none : t->col + (size_t)id * t->ncol;
}

static inline const uint32_t *
func_pair(const struct dict *d, uint32_t func)
{
	return d->defs[REC_FUNC - REC_OBJECT].col + (size_t)func * FUNC_PAIR;
}

static inline const uint32_t *
func_rest(const struct dict *d, uint32_t func)
{
	return d->func_rest ? d->func_rest + (size_t)func * FUNC_REST : none;
}

const uint32_t *
dict_def_into(const struct dict *d, enum rec_kind kind, uint32_t id, uint32_t cols[DEF_COLS])
{
	if (kind != REC_FUNC || id == NO_ID)
		return cols_of(d, kind, id);
	memcpy(cols, func_pair(d, id), FUNC_PAIR * sizeof *cols);
	memcpy(cols + FUNC_PAIR, func_rest(d, id), FUNC_REST * sizeof *cols);
	return cols;
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
	const uint32_t *from = frame ? dict_frame(d, id) : dict_def_into(d, kind, id, cols);

	if (from != cols)
		memcpy(cols, from, d->defs[kind - REC_OBJECT].ncol * sizeof *cols);
	if (frame)
		cols[CTX_PARENT] = dict_caller(d, id);
}

struct contexts *
dict_contexts(struct dict *d)
{
	return &d->contexts;
}

void
dict_forget_contexts(struct dict *d)
{
	contexts_clear(&d->contexts);
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

static inline const uint32_t *
row(const struct defs *t, size_t id, unsigned ncol)
{
	return t->col + id * ncol;
}

static inline uint32_t
add(struct defs *t, const uint32_t *cols, unsigned ncol)
{
	if (t->n >= NO_ID - 1)
		mem_fail(0);
	t->col = mem_grow(t->col, &t->cap, (t->n + 1) * ncol, sizeof *t->col);
	memcpy(t->col + t->n * ncol, cols, ncol * sizeof *cols);
	return (uint32_t)t->n++;
}

/* ncol is a constant wherever this is inlined. */
static inline __attribute__((always_inline)) uint32_t
define(struct defs *t, const uint32_t *cols, unsigned ncol, bool *fresh)
{
	const uint32_t h = hash_cols(cols, ncol);
	uint32_t id1, id;
	size_t i;

	for (i = h; (id1 = index_next(&t->index, h, &i)); )
		if (same_cols(cols, row(t, id1 - 1, ncol), ncol))
			return predictor_missed(&t->guess, id1 - 1);
	*fresh = true;
	if (index_grows(&t->index))
		for (id = 0; id < t->n; id++)
			index_put(&t->index, hash_cols(row(t, id, ncol), ncol), id);
	index_put(&t->index, h, (uint32_t)t->n);
	return add(t, cols, ncol);
}

static inline bool
is_next(const struct defs *t, const uint32_t *cols, unsigned ncol)
{
	return t->guess.next < t->n && same_cols(cols, row(t, t->guess.next, ncol), ncol);
}

/* ---- functions ---- */

static inline bool
is_func(const struct dict *d, uint32_t func, const uint32_t *cols)
{
	return same_cols(cols, func_pair(d, func), FUNC_PAIR) &&
	    same_cols(cols + FUNC_PAIR, func_rest(d, func), FUNC_REST);
}

static uint32_t
add_func(struct dict *d, const uint32_t *cols)
{
	const uint32_t func = add(&d->defs[REC_FUNC - REC_OBJECT], cols, FUNC_PAIR);

	if (!d->func_rest && same_cols(cols + FUNC_PAIR, none, FUNC_REST))
		return func;
	d->func_rest = mem_reach(d->func_rest, &d->capfunc_rest,
	    (size_t)func * FUNC_REST + FUNC_REST - 1, sizeof *d->func_rest, 0xff);
	memcpy(d->func_rest + (size_t)func * FUNC_REST, cols + FUNC_PAIR,
	    FUNC_REST * sizeof *cols);
	return func;
}

static uint32_t
hash_func(const struct dict *d, uint32_t func)
{
	uint32_t cols[DEF_COLS];

	return hash_cols(dict_def_into(d, REC_FUNC, func, cols), FUNC_COLS);
}

/* Defines a function whose name another one has, too, or that has none. */
static uint32_t
define_other(struct dict *d, const uint32_t *cols, bool *fresh)
{
	struct other_funcs *o = &d->others;
	const uint32_t h = hash_cols(cols, FUNC_COLS);
	uint32_t at1, at;
	size_t i;

	for (i = h; (at1 = index_next(&o->index, h, &i)); )
		if (is_func(d, o->v[at1 - 1], cols))
			return o->v[at1 - 1];
	*fresh = true;
	if (index_grows(&o->index))
		for (at = 0; at < o->n; at++)
			index_put(&o->index, hash_func(d, o->v[at]), at);
	index_put(&o->index, h, (uint32_t)o->n);
	o->v = mem_grow(o->v, &o->cap, o->n + 1, sizeof *o->v);
	return o->v[o->n++] = add_func(d, cols);
}

/* A new name is that of a new function, which needs no search of its own. */
static uint32_t
search_func(struct dict *d, const uint32_t *cols, bool *fresh)
{
	const uint32_t name = cols[FUNC_NAME];

	if (name == NO_ID)
		return define_other(d, cols, fresh);
	d->func_of = mem_reach(d->func_of, &d->capfunc_of, name, sizeof *d->func_of, 0);
	if (d->func_of[name])
		return is_func(d, d->func_of[name] - 1, cols) ? d->func_of[name] - 1 :
		    define_other(d, cols, fresh);
	*fresh = true;
	d->func_of[name] = add_func(d, cols) + 1;
	return d->func_of[name] - 1;
}

static uint32_t
define_func(struct dict *d, const uint32_t *cols, bool *fresh)
{
	struct defs *t = &d->defs[REC_FUNC - REC_OBJECT];
	uint32_t func;

	if (t->guess.next < t->n && is_func(d, t->guess.next, cols))
		return predictor_hit(&t->guess);
	func = search_func(d, cols, fresh);
	return *fresh ? func : predictor_missed(&t->guess, func);
}

/* ---- definitions of any kind ---- */

static uint32_t
define_frame(struct dict *d, const uint32_t *cols)
{
	struct defs *t = &d->defs[REC_CTX - REC_OBJECT];
	uint32_t frame[DEF_COLS];
	bool fresh;

	memcpy(frame, cols, sizeof frame);
	frame[CTX_PARENT] = NO_ID;
	if (is_next(t, frame, DEF_COLS))
		return predictor_hit(&t->guess);
	return define(t, frame, DEF_COLS, &fresh);
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

	*fresh = false;
	if (kind == REC_CTX)
		return contexts_define(&d->contexts, cols[CTX_PARENT],
		    dict_define_frame(d, cols), fresh);
	if (kind == REC_FUNC)
		return define_func(d, cols, fresh);
	if (is_next(t, cols, t->ncol))
		return predictor_hit(&t->guess);
	return t->ncol == 2 ? define(t, cols, 2, fresh) : define(t, cols, 3, fresh);
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

static void
prefetch_str(const struct dict *d, uint32_t str, bool text)
{
	if (str != NO_ID)
		__builtin_prefetch(text ? (const void *)place(d, d->str[str]) : &d->str[str]);
}

void
dict_prefetch_func(const struct dict *d, uint32_t func, unsigned step)
{
	const uint32_t *pair = func_pair(d, func), *file;

	if (step == 0) {
		__builtin_prefetch(pair);
		return;
	}
	file = cols_of(d, REC_FILE, pair[FUNC_FILE]);
	if (step == 1)
		__builtin_prefetch(file);
	else
		prefetch_str(d, file[FILE_PATH], step == 3);
	if (step < 3)
		prefetch_str(d, pair[FUNC_NAME], step == 2);
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
