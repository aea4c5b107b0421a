/* SPDX-License-Identifier: ISC */
#include "stream/dict.h"

#include <stdlib.h>

#include "util/guess.h"
#include "util/hash.h"
#include "util/mem.h"

#define CHUNK ((size_t)64 << 10)

/*
 * An open-addressed set of numbers by hash; its owner compares the values, and hashes
 * them again when it grows.  A slot has a number + 1 (0: empty) in as many of its low
 * bits as the numbers of a set of this size need, and bits of the hash above them.
 */
struct set {
	uint32_t *slot;
	size_t size, used;
	struct guess guess;
};

struct defs {
	unsigned ncol;
	uint32_t *col;
	size_t n, cap;
	struct set set;
};

struct dict {
	const char **str;	/* the bytes, after their number */
	size_t nstr, capstr;
	struct set set;
	char *room, *room_end;	/* left in the last chunk */
	char **chunk;
	size_t nchunk, capchunk;
	struct defs defs[DEFS];
};

struct dict *
dict_new(void)
{
	struct dict *d = mem_alloc(1, sizeof *d);
	int i;

	for (i = 0; i < DEFS; i++)
		d->defs[i].ncol = rec_table[REC_OBJECT + i].ncol;	/* - id + attrs */
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
		free(d->defs[i].set.slot);
	}
	for (i = 0; i < d->nchunk; i++)
		free(d->chunk[i]);
	free(d->chunk);
	free(d->str);
	free(d->set.slot);
	free(d);
}

static inline uint32_t
slot_make(const struct set *t, uint32_t h, uint32_t id1)
{
	const uint32_t low = (uint32_t)(t->size - 1);

	return (h & ~low) | id1;
}

/* The number + 1 in a slot if its hash may be this one; else 0. */
static inline uint32_t
slot_match(const struct set *t, uint32_t slot, uint32_t h)
{
	const uint32_t low = (uint32_t)(t->size - 1);

	return (slot ^ h) & ~low ? 0 : slot & low;
}

static void
set_place(struct set *t, uint32_t h, uint32_t id1)
{
	size_t i = h & (t->size - 1);

	while (t->slot[i])
		i = (i + 1) & (t->size - 1);
	t->slot[i] = slot_make(t, h, id1);
}

/* Makes room for another number: false if there was some. */
static bool
set_grow(struct set *t)
{
	if (t->used * 4 < t->size * 3)
		return false;
	t->size = t->size ? t->size * 2 : 64;
	free(t->slot);
	t->slot = mem_alloc(t->size, sizeof *t->slot);
	return true;
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

static uint32_t
find_str(const struct dict *d, struct text t, uint32_t h)
{
	const struct set *set = &d->set;
	uint32_t id1;
	size_t i;

	if (set->size)
		for (i = h & (set->size - 1); set->slot[i]; i = (i + 1) & (set->size - 1))
			if ((id1 = slot_match(set, set->slot[i], h)) &&
			    text_eq(dict_text(d, id1 - 1), t))
				return id1 - 1;
	return NO_ID;
}

static void
add_str(struct dict *d, uint32_t h)
{
	struct set *set = &d->set;
	uint32_t i;

	if (set_grow(set))
		for (i = 0; i < set->used; i++) {
			struct text t = dict_text(d, i);

			set_place(set, hash_bytes(t.s, t.n), i + 1);
		}
	set_place(set, h, (uint32_t)++set->used);
}

uint32_t
dict_find_str(const struct dict *d, struct text t)
{
	return t.s ? find_str(d, t, hash_bytes(t.s, t.n)) : NO_ID;
}

uint32_t
dict_str(struct dict *d, struct text t)
{
	struct set *set = &d->set;
	uint32_t h, id;

	if (!t.s)
		return NO_ID;
	if (t.n >= UINT32_MAX - 8)
		mem_fail(t.n);
	if (set->guess.next < d->nstr && text_eq(dict_text(d, set->guess.next), t))
		return guess_hit(&set->guess);
	h = hash_bytes(t.s, t.n);
	if ((id = find_str(d, t, h)) != NO_ID)
		return guess_missed(&set->guess, id);
	if (d->nstr >= NO_ID - 1)
		mem_fail(0);
	d->str = mem_grow(d->str, &d->capstr, d->nstr + 1, sizeof *d->str);
	d->str[d->nstr] = store(d, t);
	add_str(d, h);
	return (uint32_t)d->nstr++;
}

uint32_t
dict_count(const struct dict *d, enum rec_kind kind)
{
	return (uint32_t)d->defs[kind - REC_OBJECT].n;
}

const uint32_t *
dict_def(const struct dict *d, enum rec_kind kind, uint32_t id)
{
	static const uint32_t none[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID,
	    NO_ID };
	const struct defs *t = &d->defs[kind - REC_OBJECT];

	return id == NO_ID ? none : t->col + (size_t)id * t->ncol;
}

/* Two columns at a time, as a call of memcmp(), or a hash of bytes, costs more than these
 * few do. */
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
	/* Multiplied, too: numbers of strings that were new together are alike. */
	uint64_t h = n & 1 ? c[n - 1] * 0x9e3779b97f4a7c15 : 0, x;
	unsigned i;

	for (i = 0; i + 1 < n; i += 2) {
		memcpy(&x, c + i, sizeof x);
		h = (h ^ x) * 0x9e3779b97f4a7c15;
		h ^= h >> 32;
	}
	return (uint32_t)(h * 0x9e3779b97f4a7c15 >> 32);
}

/* Is this context defined after its caller, as most are, with the rest of a stack? */
static inline bool
is_next_frame(const struct defs *t, const uint32_t *cols)
{
	const uint32_t next = cols[CTX_PARENT] + 1;

	return next < t->n && same_cols(cols, t->col + (size_t)next * DEF_COLS, DEF_COLS);
}

/* ncol is a constant wherever this is inlined. */
static inline __attribute__((always_inline)) uint32_t
define(struct defs *t, const uint32_t *cols, unsigned ncol, bool *fresh)
{
	struct set *set = &t->set;
	const size_t mask = set->size - 1;
	uint32_t h, id1;
	size_t i;

	*fresh = false;
	if (set->guess.next < t->n &&
	    same_cols(cols, t->col + (size_t)set->guess.next * ncol, ncol))
		return guess_hit(&set->guess);
	if (ncol == DEF_COLS && is_next_frame(t, cols))
		return cols[CTX_PARENT] + 1;
	h = hash_cols(cols, ncol);
	for (i = h & mask; set->size && set->slot[i]; i = (i + 1) & mask)
		if ((id1 = slot_match(set, set->slot[i], h)) &&
		    same_cols(cols, t->col + (size_t)(id1 - 1) * ncol, ncol))
			return guess_missed(&set->guess, id1 - 1);
	*fresh = true;
	if (t->n >= NO_ID - 1)
		mem_fail(0);
	t->col = mem_grow(t->col, &t->cap, (t->n + 1) * ncol, sizeof *t->col);
	memcpy(t->col + t->n * ncol, cols, ncol * sizeof *cols);
	if (set_grow(set))
		for (i = 0; i < t->n; i++)
			set_place(set, hash_cols(t->col + i * ncol, ncol), (uint32_t)i + 1);
	set_place(set, h, (uint32_t)++t->n);
	set->used++;
	return (uint32_t)t->n - 1;
}

static uint32_t
define_kind(struct dict *d, enum rec_kind kind, const uint32_t *cols, bool *fresh)
{
	struct defs *t = &d->defs[kind - REC_OBJECT];

	switch (t->ncol) {
	case 2: return define(t, cols, 2, fresh);
	case 3: return define(t, cols, 3, fresh);
	case 5: return define(t, cols, 5, fresh);
	default: return define(t, cols, DEF_COLS, fresh);
	}
}

uint32_t
dict_redefine(struct dict *d, enum rec_kind kind, uint64_t id, const uint32_t *cols)
{
	bool fresh;

	if (id != NO_ID && memcmp(cols, dict_def(d, kind, (uint32_t)id),
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

void
dict_record(const struct dict *d, enum rec_kind kind, uint32_t id, struct record *r)
{
	const uint32_t *cols = dict_def(d, kind, id);
	unsigned i;

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
