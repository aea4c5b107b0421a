/* SPDX-License-Identifier: ISC */
#include "codec/js_functions.h"

#include <stdlib.h>

#include "stream/field.h"
#include "util/mem.h"

enum {
	START_NAME, START_FILE, START_OBJECT, START_OBJECT_KEY, START_LINE, START_COLUMN,
	START_KERNEL, START_KEYS, NAME_KEYS = START_LINE
};

void
js_functions_init(struct js_functions *s)
{
	*s = (struct js_functions){ 0 };
	sums_init(&s->rows, START_KEYS, 0);
	sums_init(&s->names, NAME_KEYS, 1);
}

void
js_functions_free(struct js_functions *s)
{
	sums_free(&s->rows);
	sums_free(&s->names);
	free(s->used);
	free(s->func);
}

uint32_t
js_functions_add(struct js_functions *s, struct dict *dict, const struct js_function *f)
{
	const struct text name = f->nameless ? (struct text){ 0 } :
	    f->name.n ? f->name : TEXT("(anonymous)");
	const uint64_t key[START_KEYS] = { dict_str(dict, name),
	    f->file.n ? dict_str(dict, f->file) : NO_ID,
	    f->object.n ? dict_str(dict, f->object) : NO_ID,
	    f->object_key.n ? dict_str(dict, f->object_key) : NO_ID, f->line,
	    f->line ? f->column : 0, f->kernel };

	return (uint32_t)sums_row(&s->rows, key);
}

void
js_functions_use(struct js_functions *s, uint32_t row)
{
	size_t name;

	s->used = mem_reach(s->used, &s->capused, row, sizeof *s->used, false);
	if (s->used[row])
		return;
	s->used[row] = true;
	name = sums_row(&s->names, sums_key(&s->rows, row));
	++*sums_val(&s->names, name);
}

/* Is there another function of this name in its file and object? */
static bool
is_one_of_several(const struct js_functions *s, const uint64_t *key)
{
	size_t name;

	return sums_find(&s->names, key, &name) && *sums_val(&s->names, name) > 1;
}

/* Returns its key, "LINE:COLUMN", "LINE" or absent. */
static uint32_t
key_of(struct dict *dict, const uint64_t *key)
{
	struct buf b = { 0 };
	uint32_t id;

	if (!key[START_LINE])
		return NO_ID;
	num_add_whole(&b, key[START_LINE]);
	if (key[START_COLUMN]) {
		buf_putc(&b, ':');
		num_add_whole(&b, key[START_COLUMN]);
	}
	id = dict_str(dict, buf_as_text(&b));
	buf_free(&b);
	return id;
}

static uint32_t
attrs_of(struct dict *dict, const uint64_t *key)
{
	struct buf b = { 0 };
	uint32_t id;

	if (!key[START_LINE] && !key[START_KERNEL])
		return NO_ID;
	if (key[START_LINE]) {
		buf_puts(&b, "start=");
		num_add_whole(&b, key[START_LINE]);
	}
	if (key[START_COLUMN]) {
		buf_puts(&b, "\tcolumn=");
		num_add_whole(&b, key[START_COLUMN]);
	}
	if (key[START_KERNEL])
		attr_add(&b, "kernel", TEXT("1"));
	id = dict_str(dict, buf_as_text(&b));
	buf_free(&b);
	return id;
}

static int
put_object(struct decode *d, const uint64_t *key, uint32_t *object)
{
	struct object_def o = NO_OBJECT;

	*object = NO_ID;
	if (key[START_OBJECT] == NO_ID && key[START_OBJECT_KEY] == NO_ID)
		return 0;
	o.path = (uint32_t)key[START_OBJECT];
	o.key = (uint32_t)key[START_OBJECT_KEY];
	return decode_object_def(d, &o, object);
}

int
js_functions_put(struct js_functions *s, struct decode *d, uint32_t row, uint32_t *func)
{
	const uint64_t *key = sums_key(&s->rows, row);
	struct func_def f = NO_FUNC;

	s->func = mem_reach(s->func, &s->capfunc, row, sizeof *s->func, 0xff);
	if (s->func[row] == NO_ID) {
		f.name = (uint32_t)key[START_NAME];
		f.key = is_one_of_several(s, key) ? key_of(d->dict, key) : NO_ID;
		f.attrs = attrs_of(d->dict, key);
		if (decode_file(d, dict_text(d->dict, (uint32_t)key[START_FILE]),
		    &f.file) < 0 || put_object(d, key, &f.object) < 0 ||
		    decode_func(d, &f, &s->func[row]) < 0)
			return -1;
	}
	*func = s->func[row];
	return 0;
}
