/* SPDX-License-Identifier: ISC */
/*
 * Types and their fields, from the event of the metadata: a list of strings, and a tree of
 * elements whose names and attributes are strings of it (MetadataReader.java).
 */
#include "jfr.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/num.h"

#define DEPTH_MOST 64		/* of elements, and of types in types */

/* The elements that matter, and where they may be. */
enum where { IN_ANY, IN_CLASS, IN_FIELD, IN_OTHER };

enum { ATTR_NAME, ATTR_ID, ATTR_CLASS, ATTR_POOL, ATTR_DIMENSION, ATTR_VALUE, ATTRS };

struct reader {
	struct jfr *j;
	struct bytes b;
	struct { size_t at, n; } *string;	/* in the text of the types */
	size_t nstring;
	/* An annotation of a field may name its unit. */
	struct note { size_t field; uint64_t class; struct text value; } *note;
	size_t nnote, capnote;
};

/* ---- names ---- */

static const struct { const char *name; uint8_t kind, width; bool sign; } basic[] = {
	{ "boolean", KIND_BYTES, 1, false }, { "byte", KIND_BYTES, 1, true },
	{ "short", KIND_NUMBER, 2, true }, { "char", KIND_NUMBER, 2, false },
	{ "int", KIND_NUMBER, 4, true }, { "long", KIND_NUMBER, 8, true },
	{ "float", KIND_BYTES, 4, true }, { "double", KIND_BYTES, 8, true },
	{ "java.lang.String", KIND_STRING, 0, false },
};

static const struct { const char *name; uint8_t role; } roles[] = {
	{ "stackTrace", JFR_STACK }, { "sampledThread", JFR_THREAD },
	{ "eventThread", JFR_THREAD }, { "state", JFR_STATE }, { "objectClass", JFR_CLASS },
	{ "monitorClass", JFR_CLASS }, { "parkedClass", JFR_CLASS },
	{ "thrownClass", JFR_CLASS }, { "path", JFR_PATH }, { "host", JFR_HOST },
	{ "startTime", JFR_START }, { "samples", JFR_SAMPLES }, { "truncated", JFR_TRUNCATED },
	{ "frames", JFR_FRAMES }, { "method", JFR_METHOD }, { "lineNumber", JFR_LINE },
	{ "type", JFR_TYPE }, { "descriptor", JFR_DESCRIPTOR }, { "name", JFR_TEXT },
	{ "string", JFR_TEXT }, { "description", JFR_TEXT }, { "javaName", JFR_JAVA_NAME },
	{ "osName", JFR_OS_NAME }, { "osThreadId", JFR_OS_ID },
};

static const char *const weights[JFR_ROLES - JFR_WEIGHT] = {
	"weight", "tlabSize", "allocationSize", "objectSize", "samplingPeriod", "timeSpan",
	"duration", "bytesRead", "bytesWritten", "size",
};

struct text
jfr_weight_name(enum jfr_role role)
{
	return text_of(weights[role - JFR_WEIGHT]);
}

static uint8_t
role_of(struct text name)
{
	size_t i;

	for (i = 0; i < sizeof roles / sizeof *roles; i++)
		if (text_is(name, roles[i].name))
			return roles[i].role;
	for (i = 0; i < sizeof weights / sizeof *weights; i++)
		if (text_is(name, weights[i]))
			return (uint8_t)(JFR_WEIGHT + i);
	return JFR_NONE;
}

/* ---- the tree ---- */

static struct text
string_at(const struct reader *rd, uint64_t i)
{
	const struct buf *text = &rd->j->types.text;

	return i < rd->nstring ? (struct text){ text->s + rd->string[i].at, rd->string[i].n } :
	    (struct text){ 0 };
}

static uint64_t
number_of(struct text t)
{
	struct buf b = { 0 };
	uint64_t n = 0;
	const char *end;

	buf_text(&b, t);
	end = num_get_u64(buf_str(&b), &n);
	if (!end || !t.n || *end)
		n = UINT64_MAX;
	buf_free(&b);
	return n;
}

static void
add_type(struct jfr_types *t, const struct text *attr)
{
	struct jfr_type type = { .id = number_of(attr[ATTR_ID]), .name = attr[ATTR_NAME],
	    .first = (uint32_t)t->nfield, .event = NO_ID };
	const size_t row = sums_row(&t->ids, &type.id);
	size_t i;

	for (i = 0; i < sizeof basic / sizeof *basic; i++)
		if (text_is(type.name, basic[i].name)) {
			type.kind = basic[i].kind;
			type.width = basic[i].width;
			type.sign = basic[i].sign;
		}
	if (type.kind == KIND_STRING && t->string == NO_TYPE)
		t->string = (uint32_t)row;
	/* A type that comes again keeps its place, and is what came last. */
	t->v = mem_reach(t->v, &t->cap, row, sizeof *t->v, 0);
	t->n = t->ids.n;
	t->v[row] = type;
}

static void
add_field(struct jfr_types *t, uint32_t type, const struct text *attr)
{
	t->field = mem_grow(t->field, &t->capfield, t->nfield + 1, sizeof *t->field);
	t->field[t->nfield++] = (struct jfr_field){ .name = attr[ATTR_NAME],
	    .class = number_of(attr[ATTR_CLASS]), .type = NO_TYPE,
	    .role = role_of(attr[ATTR_NAME]), .pool = text_is(attr[ATTR_POOL], "true"),
	    .array = text_is(attr[ATTR_DIMENSION], "1") };
	t->v[type].n++;
}

static void
add_note(struct reader *rd, const struct text *attr)
{
	rd->note = mem_grow(rd->note, &rd->capnote, rd->nnote + 1, sizeof *rd->note);
	rd->note[rd->nnote++] = (struct note){ rd->j->types.nfield - 1,
	    number_of(attr[ATTR_CLASS]), attr[ATTR_VALUE] };
}

static void
read_attrs(struct reader *rd, struct text attr[ATTRS])
{
	static const char *const names[ATTRS] = { "name", "id", "class", "constantPool",
	    "dimension", "value" };
	uint64_t n = bytes_number(&rd->b, 4);
	size_t i;

	memset(attr, 0, ATTRS * sizeof *attr);
	for (; n && !rd->b.ended; n--) {
		const struct text key = string_at(rd, bytes_number(&rd->b, 4));
		const struct text value = string_at(rd, bytes_number(&rd->b, 4));

		for (i = 0; i < ATTRS; i++)
			if (text_is(key, names[i]))
				attr[i] = value;
	}
}

/* Reads an element with all that is in it.  `type` is the class that it is in. */
static void
read_element(struct reader *rd, enum where in, uint32_t type, unsigned depth)
{
	struct jfr_types *t = &rd->j->types;
	const struct text name = string_at(rd, bytes_number(&rd->b, 4));
	struct text attr[ATTRS];
	enum where here = in == IN_ANY ? IN_ANY : IN_OTHER;
	uint64_t n;

	read_attrs(rd, attr);
	if (in == IN_ANY && text_is(name, "class")) {
		add_type(t, attr);
		type = (uint32_t)sums_row(&t->ids, &(uint64_t){ number_of(attr[ATTR_ID]) });
		here = IN_CLASS;
	} else if (in == IN_CLASS && text_is(name, "field")) {
		add_field(t, type, attr);
		here = IN_FIELD;
	} else if (in == IN_FIELD && text_is(name, "annotation")) {
		add_note(rd, attr);
	}
	if (depth == DEPTH_MOST)
		rd->b.ended = true;
	for (n = bytes_number(&rd->b, 4); n && !rd->b.ended; n--)
		read_element(rd, here, type, depth + 1);
}

static void
read_strings(struct reader *rd)
{
	struct buf *text = &rd->j->types.text;
	uint64_t i, n = bytes_number(&rd->b, 4), unused;
	bool refers;

	if (n > bytes_left(&rd->b)) {
		rd->b.ended = true;
		return;
	}
	rd->string = mem_alloc(n + 1, sizeof *rd->string);
	for (i = 0; i < n && !rd->b.ended; i++) {
		rd->string[i].at = text->n;
		jfr_string_add(&rd->b, text, &refers, &unused);
		rd->string[i].n = text->n - rd->string[i].at;
	}
	rd->nstring = i;
	buf_str(text);		/* so that it is not NULL */
}

/* ---- what follows from the types ---- */

struct jfr_type *
jfr_type_find(const struct jfr_types *t, uint64_t id)
{
	size_t row;

	return sums_find(&t->ids, &id, &row) ? &t->v[row] : NULL;
}

/* Does a name end like this?  In recordings of JDK 9 types are in other packages. */
static bool
ends_with(struct text name, const char *end)
{
	const size_t n = strlen(end);

	return name.n >= n && memcmp(name.s + name.n - n, end, n) == 0;
}

static uint8_t
unit_of(const struct jfr_type *note, struct text value)
{
	static const struct { const char *value; uint8_t unit; } units[] = {
		{ "TICKS", UNIT_TICKS }, { "NANOSECONDS", UNIT_NS },
		{ "MICROSECONDS", UNIT_US }, { "MILLISECONDS", UNIT_MS }, { "SECONDS", UNIT_S },
	};
	size_t i;

	if (note && ends_with(note->name, ".DataAmount"))
		return text_is(value, "BYTES") ? UNIT_BYTES : UNIT_NONE;
	if (note && ends_with(note->name, ".Timespan"))
		for (i = 0; i < sizeof units / sizeof *units; i++)
			if (text_is(value, units[i].value))
				return units[i].unit;
	return UNIT_NONE;
}

static void
find_units(struct reader *rd)
{
	struct jfr_types *t = &rd->j->types;
	size_t i;

	for (i = 0; i < rd->nnote; i++) {
		const struct note *n = &rd->note[i];
		const uint8_t unit = unit_of(jfr_type_find(t, n->class), n->value);

		if (unit)
			t->field[n->field].unit = unit;
	}
}

enum { TYPE_NEW, TYPE_CURRENT, TYPE_DONE };

/* Finds out whether a type is broken or empty, after those of its fields. */
static void
finish_type(struct jfr_types *t, char *state, uint32_t at, unsigned depth)
{
	struct jfr_type *type = &t->v[at];
	uint32_t i, n = 0;

	if (state[at] == TYPE_DONE)
		return;
	type->broken = state[at] == TYPE_CURRENT || depth == DEPTH_MOST;
	state[at] = type->broken ? TYPE_DONE : TYPE_CURRENT;
	for (i = 0; i < type->n && type->kind == KIND_STRUCT && !type->broken; i++) {
		struct jfr_field *f = &t->field[type->first + i];
		const struct jfr_type *is = f->type == NO_TYPE ? NULL : &t->v[f->type];

		if (is && !f->pool)
			finish_type(t, state, f->type, depth + 1);
		if (!f->pool && (!is || is->broken))
			type->broken = true;
		else if (f->pool || f->array || !is->empty)
			t->field[type->first + n++] = *f;
		type->stack |= f->role == JFR_STACK && f->pool;
	}
	if (!type->broken)
		type->n = n;
	type->empty = type->kind == KIND_STRUCT && !type->broken && !n;
	state[at] = TYPE_DONE;
}

static void
finish_types(struct jfr_types *t)
{
	char *state = mem_alloc(t->n + 1, 1);
	size_t i, row;

	for (i = 0; i < t->nfield; i++)
		if (sums_find(&t->ids, &t->field[i].class, &row))
			t->field[i].type = (uint32_t)row;
	for (i = 0; i < t->n; i++)
		finish_type(t, state, (uint32_t)i, 0);
	free(state);
}

int
jfr_metadata_read(struct jfr *j, struct bytes b)
{
	struct reader rd = { .j = j, .b = b };
	const char *at = b.p;

	bytes_number(&rd.b, 8);		/* its start, */
	bytes_number(&rd.b, 8);		/* its duration, */
	bytes_number(&rd.b, 8);		/* and its number */
	read_strings(&rd);
	if (!rd.b.ended)
		read_element(&rd, IN_ANY, NO_TYPE, 0);
	find_units(&rd);
	finish_types(&j->types);
	free(rd.string);
	free(rd.note);
	return rd.b.ended ? jfr_bad(j, at, "malformed metadata of types and their fields") : 0;
}

void
jfr_types_clear(struct jfr_types *t)
{
	sums_clear(&t->ids);
	t->n = t->nfield = t->text.n = 0;
	t->string = NO_TYPE;
}

void
jfr_types_free(struct jfr_types *t)
{
	sums_free(&t->ids);
	free(t->v);
	free(t->field);
	buf_free(&t->text);
}
