/* SPDX-License-Identifier: ISC */
#include "marshal.h"

#include <stdlib.h>

#include "util/mem.h"

#define FLAG 0x80		/* of a type: the value can be referred to */
#define DIGIT 15		/* bits of a digit of a long integer */

static bool
fail(struct marshal *m, const char *wrong)
{
	m->wrong = wrong;
	return false;
}

static bool
cut(struct marshal *m)
{
	m->cut = true;
	return fail(m, "it ends inside a value");
}

/* An unsigned number of n bytes. */
static bool
get(struct marshal *m, unsigned n, uint64_t *out)
{
	unsigned i;

	if ((size_t)(m->end - m->p) < n)
		return cut(m);
	for (*out = 0, i = 0; i < n; i++)
		*out |= (uint64_t)(unsigned char)m->p[i] << 8 * i;
	m->p += n;
	return true;
}

static bool
get_text(struct marshal *m, unsigned size, struct marshal_value *v)
{
	uint64_t n;

	v->kind = MARSHAL_TEXT;
	if (!get(m, size, &n))
		return false;
	if ((uint64_t)(m->end - m->p) < n)
		return cut(m);
	v->text = (struct text){ m->p, (size_t)n };
	m->p += n;
	return true;
}

/* A sign and a length, then digits, the lowest first. */
static bool
get_long(struct marshal *m, struct marshal_value *v)
{
	uint64_t n, digit, sum = 0, i;
	bool minus;

	v->kind = MARSHAL_INT;
	if (!get(m, 4, &n))
		return false;
	minus = (int32_t)n < 0;
	n = minus ? -(uint64_t)(int32_t)n : n;
	for (i = 0; i < n; i++) {
		if (!get(m, 2, &digit))
			return false;
		if (digit >> DIGIT || i * DIGIT >= 63 || digit << i * DIGIT >> 63 ||
		    digit << i * DIGIT >> i * DIGIT != digit)
			return fail(m, "an integer of more than 63 bits");
		sum |= digit << i * DIGIT;
	}
	v->n = minus ? -(int64_t)sum : (int64_t)sum;
	return true;
}

static bool
get_int(struct marshal *m, unsigned size, struct marshal_value *v)
{
	uint64_t n;

	v->kind = MARSHAL_INT;
	if (!get(m, size, &n))
		return false;
	v->n = size == 4 ? (int32_t)n : (int64_t)n;
	return true;
}

static bool
get_float(struct marshal *m, struct marshal_value *v)
{
	uint64_t n;

	v->kind = MARSHAL_FLOAT;
	if (!get(m, 8, &n))
		return false;
	memcpy(&v->number, &n, sizeof n);
	return true;
}

static bool
get_tuple(struct marshal *m, unsigned size, struct marshal_value *v)
{
	uint64_t n;

	v->kind = MARSHAL_TUPLE;
	if (!get(m, size, &n))
		return false;
	v->n = (int64_t)n;
	return true;
}

/* To one of those with a flag, or of Python 2 to one of the interned strings. */
static bool
get_ref(struct marshal *m, const struct marshal_value *refs, size_t n,
    struct marshal_value *v)
{
	uint64_t i;

	if (!get(m, 4, &i))
		return false;
	if (i >= n)
		return fail(m, "a reference to what has not come yet");
	*v = refs[i];
	if (v->kind == MARSHAL_TUPLE || v->kind == MARSHAL_DICT)
		return fail(m, "a reference to a tuple or dict that no profile has twice");
	return true;
}

static bool
get_value(struct marshal *m, char type, struct marshal_value *v)
{
	switch (type) {
	case '0': v->kind = MARSHAL_END; return true;
	case '{': v->kind = MARSHAL_DICT; return true;
	case '(': return get_tuple(m, 4, v);
	case ')': return get_tuple(m, 1, v);
	case 'i': return get_int(m, 4, v);
	case 'I': return get_int(m, 8, v);
	case 'l': return get_long(m, v);
	case 'g': return get_float(m, v);
	case 'z': case 'Z': return get_text(m, 1, v);
	case 'a': case 'A': case 'u': case 's': case 't': return get_text(m, 4, v);
	case 'r': return get_ref(m, m->refs, m->nrefs, v);
	case 'R': return get_ref(m, m->interned, m->ninterned, v);
	default: return fail(m, "a value of a type that no profile has");
	}
}

/* A value has its number before those that are in it. */
bool
marshal_next(struct marshal *m, struct marshal_value *v)
{
	const char *at = m->p;
	unsigned char c;

	*v = (struct marshal_value){ .ref = SIZE_MAX };
	if (m->p == m->end)
		return cut(m);
	c = (unsigned char)*m->p++;
	if (!get_value(m, (char)(c & ~FLAG), v)) {
		m->p = at;
		return false;
	}
	if ((c & ~FLAG) == 't') {
		m->interned = mem_grow(m->interned, &m->capinterned, m->ninterned + 1,
		    sizeof *m->interned);
		m->interned[m->ninterned++] = *v;
	}
	if (c & FLAG && (c & ~FLAG) != 'r') {
		m->refs = mem_grow(m->refs, &m->caprefs, m->nrefs + 1, sizeof *m->refs);
		v->ref = m->nrefs;
		m->refs[m->nrefs++] = *v;
	}
	return true;
}

void
marshal_keep(struct marshal *m, const struct marshal_value *tuple, int64_t n)
{
	if (tuple->ref == SIZE_MAX)
		return;
	m->refs[tuple->ref].kind = MARSHAL_KEPT;
	m->refs[tuple->ref].n = n;
}

void
marshal_free(struct marshal *m)
{
	free(m->refs);
	free(m->interned);
}
