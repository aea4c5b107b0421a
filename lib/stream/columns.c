/* SPDX-License-Identifier: ISC */
#include "stream/columns.h"

#include <stdlib.h>

#include "util/mem.h"

const char *const fact_name[FACTS] = { "source", "part", "thread" };

static void
add(struct columns *cols, unsigned col, enum columns_part part, const char *name,
    const char *suffix)
{
	struct buf b = { 0 };

	buf_puts(&b, name);
	buf_puts(&b, suffix);
	cols->col[cols->n++] = (struct spelt_column){ .part = part, .col = col,
	    .type = cols->def->col[col].type, .name = mem_copy(b.s, b.n) };
	buf_free(&b);
}

static void
add_function(struct columns *cols, unsigned col, const char *name)
{
	bool own = strcmp(name, "func") == 0;

	name = own ? "function" : name;
	add(cols, col, COLUMN_NAME, name, "");
	add(cols, col, COLUMN_FILE, name, ".file");
	add(cols, col, COLUMN_OBJECT, own ? "object" : name, own ? "" : ".object");
	add(cols, col, COLUMN_KEY, name, ".key");
}

void
columns_init(struct columns *cols, const struct rec_def *def)
{
	unsigned i;

	*cols = (struct columns){ .def = def };
	for (i = 0; i < def->ncol; i++) {
		const char *name = def->col[i].name;

		switch (def->col[i].type) {
		case COL_ID:
			if (def->kind == REC_EVENT)
				add(cols, i, COLUMN_PLAIN, name, "");
			break;
		case COL_FUNC:
			add_function(cols, i, name);
			break;
		case COL_FILE: case COL_OBJECT:
			add(cols, i, COLUMN_PATH, name, "");
			break;
		case COL_CTX:
			add(cols, i, COLUMN_STACK, strcmp(name, "ctx") == 0 ? "stack" :
			    name, "");
			break;
		default:
			add(cols, i, COLUMN_PLAIN, name, "");
		}
	}
}

void
columns_free(struct columns *cols)
{
	unsigned i;

	for (i = 0; i < cols->n; i++) {
		free(cols->col[i].name);
		buf_free(&cols->col[i].text);
	}
	cols->n = 0;
}

int
columns_find(const struct columns *cols, struct text name)
{
	unsigned i;

	for (i = 0; i < cols->n; i++)
		if (text_is(name, cols->col[i].name))
			return (int)i;
	return -1;
}

/* ---- stacks ---- */

size_t
columns_frames(const struct dict *d, uint64_t ctx, uint32_t **ids, size_t *cap)
{
	size_t n = 0, i;

	for (; ctx != NO_ID; ctx = dict_caller(d, (uint32_t)ctx)) {
		*ids = mem_grow(*ids, cap, n + 1, sizeof **ids);
		(*ids)[n++] = (uint32_t)ctx;
	}
	for (i = 0; i < n / 2; i++) {
		uint32_t t = (*ids)[i];

		(*ids)[i] = (*ids)[n - 1 - i];
		(*ids)[n - 1 - i] = t;
	}
	return n;
}

static struct text
stack(const struct dict *d, uint64_t ctx, struct buf *b)
{
	uint32_t *ids = NULL;
	size_t cap = 0, n = columns_frames(d, ctx, &ids, &cap), i, k, from = b->n;

	buf_room(b, 1);		/* not NULL: an empty name differs from an absent one */
	for (i = 0; i < n; i++) {
		struct text t = dict_func_name(d,
		    dict_frame(d, ids[i])[CTX_FUNC]);

		if (i)
			buf_putc(b, ';');
		if (text_is(t, "???"))
			buf_putc(b, '\\');
		for (k = 0; k < t.n; k++) {
			if (t.s[k] == ';' || t.s[k] == '\\')
				buf_putc(b, '\\');
			buf_putc(b, t.s[k]);
		}
		if (!t.s)
			buf_puts(b, "???");
	}
	free(ids);
	return (struct text){ b->s + from, b->n - from };
}

int
columns_next_frame(struct text *rest, struct buf *scratch, struct text *name)
{
	size_t i, from = scratch->n;
	bool unknown;

	if (!rest->s)
		return 0;
	for (i = 0; i < rest->n && rest->s[i] != ';'; i++) {
		if (rest->s[i] == '\\') {
			char c = ++i < rest->n ? rest->s[i] : '\0';

			if (c != ';' && c != '\\' && !(c == '?' && i == 1))
				return -1;
		}
		buf_putc(scratch, rest->s[i]);
	}
	unknown = i == 3 && memcmp(rest->s, "???", 3) == 0;
	*rest = i < rest->n ? (struct text){ rest->s + i + 1, rest->n - i - 1 } :
	    (struct text){ 0 };
	*name = (struct text){ scratch->s ? scratch->s + from : "", scratch->n - from };
	if (unknown)
		*name = (struct text){ 0 };
	return 1;
}

/* ---- functions that records name ---- */

static void
use_func(struct columns_used *u, uint64_t func)
{
	if (func == NO_ID)
		return;
	u->func = mem_reach(u->func, &u->capfunc, func, 1, 0);
	u->n += !u->func[func];
	u->func[func] = 1;
}

/* A context that was visited has only callers that were visited. */
static void
use_ctx(struct columns_used *u, const struct dict *d, uint64_t ctx)
{
	while (ctx != NO_ID) {
		u->ctx = mem_reach(u->ctx, &u->capctx, ctx, 1, 0);
		if (u->ctx[ctx])
			return;
		u->ctx[ctx] = 1;
		use_func(u, dict_frame(d, (uint32_t)ctx)[CTX_FUNC]);
		ctx = dict_caller(d, (uint32_t)ctx);
	}
}

void
columns_use(struct columns_used *u, const struct dict *d, const struct record *r)
{
	unsigned i;

	for (i = 0; i < r->def->ncol; i++)
		if (r->def->col[i].type == COL_FUNC)
			use_func(u, r->col[i].n);
		else if (r->def->col[i].type == COL_CTX)
			use_ctx(u, d, r->col[i].n);
}

bool
columns_is_used(const struct columns_used *u, uint64_t func)
{
	return func < u->capfunc && u->func[func];
}

void
columns_used_free(struct columns_used *u)
{
	free(u->func);
	free(u->ctx);
	*u = (struct columns_used){ 0 };
}

/* ---- cells ---- */

static struct text
of_function(const struct dict *d, uint64_t func, enum columns_part part)
{
	const uint32_t *f = dict_def(d, REC_FUNC, (uint32_t)func);

	switch (part) {
	case COLUMN_FILE:
		return dict_path(d, f[FUNC_FILE]);
	case COLUMN_OBJECT:
		return dict_object_path(d, f[FUNC_OBJECT]);
	case COLUMN_KEY:
		return dict_text(d, f[FUNC_KEY]);
	default:
		return dict_text(d, f[FUNC_NAME]);
	}
}

/* Adds a cell that is not a reference. */
static struct text
plain(const struct field *f, enum col_type type, struct buf *b)
{
	char *p, *end;

	if (type == COL_STR || type == COL_INT)
		return f->t;
	p = end = buf_room(b, FIELD_TEXT);
	if (type == COL_LINE)
		end = f->has ? field_put_line(p, f) : p;
	else if (type == COL_ADDR)
		end = f->has ? field_put_addr(p, f) : p;
	else if (f->n != NO_ID)
		end = num_put_u64(p, f->n);
	b->n += (size_t)(end - p);
	return end == p ? (struct text){ 0 } : (struct text){ p, (size_t)(end - p) };
}

struct text
columns_text(const struct dict *d, const struct record *r, const struct spelt_column *c,
    struct buf *scratch)
{
	uint64_t id = r->col[c->col].n;

	if (c->part == COLUMN_PLAIN)
		return plain(&r->col[c->col], c->type, scratch);
	if (id == NO_ID)
		return (struct text){ 0 };
	if (c->part == COLUMN_STACK)
		return stack(d, id, scratch);
	if (c->part == COLUMN_PATH)
		return c->type == COL_FILE ? dict_path(d, (uint32_t)id) :
		    dict_object_path(d, (uint32_t)id);
	return of_function(d, id, c->part);
}

struct text
columns_spelt(const struct dict *d, const struct record *r, struct spelt_column *c,
    void (*spell)(struct buf *, struct text))
{
	uint64_t id = r->col[c->col].n;
	struct buf scratch = { 0 };

	if (!c->known || c->id != id) {
		c->known = true;
		c->id = id;
		c->text.n = 0;
		spell(&c->text, columns_text(d, r, c, &scratch));
		buf_free(&scratch);
	}
	return buf_as_text(&c->text);
}

/* ---- what rows of a part share ---- */

struct text
columns_fact(const struct part *p, int fact, struct buf *scratch)
{
	struct text v = { 0 };
	long i = -1;

	while ((i = metadata_find(&p->metadata, fact_name[fact], (size_t)(i + 1))) >= 0) {
		const struct record r = metadata_at(&p->metadata, (size_t)i);

		v = meta_value(&r, scratch);
	}
	return v;
}
