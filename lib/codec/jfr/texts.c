/* SPDX-License-Identifier: ISC */
/* Names.  The name of a class is a constant, a symbol, which is a string: any text is found
 * by the fields of its type that are named like one. */
#include "jfr.h"

#include "util/num.h"

#define DEPTH_MOST 8		/* of constants in constants */

static int constant_text(struct jfr *j, uint32_t type, uint64_t key, uint32_t *str,
    unsigned depth);

int
jfr_count_text(struct jfr *j, size_t n)
{
	return limit_add(&j->text_limit, n) ? 0 : jfr_fail(j, NULL, LIMIT_TEXT,
	    j->text_limit.most);
}

static int
string_text(struct jfr *j, struct bytes *b, uint32_t *str, unsigned depth)
{
	struct buf text = { 0 };
	uint64_t number;
	bool refers;
	int ret = 0;

	if (!jfr_string_add(b, &text, &refers, &number))
		return 0;
	if (refers)
		return constant_text(j, j->types.string, number, str, depth + 1);
	if ((ret = jfr_count_text(j, text.n)) == 0)
		*str = dict_str(j->d->dict, buf_as_text(&text));
	buf_free(&text);
	return ret;
}

static int
field_text(struct jfr *j, const struct jfr_field *f, struct bytes *b, uint32_t *str,
    unsigned depth)
{
	const struct jfr_types *t = &j->types;
	const struct jfr_type *type = f->type == NO_TYPE ? NULL : &t->v[f->type];
	uint64_t key;

	if (f->pool && !f->array)
		return jfr_read_reference(t, f, b, &key) ?
		    constant_text(j, f->type, key, str, depth + 1) : 0;
	if (type && type->kind == KIND_STRING && !f->array)
		return string_text(j, b, str, depth);
	jfr_skip_field(t, f, b);
	return 0;
}

/* Finds the text of a constant that is a structure, by the first of its fields that has
 * one. */
static int
struct_text(struct jfr *j, const struct jfr_type *type, struct bytes *b, uint32_t *str,
    unsigned depth)
{
	uint32_t i;

	for (i = 0; i < type->n && !b->ended; i++) {
		const struct jfr_field *f = &j->types.field[type->first + i];

		if (f->role == JFR_TEXT)
			return field_text(j, f, b, str, depth);
		jfr_skip_field(&j->types, f, b);
	}
	return 0;
}

static int
constant_text(struct jfr *j, uint32_t type, uint64_t key, uint32_t *str, unsigned depth)
{
	struct jfr_constant *c;
	struct bytes b;
	int ret;

	*str = NO_ID;
	if (type == NO_TYPE || depth > DEPTH_MOST || !(c = jfr_constant_find(j, type, key)))
		return 0;
	if (c->use != USE_TEXT) {
		b = jfr_constant_bytes(j, c);
		ret = j->types.v[type].kind == KIND_STRING ? string_text(j, &b, str, depth) :
		    struct_text(j, &j->types.v[type], &b, str, depth);
		if (ret < 0)
			return -1;
		c->use = USE_TEXT;
		c->id = *str;
	}
	*str = c->id;
	return 0;
}

int
jfr_constant_text(struct jfr *j, uint32_t type, uint64_t key, uint32_t *str)
{
	return constant_text(j, type, key, str, 0);
}

int
jfr_field_text(struct jfr *j, const struct jfr_field *f, struct bytes *b, uint32_t *str)
{
	*str = NO_ID;
	return field_text(j, f, b, str, 0);
}

/* ---- classes ---- */

/* Adds a name with points between packages.  The suffix of a hidden class, "/0x...", stays. */
static void
add_points(struct buf *b, struct text name)
{
	size_t i;

	for (i = 0; i < name.n; i++)
		buf_putc(b, name.s[i] == '/' && !(i + 1 < name.n && name.s[i + 1] >= '0' &&
		    name.s[i + 1] <= '9') ? '.' : name.s[i]);
}

/* Adds the name of a class from one in the form of the virtual machine. */
static void
add_class(struct buf *b, struct text name)
{
	static const struct { char letter; const char *name; } element[] = {
		{ 'Z', "boolean" }, { 'B', "byte" }, { 'S', "short" }, { 'C', "char" },
		{ 'I', "int" }, { 'J', "long" }, { 'F', "float" }, { 'D', "double" },
	};
	size_t arrays = 0, i;

	while (arrays < name.n && name.s[arrays] == '[')
		arrays++;
	name.s += arrays;
	name.n -= arrays;
	if (arrays && name.n > 1 && *name.s == 'L' && name.s[name.n - 1] == ';') {
		name.s++;
		name.n -= 2;
	}
	for (i = 0; arrays && name.n == 1 && i < sizeof element / sizeof *element; i++)
		if (*name.s == element[i].letter)
			name = text_of(element[i].name);
	add_points(b, name);
	while (arrays--)
		buf_puts(b, "[]");
}

int
jfr_class_text(struct jfr *j, const struct jfr_field *f, struct bytes *b, uint32_t *str)
{
	struct buf text = { 0 };
	char tmp[NUM_TEXT];
	uint64_t key;
	int ret;

	*str = NO_ID;
	if (!jfr_read_reference(&j->types, f, b, &key) || !key)
		return 0;
	if (jfr_constant_text(j, f->type, key, str) < 0)
		return -1;
	if (*str == NO_ID) {
		j->count[COUNT_CLASSES]++;
		buf_puts(&text, "[class ");
		buf_text(&text, num_text_u64(tmp, key));
		buf_putc(&text, ']');
	} else {
		add_class(&text, dict_text(j->d->dict, *str));
	}
	if ((ret = jfr_count_text(j, text.n)) == 0)
		*str = dict_str(j->d->dict, buf_as_text(&text));
	buf_free(&text);
	return ret;
}
