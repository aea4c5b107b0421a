/* SPDX-License-Identifier: ISC */
#include "state.h"

#include <stdlib.h>

#include "util/mem.h"

/* ---- attributes ---- */

struct attr {
	struct text field, key;
};

static int
by_key(const void *pa, const void *pb)
{
	const struct attr *a = pa, *b = pb;
	int c = text_cmp(a->key, b->key);

	return c ? c : text_cmp(a->field, b->field);
}

static size_t
split(struct text list, struct attr **v, size_t *cap, size_t n)
{
	struct text f;
	size_t eq;

	while (list.n && fields_next(&list, &f)) {
		for (eq = 0; eq < f.n && f.s[eq] != '='; eq++)
			if (f.s[eq] == '\\')
				eq++;
		*v = mem_grow(*v, cap, n + 1, sizeof **v);
		(*v)[n++] = (struct attr){ f, { f.s, eq < f.n ? eq : f.n } };
	}
	return n;
}

void
merge_attrs(struct buf *out, struct text a, struct text b)
{
	struct attr *v = NULL;
	size_t cap = 0, n, i;

	n = split(a, &v, &cap, 0);
	n = split(b, &v, &cap, n);
	if (n)
		qsort(v, n, sizeof *v, by_key);
	for (i = 0; i < n; i++) {
		if (i && text_eq(v[i].key, v[i - 1].key))
			continue;
		buf_puts(out, out->n ? "\t" : "");
		buf_text(out, v[i].field);
	}
	free(v);
}

struct text
sort_attrs(struct buf *b, struct text list)
{
	struct attr *v = NULL;
	size_t cap = 0, n, i;

	if (!list.n || !memchr(list.s, '\t', list.n))
		return list;
	n = split(list, &v, &cap, 0);
	qsort(v, n, sizeof *v, by_key);
	b->n = 0;
	for (i = 0; i < n; i++) {
		buf_puts(b, i ? "\t" : "");
		buf_text(b, v[i].field);
	}
	free(v);
	return buf_as_text(b);
}

/* ---- definitions ---- */

/* The column of each kind that has attributes. */
static const int attrs_of[DEFS] = {
	[REC_OBJECT - REC_OBJECT] = OBJECT_ATTRS, [REC_FILE - REC_OBJECT] = FILE_ATTRS,
	[REC_FUNC - REC_OBJECT] = FUNC_ATTRS, [REC_CTX - REC_OBJECT] = CTX_ATTRS,
};

static void
set_attrs(struct canonical *c, int k, uint32_t id, struct text more)
{
	const uint32_t was = c->defs[k].attrs[id];
	struct buf b = { 0 };

	merge_attrs(&b, was ? dict_text(c->dict, was - 1) : (struct text){ 0 }, more);
	c->defs[k].attrs[id] = dict_str(c->dict, buf_as_text(&b)) + 1;
	buf_free(&b);
}

/* A definition may have others in each of thousands of files: they are merged at the end, all
 * at once. */
static void
add_attrs(struct canonical *c, int k, uint32_t id, uint32_t attrs)
{
	uint32_t *head;

	if (attrs == NO_ID || attrs + 1 == c->defs[k].attrs[id])
		return;
	if (!c->defs[k].attrs[id]) {
		set_attrs(c, k, id, dict_text(c->dict, attrs));
		return;
	}
	c->defs[k].more = mem_reach(c->defs[k].more, &c->defs[k].capmore, id,
	    sizeof *c->defs[k].more, 0);
	head = &c->defs[k].more[id];
	if (*head && c->more[*head - 1].attrs == attrs)
		return;
	if (c->nmore >= UINT32_MAX)
		mem_fail(0);
	c->more = mem_grow(c->more, &c->capmore, c->nmore + 1, sizeof *c->more);
	c->more[c->nmore] = (struct more_attrs){ attrs, *head };
	*head = (uint32_t)++c->nmore;
}

uint32_t
canonical_attrs(struct canonical *c, enum rec_kind kind, uint32_t id)
{
	const int k = kind - REC_OBJECT;
	struct buf b = { 0 };
	uint32_t at = id < c->defs[k].capmore ? c->defs[k].more[id] : 0;

	if (at)
		c->defs[k].more[id] = 0;
	for (; at; at = c->more[at - 1].next) {
		buf_puts(&b, b.n ? "\t" : "");
		buf_text(&b, dict_text(c->dict, c->more[at - 1].attrs));
	}
	if (b.n)
		set_attrs(c, k, id, buf_as_text(&b));
	buf_free(&b);
	return c->defs[k].attrs[id];
}

/* Returns the definition with these columns, including attributes: usually `of`. */
static uint32_t
define(struct canonical *c, enum rec_kind kind, uint64_t of, uint32_t cols[DEF_COLS])
{
	const int k = kind - REC_OBJECT;
	uint32_t attrs = cols[attrs_of[k]], id;

	cols[attrs_of[k]] = NO_ID;
	id = dict_redefine(c->dict, kind, of, cols);
	c->defs[k].attrs = mem_reach(c->defs[k].attrs, &c->defs[k].capattrs, id,
	    sizeof *c->defs[k].attrs, 0);
	c->defs[k].of = mem_reach(c->defs[k].of, &c->defs[k].capof, id,
	    sizeof *c->defs[k].of, 0);
	if (c->defs[k].of[id] != id + 1) {
		c->defs[k].of[id] = id + 1;
		c->defs[k].used = mem_grow(c->defs[k].used, &c->defs[k].capused,
		    c->defs[k].n + 1, sizeof *c->defs[k].used);
		c->defs[k].used[c->defs[k].n++] = id;
	}
	add_attrs(c, k, id, attrs);
	return id;
}

/* Returns the slot for a definition's canonical one + 1; it is 0 if that is not known
 * yet. */
static uint32_t *
known(struct canonical *c, enum rec_kind kind, uint64_t id)
{
	const int k = kind - REC_OBJECT;

	if (__builtin_expect(id >= c->defs[k].capof, 0))
		c->defs[k].of = mem_reach(c->defs[k].of, &c->defs[k].capof, id,
		    sizeof *c->defs[k].of, 0);
	return &c->defs[k].of[id];
}

static void
get_cols(const struct canonical *c, enum rec_kind kind, uint64_t id,
    uint32_t cols[DEF_COLS])
{
	memset(cols, 0xff, DEF_COLS * sizeof *cols);
	dict_cols(c->dict, kind, (uint32_t)id, cols);
}

/* Returns the canonical one of a definition whose columns are all texts. */
static uint32_t
canonical_path(struct canonical *c, enum rec_kind kind, uint64_t of)
{
	uint32_t cols[DEF_COLS], id = *known(c, kind, of);

	if (id)
		return id - 1;
	get_cols(c, kind, of, cols);
	id = define(c, kind, of, cols);
	*known(c, kind, of) = id + 1;
	return id;
}

uint32_t
canonical_object(struct canonical *c, uint64_t object)
{
	return object != NO_ID && (c->all || c->keeps[BY_FUNCTION] || c->keeps[BY_OBJECT]) ?
	    canonical_path(c, REC_OBJECT, object) : NO_ID;
}

uint32_t
canonical_file(struct canonical *c, uint64_t file)
{
	return file != NO_ID ? canonical_path(c, REC_FILE, file) : NO_ID;
}

/* Returns a function whose name does not matter: a place in a file or an object. */
static uint32_t
reduce(struct canonical *c, uint64_t func, uint64_t *file)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };

	*file = c->keeps[BY_FILE] ? canonical_file(c, *file) : NO_ID;
	cols[FUNC_FILE] = (uint32_t)*file;
	cols[FUNC_OBJECT] = canonical_object(c,
	    dict_def(c->dict, REC_FUNC, (uint32_t)func)[FUNC_OBJECT]);
	return define(c, REC_FUNC, NO_ID, cols);
}

uint32_t
canonical_func(struct canonical *c, uint64_t func, uint64_t *file)
{
	uint32_t cols[DEF_COLS], id;

	if (!c->all && !c->keeps[BY_FUNCTION])
		return reduce(c, func, file);
	if (func == NO_ID)
		id = 0;
	else if (!(id = *known(c, REC_FUNC, func))) {
		get_cols(c, REC_FUNC, func, cols);
		cols[FUNC_FILE] = canonical_file(c, cols[FUNC_FILE]);
		cols[FUNC_OBJECT] = canonical_object(c, cols[FUNC_OBJECT]);
		id = define(c, REC_FUNC, func, cols) + 1;
		*known(c, REC_FUNC, func) = id;
	}
	*file = c->all || c->keeps[BY_FILE] ? canonical_file(c, *file) : func == NO_ID ? NO_ID :
	    dict_def(c->dict, REC_FUNC, id - 1)[FUNC_FILE];
	return id - 1;	/* NO_ID for 0 */
}

/* Defines the canonical context of one whose caller's is known. */
static uint32_t
define_ctx(struct canonical *c, uint64_t ctx)
{
	uint32_t cols[DEF_COLS];
	uint64_t file;

	get_cols(c, REC_CTX, ctx, cols);
	if (cols[CTX_PARENT] != NO_ID)
		cols[CTX_PARENT] = *known(c, REC_CTX, cols[CTX_PARENT]) - 1;
	file = cols[CTX_FILE];
	cols[CTX_FUNC] = canonical_func(c, cols[CTX_FUNC], &file);
	cols[CTX_FILE] = (uint32_t)file;
	if (!c->all && !c->keeps[BY_LINE])
		cols[CTX_LINE] = NO_ID;
	if (!c->all && !c->keeps[BY_ADDR])
		cols[CTX_ADDR] = NO_ID;
	return define(c, REC_CTX, ctx, cols);
}

/* Works down from the first caller that is known. */
uint32_t
canonical_ctx(struct canonical *c, uint64_t ctx)
{
	uint32_t *path = NULL, id;
	size_t n = 0, cap = 0;
	uint64_t up;

	if (ctx == NO_ID)
		return NO_ID;
	for (up = ctx; up != NO_ID && !*known(c, REC_CTX, up);
	    up = dict_caller(c->dict, (uint32_t)up)) {
		path = mem_grow(path, &cap, n + 1, sizeof *path);
		path[n++] = (uint32_t)up;
	}
	while (n--) {
		id = define_ctx(c, path[n]);
		*known(c, REC_CTX, path[n]) = id + 1;
	}
	free(path);
	return *known(c, REC_CTX, ctx) - 1;
}

void
canonical_free(struct canonical *c)
{
	int k;

	for (k = 0; k < DEFS; k++) {
		free(c->defs[k].of);
		free(c->defs[k].attrs);
		free(c->defs[k].more);
		free(c->defs[k].used);
	}
	free(c->more);
}
