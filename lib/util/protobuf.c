/* SPDX-License-Identifier: ISC */
#include "util/protobuf.h"

#include <string.h>

bool
pb_long_varint(const char **p, const char *end, uint64_t *n)
{
	const char *s = *p;
	unsigned shift;

	*n = 0;
	for (shift = 0; s < end && shift < 64; shift += 7) {
		unsigned char c = (unsigned char)*s++;

		if (shift == 63 && c > 1)
			return false;
		*n |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			*p = s;
			return true;
		}
	}
	return false;
}

static bool
malformed(struct pb *m, const char *what)
{
	m->wrong = what;
	return false;
}

#define VARINT_MOST 10		/* bytes */

/* Fails: a field is longer than its message. */
static bool
cut(struct pb *m, const char *what)
{
	m->cut = true;
	return malformed(m, what);
}

/* Fails: a varint is truncated, or too long. */
static bool
no_varint(struct pb *m, const char *what)
{
	return m->end - m->p < VARINT_MOST ? cut(m, what) : malformed(m, what);
}

static bool
fixed(struct pb *m, struct pb_field *f, size_t size)
{
	size_t i;

	if ((size_t)(m->end - m->p) < size)
		return cut(m, "a number that is longer than the message");
	f->n = 0;
	for (i = size; i-- > 0; )
		f->n = f->n << 8 | (unsigned char)m->p[i];
	m->p += size;
	return true;
}

bool
pb_next(struct pb *m, struct pb_field *f)
{
	const char *start = m->p;
	uint64_t key, n;

	if (m->p == m->end || m->wrong)
		return false;
	if (!pb_varint(&m->p, m->end, &key))
		return no_varint(m, "expected the key of a field");
	if (key >> 3 == 0) {
		m->p = start;
		return malformed(m, "expected the key of a field");
	}
	f->number = key >> 3;
	f->n = 0;
	f->type = (enum pb_type)(key & 7);
	f->bytes = (struct text){ m->p, 0 };
	switch (key & 7) {
	case PB_VARINT:
		if (pb_varint(&m->p, m->end, &f->n))
			return true;
		no_varint(m, "a number that does not end, or is longer than 64 bits");
		break;
	case PB_FIXED64:
		if (fixed(m, f, 8))
			return true;
		break;
	case PB_FIXED32:
		if (fixed(m, f, 4))
			return true;
		break;
	case PB_BYTES:
		if (pb_varint(&m->p, m->end, &n) && n <= (size_t)(m->end - m->p)) {
			f->bytes = (struct text){ m->p, (size_t)n };
			m->p += n;
			return true;
		}
		cut(m, "a field that is longer than the message");
		break;
	default:
		malformed(m, "a field of an unknown type");
	}
	m->p = start;
	return false;
}

long
pb_count(const struct pb_field *f)
{
	const char *p = f->bytes.s, *end = p + f->bytes.n;
	uint64_t n;
	long count;

	if (f->type != PB_BYTES)
		return 1;
	for (count = 0; p < end; count++)
		if (!pb_varint(&p, end, &n))
			return -1;
	return count;
}

/* ---- writing ---- */

void
pb_put_varint(struct buf *b, uint64_t n)
{
	char *p = buf_room(b, 10), *start = p;

	for (; n >= 0x80; n >>= 7)
		*p++ = (char)(n | 0x80);
	*p++ = (char)n;
	b->n += (size_t)(p - start);
}

void
pb_put(struct buf *b, unsigned field, uint64_t n)
{
	if (!n)
		return;
	pb_put_varint(b, (uint64_t)field << 3 | PB_VARINT);
	pb_put_varint(b, n);
}

void
pb_put_bytes(struct buf *b, unsigned field, struct text t)
{
	pb_put_varint(b, (uint64_t)field << 3 | PB_BYTES);
	pb_put_varint(b, t.n);
	buf_text(b, t);
}
