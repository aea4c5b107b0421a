/* SPDX-License-Identifier: ISC */
#include "marshal.h"

#include <stdlib.h>

#include "util/mem.h"

#define FLAG 0x80		/* in a type: the value can be referred to */
#define DIGIT 15		/* bits per digit of a long integer */

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

/* Reads an unsigned number of n bytes. */
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

/* Reads a sign and a length, then digits, the lowest first. */
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

/* Reads a reference: to a value with a flag or, in Python 2, to an interned string. */
static bool
get_ref(struct marshal *m, const struct marshal_value *refs, size_t n,
    struct marshal_value *v)
{
	uint64_t i;

	if (!get(m, 4, &i))
		return false;
	if (i >= n)
		return fail(m, "a reference to a value that comes later");
	*v = refs[i];
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
	default: return fail(m, "a value of a type that profiles do not have");
	}
}

static bool
pass(struct marshal *m, size_t n, struct marshal_value *v)
{
	v->kind = MARSHAL_OTHER;
	if ((size_t)(m->end - m->p) < n)
		return cut(m);
	m->p += n;
	return true;
}

/* Skips numbers as texts, from old versions; those in code may be longer than ours. */
static bool
pass_texts(struct marshal *m, unsigned texts, struct marshal_value *v)
{
	uint64_t n;

	while (texts-- > 0)
		if (!get(m, 1, &n) || !pass(m, (size_t)n, v))
			return false;
	return true;
}

static bool
pass_long(struct marshal *m, struct marshal_value *v)
{
	uint64_t n;

	if (!get(m, 4, &n))
		return false;
	n = (int32_t)n < 0 ? -(uint64_t)(int32_t)n : n;
	return pass(m, 2 * (size_t)n, v);
}

/* Reads a value that only code has: lists and sets are like tuples. */
static bool
get_any(struct marshal *m, char type, struct marshal_value *v)
{
	switch (type) {
	case 'N': case 'F': case 'T': case 'S': case '.': return pass(m, 0, v);
	case 'f': return pass_texts(m, 1, v);
	case 'x': return pass_texts(m, 2, v);
	case 'y': return pass(m, 16, v);
	case 'l': return pass_long(m, v);
	case '[': case '<': case '>': return get_tuple(m, 4, v);
	case ':': v->kind = MARSHAL_TUPLE; v->n = 3; return true;
	default: return get_value(m, type, v);
	}
}

/* Reserves a number: a value has its number before its elements. */
static size_t
reserve(struct marshal *m)
{
	m->refs = mem_grow(m->refs, &m->caprefs, m->nrefs + 1, sizeof *m->refs);
	m->refs[m->nrefs] = (struct marshal_value){ .kind = MARSHAL_OTHER };
	return m->nrefs++;
}

static bool read_code(struct marshal *m, unsigned depth, struct marshal_value *v);

/* Takes the next value, without the elements of a tuple or dict, and its type. */
static bool
take(struct marshal *m, unsigned depth, struct marshal_value *v, char *type)
{
	const char *at = m->p;
	size_t ref = SIZE_MAX;
	unsigned char c;

	*v = (struct marshal_value){ .ref = SIZE_MAX };
	if (m->p == m->end)
		return cut(m);
	c = (unsigned char)*m->p++;
	*type = (char)(c & ~FLAG);
	if (c & FLAG && *type != 'r')
		ref = reserve(m);
	if (!(*type == 'c' ? read_code(m, depth, v) : depth ? get_any(m, *type, v) :
	    get_value(m, *type, v))) {
		m->p = at;
		return false;
	}
	if (*type == 't') {
		m->interned = mem_grow(m->interned, &m->capinterned, m->ninterned + 1,
		    sizeof *m->interned);
		m->interned[m->ninterned++] = *v;
	}
	if (ref != SIZE_MAX) {
		v->ref = ref;
		m->refs[ref] = *v;
	}
	return true;
}

/* ---- code ---- */

/* Depth of nested functions and tuples: Python allows 20 blocks, or 100 indentations. */
#define DEEPEST 500

/* Takes a value of code with everything in it. */
static bool
take_all(struct marshal *m, unsigned depth, struct marshal_value *v)
{
	struct marshal_value in;
	int64_t i;
	char type;

	if (depth > DEEPEST)
		return fail(m, "values are nested too deeply");
	if (!take(m, depth, v, &type))
		return false;
	if (type == 'r' || type == 'R')
		return true;
	for (i = 0; v->kind == MARSHAL_TUPLE && i < v->n; i++)
		if (!take_all(m, depth + 1, &in))
			return false;
	for (in.kind = MARSHAL_OTHER; v->kind == MARSHAL_DICT && in.kind != MARSHAL_END; )
		if (!take_all(m, depth + 1, &in))
			return false;
	return true;
}

static bool
take_of(struct marshal *m, unsigned depth, enum marshal_kind kind, struct marshal_value *v)
{
	return take_all(m, depth, v) && (v->kind == kind ||
	    fail(m, "code of an unknown version"));
}

/*
 * Reads code that begins with so many numbers: four in Python 2, five until 3.7, six until
 * 3.10, and five again from 3.11 on.  Since 3.11 its variables are one tuple, a text gives
 * their kinds, and it also has a qualified name and a table of exceptions.
 */
static bool
read_code_of(struct marshal *m, unsigned head, unsigned depth, struct marshal_value *v)
{
	struct marshal_value file, name, x;
	uint64_t n;
	unsigned i;
	bool joined;

	for (i = 0; i < head; i++)
		if (!get(m, 4, &n))
			return false;
	if (!take_of(m, depth, MARSHAL_TEXT, &x))
		return false;
	for (i = 0; i < 3; i++)		/* constants, names, variables */
		if (!take_of(m, depth, MARSHAL_TUPLE, &x))
			return false;
	if (!take_all(m, depth, &x))
		return false;
	joined = head == 5 && x.kind == MARSHAL_TEXT;
	if ((!joined && (x.kind != MARSHAL_TUPLE || !take_of(m, depth, MARSHAL_TUPLE, &x))) ||
	    !take_of(m, depth, MARSHAL_TEXT, &file) ||
	    !take_of(m, depth, MARSHAL_TEXT, &name) ||
	    (joined && !take_of(m, depth, MARSHAL_TEXT, &x)) || !get(m, 4, &n) ||
	    !take_of(m, depth, MARSHAL_TEXT, &x) ||
	    (joined && !take_of(m, depth, MARSHAL_TEXT, &x)))
		return m->wrong ? false : fail(m, "code of an unknown version");
	*v = (struct marshal_value){ .kind = MARSHAL_CODE, .ref = SIZE_MAX,
	    .text = name.text, .file = file.text, .n = (int64_t)n };
	return true;
}

/* Reads code.  The first code of a file shows which version of Python has written it. */
static bool
read_code(struct marshal *m, unsigned depth, struct marshal_value *v)
{
	const struct marshal was = *m;
	bool ends = false;
	unsigned head;

	if (m->head)
		return read_code_of(m, m->head, depth + 1, v);
	for (head = 4; head <= 6; head++) {
		m->head = head;
		if (read_code_of(m, head, depth + 1, v))
			return true;
		ends |= m->cut;
		m->p = was.p;
		m->nrefs = was.nrefs;
		m->ninterned = was.ninterned;
		m->cut = false;
		m->wrong = NULL;
	}
	m->head = 0;
	return ends ? cut(m) : fail(m, "code of an unknown version");
}

bool
marshal_next(struct marshal *m, struct marshal_value *v)
{
	const char *at = m->p;
	char type;

	if (!take(m, 0, v, &type))
		return false;
	if (type == 'r' && (v->kind == MARSHAL_TUPLE || v->kind == MARSHAL_DICT ||
	    v->kind == MARSHAL_OTHER)) {
		m->p = at;
		return fail(m, "a reference to a tuple or dict, which profiles do not "
		    "have twice");
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
