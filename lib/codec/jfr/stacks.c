/* SPDX-License-Identifier: ISC */
/* Stacks, frames and methods, which are constants. */
#include "jfr.h"

#include "codec/inlined_frames.h"
#include "util/mem.h"
#include "util/num.h"

/* ---- functions ---- */

static int
put_func(struct jfr *j, struct func_def *def, uint32_t *func)
{
	return jfr_count_text(j, dict_text(j->d->dict, def->name).n) < 0 ? -1 :
	    decode_func(j->d, def, func);
}

/* Sets *func to a function that stands for something else. */
static int
find_other(struct jfr *j, struct text name, uint32_t *func)
{
	struct func_def def = NO_FUNC;

	def.name = dict_str(j->d->dict, name);
	return put_func(j, &def, func);
}

/* The same for a constant that no pool has. */
static int
find_missing(struct jfr *j, enum jfr_count count, const char *what, uint64_t key,
    uint32_t *func)
{
	struct buf name = { 0 };
	char tmp[NUM_TEXT];
	int ret;

	j->count[count]++;
	buf_puts(&name, what);
	buf_text(&name, num_text_u64(tmp, key));
	buf_putc(&name, ']');
	ret = find_other(j, buf_as_text(&name), func);
	buf_free(&name);
	return ret;
}

/* ---- methods ---- */

/* Names a method by its class; functions that are not Java's have a class without a name. */
static int
name_method(struct jfr *j, uint32_t class, uint32_t name, struct func_def *def)
{
	const struct text of = dict_text(j->d->dict, class), is = dict_text(j->d->dict, name);
	struct buf b = { 0 };
	int ret;

	buf_text(&b, of);
	if (of.n && is.n)
		buf_putc(&b, '.');
	buf_text(&b, is);
	if ((ret = jfr_count_text(j, b.n)) == 0 && b.n)
		def->name = dict_str(j->d->dict, buf_as_text(&b));
	buf_free(&b);
	return ret;
}

static int
read_method(struct jfr *j, const struct jfr_type *type, struct bytes b, uint32_t *func)
{
	struct func_def def = NO_FUNC;
	uint32_t class = NO_ID, name = NO_ID, i;
	int ret = 0;

	for (i = 0; i < type->n && !b.ended && ret == 0; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		if (f->role == JFR_TYPE)
			ret = jfr_class_text(j, f, &b, &class);
		else if (f->role == JFR_TEXT)
			ret = jfr_field_text(j, f, &b, &name);
		else if (f->role == JFR_DESCRIPTOR)
			ret = jfr_field_text(j, f, &b, &def.key);
		else
			jfr_skip_field(&j->types, f, &b);
	}
	if (def.key != NO_ID && !dict_text(j->d->dict, def.key).n)
		def.key = NO_ID;
	if (ret < 0 || name_method(j, class, name, &def) < 0)
		return -1;
	return put_func(j, &def, func);
}

static int
find_method(struct jfr *j, uint32_t type, uint64_t key, uint32_t *func)
{
	struct jfr_constant *c = type == NO_TYPE ? NULL : jfr_constant_find(j, type, key);

	if (!c)
		return find_missing(j, COUNT_METHODS, "[method ", key, func);
	if (c->use != USE_METHOD) {
		if (read_method(j, &j->types.v[type], jfr_constant_bytes(j, c), func) < 0)
			return -1;
		c->use = USE_METHOD;
		c->id = *func;
	}
	*func = c->id;
	return 0;
}

/* ---- frames ---- */

/* Finds the attributes of a frame by the name of its type.  Most frames are compiled. */
static uint32_t
attrs_of(struct jfr *j, uint32_t type)
{
	const struct text t = dict_text(j->d->dict, type);

	if (!t.n || text_is(t, "JIT compiled"))
		return NO_ID;
	j->scratch.n = 0;
	if (text_is(t, "Inlined"))
		return dict_str(j->d->dict, TEXT("inlined=1"));
	attr_add(&j->scratch, "jfr.type", t);
	return dict_str(j->d->dict, buf_as_text(&j->scratch));
}

static int
read_frame(struct jfr *j, const struct jfr_type *type, struct bytes *b, struct jfr_frame *frame)
{
	uint32_t i, name = NO_ID;
	uint64_t key = 0, type_key;
	int64_t line;
	int ret = 0;

	*frame = (struct jfr_frame){ NO_ID, NO_ID, NO_ID };
	for (i = 0; i < type->n && !b->ended && ret == 0; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		if (f->role == JFR_METHOD && jfr_read_reference(&j->types, f, b, &key)) {
			ret = find_method(j, f->type, key, &frame->func);
		} else if (f->role == JFR_LINE) {
			if (jfr_read_number(&j->types, f, b, &line) && line > 0)
				frame->line = dict_line(j->d->dict, (uint64_t)line, 0);
		} else if (f->role == JFR_TYPE && f->pool) {
			if (jfr_read_reference(&j->types, f, b, &type_key))
				ret = jfr_constant_text(j, f->type, type_key, &name);
		} else if (f->role != JFR_METHOD) {
			jfr_skip_field(&j->types, f, b);
		}
	}
	frame->attrs = attrs_of(j, name);
	return ret;
}

static int
read_frames(struct jfr *j, const struct jfr_field *f, struct bytes *b)
{
	struct jfr_stacks *s = &j->stacks;
	uint64_t n;

	s->n = 0;
	if (f->pool || !f->array || j->types.v[f->type].empty ||
	    j->types.v[f->type].kind != KIND_STRUCT) {
		jfr_skip_field(&j->types, f, b);
		return 0;
	}
	for (n = bytes_number(b, 4); n && !b->ended; n--) {
		s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		if (read_frame(j, &j->types.v[f->type], b, &s->v[s->n]) < 0)
			return -1;
		s->n += s->v[s->n].func != NO_ID;
	}
	return 0;
}

/* ---- stacks ---- */

/* Sets *ctx to a context that stands for something else, *known once it has been put. */
static int
put_other(struct jfr *j, const char *name, uint32_t *known, uint32_t *ctx)
{
	struct ctx_def def = NO_CTX;

	if (*known == NO_ID && (find_other(j, text_of(name), &def.func) < 0 ||
	    decode_ctx(j->d, &def, known) < 0))
		return -1;
	*ctx = *known;
	return 0;
}

static int
put_frames(struct jfr *j, uint32_t *ctx)
{
	const struct jfr_stacks *s = &j->stacks;
	struct ctx_def def = NO_CTX;
	size_t i;

	for (i = s->n; i--; ) {
		def.parent = *ctx;
		def.func = s->v[i].func;
		def.line = s->v[i].line;
		def.attrs = s->v[i].attrs;
		if (decode_ctx(j->d, &def, ctx) < 0)
			return -1;
	}
	return *ctx == NO_ID ? put_other(j, "[no stack]", &j->stacks.none, ctx) : 0;
}

static int
read_stack(struct jfr *j, const struct jfr_type *type, struct bytes b, uint32_t *ctx)
{
	int64_t truncated = 0;
	uint32_t i;
	int ret = 0;

	*ctx = NO_ID;
	j->stacks.n = 0;
	for (i = 0; i < type->n && !b.ended && ret == 0; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		if (f->role == JFR_TRUNCATED)
			jfr_read_number(&j->types, f, &b, &truncated);
		else if (f->role == JFR_FRAMES)
			ret = read_frames(j, f, &b);
		else
			jfr_skip_field(&j->types, f, &b);
	}
	if (ret == 0 && truncated) {
		j->count[COUNT_TRUNCATED]++;
		ret = put_other(j, "[truncated]", &j->stacks.truncated, ctx);
	}
	return ret < 0 ? -1 : put_frames(j, ctx);
}

static int
put_missing(struct jfr *j, uint64_t key, uint32_t *ctx)
{
	struct ctx_def def = NO_CTX;

	if (find_missing(j, COUNT_STACKS, "[stack ", key, &def.func) < 0)
		return -1;
	return decode_ctx(j->d, &def, ctx);
}

int
jfr_stack_find(struct jfr *j, const struct jfr_field *f, struct bytes *b, uint32_t *ctx)
{
	struct jfr_constant *c;
	uint64_t key;

	if (!jfr_read_reference(&j->types, f, b, &key) || !key)
		return put_other(j, "[no stack]", &j->stacks.none, ctx);
	if (f->type == NO_TYPE || !(c = jfr_constant_find(j, f->type, key)))
		return put_missing(j, key, ctx);
	if (c->use != USE_STACK) {
		if (read_stack(j, &j->types.v[f->type], jfr_constant_bytes(j, c), ctx) < 0)
			return -1;
		c->use = USE_STACK;
		c->id = *ctx;
	}
	*ctx = c->id;
	return 0;
}
