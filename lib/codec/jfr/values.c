/* SPDX-License-Identifier: ISC */
/* A value by its type.  A type that contains itself is broken, and fields without bytes are
 * left out, so that each step takes a byte. */
#include "jfr.h"

#include "util/printable.h"

enum { STRING_NULL, STRING_EMPTY, STRING_CONSTANT, STRING_UTF8, STRING_UTF16, STRING_LATIN1 };

/* ---- strings ---- */

static void
add_latin1(struct buf *to, struct text t)
{
	size_t i;

	for (i = 0; i < t.n; i++)
		printable_add_code(to, (unsigned char)t.s[i]);
}

static void
add_utf16(struct buf *to, struct bytes *b, uint64_t n)
{
	uint32_t high = 0;

	for (; n && !b->ended; n--) {
		const uint32_t c = bytes_number(b, 2) & 0xffff;

		if (high && c >= 0xdc00 && c < 0xe000)
			printable_add_code(to, 0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00));
		else if (high)
			printable_add_code(to, 0xfffd);
		if (c >= 0xd800 && c < 0xdc00) {
			high = c;
			continue;
		}
		if (c < 0xdc00 || c >= 0xe000)
			printable_add_code(to, c);
		else if (!high)
			printable_add_code(to, 0xfffd);
		high = 0;
	}
	if (high)
		printable_add_code(to, 0xfffd);
}

bool
jfr_string_add(struct bytes *b, struct buf *to, bool *refers, uint64_t *number)
{
	const uint64_t encoding = bytes_big(b, 1);

	*refers = encoding == STRING_CONSTANT;
	switch (encoding) {
	case STRING_NULL:
		return false;
	case STRING_EMPTY:
		return true;
	case STRING_CONSTANT:
		*number = bytes_number(b, 8);
		return true;
	case STRING_UTF8:
		buf_text(to, bytes_string(b, bytes_number(b, 4)));
		return true;
	case STRING_UTF16:
		add_utf16(to, b, bytes_number(b, 4));
		return true;
	case STRING_LATIN1:
		add_latin1(to, bytes_string(b, bytes_number(b, 4)));
		return true;
	default:
		b->ended = true;
		return false;
	}
}

static void
skip_string(struct bytes *b)
{
	const uint64_t encoding = bytes_big(b, 1);
	uint64_t n;

	if (encoding == STRING_CONSTANT) {
		bytes_number(b, 8);
	} else if (encoding == STRING_UTF8 || encoding == STRING_LATIN1) {
		bytes_skip(b, bytes_number(b, 4));
	} else if (encoding == STRING_UTF16) {
		for (n = bytes_number(b, 4); n && !b->ended; n--)
			bytes_number(b, 2);
	} else if (encoding > STRING_LATIN1) {
		b->ended = true;
	}
}

/* ---- any value ---- */

void
jfr_skip_type(const struct jfr_types *t, const struct jfr_type *type, struct bytes *b)
{
	uint32_t i;

	if (type->broken)
		b->ended = true;
	else if (type->kind == KIND_NUMBER)
		bytes_number(b, type->width);
	else if (type->kind == KIND_BYTES)
		bytes_skip(b, type->width);
	else if (type->kind == KIND_STRING)
		skip_string(b);
	else
		for (i = 0; i < type->n && !b->ended; i++)
			jfr_skip_field(t, &t->field[type->first + i], b);
}

void
jfr_skip_field(const struct jfr_types *t, const struct jfr_field *f, struct bytes *b)
{
	uint64_t n = f->array ? bytes_number(b, 4) : 1;

	if (!f->pool && f->type == NO_TYPE) {	/* it makes its type a broken one */
		b->ended = true;
		return;
	}
	if (!f->pool && t->v[f->type].empty)
		return;
	for (; n && !b->ended; n--)
		if (f->pool)
			bytes_number(b, 8);
		else
			jfr_skip_type(t, &t->v[f->type], b);
}

/* ---- numbers ---- */

bool
jfr_read_number(const struct jfr_types *t, const struct jfr_field *f, struct bytes *b,
    int64_t *v)
{
	const struct jfr_type *type = f->type == NO_TYPE ? NULL : &t->v[f->type];
	unsigned unused;
	uint64_t n;

	if (f->pool || f->array || !type || type->broken || (type->kind != KIND_NUMBER &&
	    (type->kind != KIND_BYTES || type->width != 1))) {
		jfr_skip_field(t, f, b);
		return false;
	}
	unused = 64 - 8 * type->width;
	n = type->kind == KIND_NUMBER ? bytes_number(b, type->width) : bytes_big(b, 1);
	*v = type->sign ? (int64_t)(n << unused) >> unused : (int64_t)(n << unused >> unused);
	return true;
}

bool
jfr_read_reference(const struct jfr_types *t, const struct jfr_field *f, struct bytes *b,
    uint64_t *key)
{
	if (!f->pool || f->array) {
		jfr_skip_field(t, f, b);
		return false;
	}
	*key = bytes_number(b, 8);
	return true;
}
