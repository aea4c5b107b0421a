/* SPDX-License-Identifier: ISC */
#include "codec/viewer_functions.h"

#include <stdlib.h>

#include "util/mem.h"

enum { KEY_FUNC, KEY_ADDR, FUNCTION_KEYS };

void
functions_init(struct functions *f, const struct encode *e, unsigned supports)
{
	*f = (struct functions){ .e = e, .supports = supports };
	sums_init(&f->keys, FUNCTION_KEYS, 0);
}

void
functions_free(struct functions *f)
{
	sums_free(&f->keys);
	free(f->def);
	free(f->of_ctx);
}

/* ---- losses ---- */

/* Has a frame attributes that the format does not support? */
static bool
has_others(const struct functions *f, uint32_t attrs)
{
	struct buf b = { 0 };
	bool others;

	if (attrs == NO_ID || !(f->supports & FRAME_INLINED))
		return attrs != NO_ID;
	attr_add_others(&b, dict_text(f->e->dict, attrs), "inlined");
	others = b.n > 0;
	buf_free(&b);
	return others;
}

static void
lose_frame(const struct functions *f, const uint32_t *ctx, bool named)
{
	const uint32_t file = dict_def(f->e->dict, REC_FUNC, ctx[CTX_FUNC])[FUNC_FILE];
	const bool other = ctx[CTX_FILE] != NO_ID && ctx[CTX_FILE] != file;

	if (ctx[CTX_ADDR] != NO_ID && named)
		loss_add(f->e->loss, "addresses of frames");
	if (!(f->supports & FRAME_LINES) && (other ||
	    (ctx[CTX_LINE] != NO_ID && !(f->supports & FRAME_LEAF_LINES))))
		loss_add(f->e->loss, "lines of frames");
	else if (other)
		loss_add(f->e->loss, "files of lines that are not their function's");
	if (has_others(f, ctx[CTX_ATTRS]))
		loss_add(f->e->loss, "attributes of frames");
}

static void
lose_object(const struct functions *f, uint32_t object, bool placed)
{
	const uint32_t *o = dict_def(f->e->dict, REC_OBJECT, object);

	if (object == NO_ID)
		return;
	if (placed && !(f->supports & FRAME_OBJECTS))
		loss_add(f->e->loss, "objects of functions");
	else if (o[OBJECT_ATTRS] != NO_ID ||
	    (o[OBJECT_KEY] != NO_ID && !(f->supports & FRAME_OBJECTS)))
		loss_add(f->e->loss, "keys and attributes of objects");
}

/* Does the format have a place for this attribute? */
static bool
is_held(const struct functions *f, struct text key, struct text value)
{
	return text_is(key, "start") || text_is(key, "column") ||
	    (f->supports & FRAME_KERNEL && text_is(key, "kernel") && text_is(value, "1"));
}

/* Is a key only the function's start (js_functions.h)? */
static bool
is_start(const struct functions *f, const uint32_t *def)
{
	const struct text attrs = dict_text(f->e->dict, def[FUNC_ATTRS]);
	struct buf want = { 0 }, scratch = { 0 };
	struct text t;
	bool is;

	buf_text(&want, attr_get(attrs, "start", &scratch));
	if ((t = attr_get(attrs, "column", &scratch)).s) {
		buf_putc(&want, ':');
		buf_text(&want, t);
	}
	is = text_eq(dict_text(f->e->dict, def[FUNC_KEY]), buf_as_text(&want));
	buf_free(&want);
	buf_free(&scratch);
	return is;
}

static void
lose_function(const struct functions *f, uint32_t func)
{
	const uint32_t *def = dict_def(f->e->dict, REC_FUNC, func);
	struct text rest = dict_text(f->e->dict, def[FUNC_ATTRS]), key, value;
	struct buf scratch = { 0 };
	bool held = true;

	lose_object(f, def[FUNC_OBJECT], def[FUNC_FILE] != NO_ID);
	if (def[FUNC_KEY] != NO_ID && !is_start(f, def))
		loss_add(f->e->loss, "keys of functions");
	while (held && attr_next(&rest, &scratch, &key, &value))
		held = is_held(f, key, value);
	if (!held)
		loss_add(f->e->loss, "attributes of functions");
	buf_free(&scratch);
}

/* ---- functions ---- */

uint32_t
functions_of(struct functions *f, uint32_t ctx)
{
	const uint32_t *cols = dict_frame(f->e->dict, ctx);
	const uint32_t func = cols[CTX_FUNC], addr = cols[CTX_ADDR];
	const bool named = dict_func_name(f->e->dict, func).s != NULL;
	uint64_t key[FUNCTION_KEYS];
	uint32_t row;
	bool fresh;

	f->of_ctx = mem_reach(f->of_ctx, &f->capof_ctx, ctx, sizeof *f->of_ctx, 0);
	if (f->of_ctx[ctx])
		return f->of_ctx[ctx] - 1;
	lose_frame(f, cols, named);
	key[KEY_FUNC] = dict_func_bare(f->e->dict, func, &fresh);
	key[KEY_ADDR] = named ? NO_ID : addr;
	row = (uint32_t)sums_row(&f->keys, key);
	if (row == f->n) {
		f->def = mem_grow(f->def, &f->capdef, f->n + 1, sizeof *f->def);
		f->def[f->n++] = func;
		lose_function(f, func);
	}
	f->of_ctx[ctx] = row + 1;
	return row;
}

/* Goes up to the first frame that is known, as the frames around it are then also known. */
void
functions_of_stack(struct functions *f, uint32_t ctx)
{
	for (; ctx != NO_ID && (ctx >= f->capof_ctx || !f->of_ctx[ctx]);
	    ctx = dict_caller(f->e->dict, ctx))
		functions_of(f, ctx);
}

struct text
functions_name(const struct functions *f, size_t i)
{
	struct text t = dict_func_name(f->e->dict, f->def[i]);

	if (!t.s)
		t = dict_text(f->e->dict, (uint32_t)sums_key(&f->keys, i)[KEY_ADDR]);
	return t.s ? t : TEXT("[unknown]");	/* perf's word for an unknown function */
}

uint32_t
functions_file(const struct functions *f, size_t i)
{
	return dict_def(f->e->dict, REC_FUNC, f->def[i])[FUNC_FILE];
}

uint32_t
functions_object(const struct functions *f, size_t i)
{
	return dict_def(f->e->dict, REC_FUNC, f->def[i])[FUNC_OBJECT];
}

struct text
functions_place(const struct functions *f, size_t i)
{
	const struct text file = dict_path(f->e->dict, functions_file(f, i));

	return file.s ? file : dict_object_path(f->e->dict, functions_object(f, i));
}

/* ---- attributes ---- */

/* Returns an attribute that is a line, or a similar number; 0: it has none. */
static uint64_t
number_of(const struct functions *f, size_t i, const char *key)
{
	const uint32_t attrs = dict_def(f->e->dict, REC_FUNC, f->def[i])[FUNC_ATTRS];
	struct buf scratch = { 0 };
	struct field line = { 0 };
	struct text t;
	bool known;

	if (attrs == NO_ID)
		return 0;
	t = attr_get(dict_text(f->e->dict, attrs), key, &scratch);
	known = t.s && field_get_line(t, &line) && line.has & HAS_N;
	buf_free(&scratch);
	return known ? line.n : 0;
}

uint64_t
functions_line(const struct functions *f, size_t i)
{
	return number_of(f, i, "start");
}

uint64_t
functions_column(const struct functions *f, size_t i)
{
	return number_of(f, i, "column");
}

bool
functions_kernel(const struct functions *f, size_t i)
{
	return attr_is(dict_text(f->e->dict, dict_def(f->e->dict, REC_FUNC,
	    f->def[i])[FUNC_ATTRS]), "kernel", "1");
}

bool
functions_inlined(const struct functions *f, uint32_t ctx)
{
	return attr_is(dict_text(f->e->dict, dict_frame(f->e->dict, ctx)[CTX_ATTRS]),
	    "inlined", "1");
}
