/* SPDX-License-Identifier: ISC */
#include "stream/record.h"

#include <stddef.h>
#include <stdlib.h>

#include "util/mem.h"

const char *const col_type_name[] = {
	"id", "object", "file", "func", "ctx", "int", "line", "addr", "str",
};
const char *const col_role_name[] = { "key", "kind", "sum", "min", "max", "note" };

#define K(name, type) { name, COL_##type, ROLE_KEY }
#define KIND(name) { name, COL_INT, ROLE_KIND }
#define SUM(name) { name, COL_INT, ROLE_SUM }
#define MIN(name) { name, COL_INT, ROLE_MIN }
#define MAX(name) { name, COL_INT, ROLE_MAX }
#define NOTE(name, type) { name, COL_##type, ROLE_NOTE }
#define PLACE K("func", FUNC), K("file", FILE), K("line", LINE), K("addr", ADDR)
#define ROW(kind, tag, tail, title, n, ...) \
	[kind] = { tag, kind, tail, n, { __VA_ARGS__ }, title }

const struct rec_def rec_table[REC_KINDS] = {
	ROW(REC_PROF, "prof", 0, "a stream begins; all numbering starts again", 1,
	    K("version", INT)),
	ROW(REC_TAG, "tag", REC_LIST, "declares a record that version 1 does not know", 2,
	    K("name", STR), K("mode", STR)),
	ROW(REC_PART, "part", REC_ATTRS, "a profile begins", 1,
	    K("run", INT)),
	ROW(REC_META, "meta", REC_LIST, "metadata", 1,
	    K("key", STR)),
	ROW(REC_EVENT, "event", REC_ATTRS, "a metric", 5,
	    K("id", ID), K("name", STR), NOTE("unit", STR), NOTE("formula", STR),
	    NOTE("description", STR)),
	ROW(REC_OBJECT, "object", REC_ATTRS, "an ELF object, an image", 3,
	    K("id", ID), K("path", STR), K("key", STR)),
	ROW(REC_FILE, "file", 0, "a source file", 2,
	    K("id", ID), K("path", STR)),
	ROW(REC_FUNC, "func", REC_ATTRS, "a function", 5,
	    K("id", ID), K("name", STR), K("file", FILE), K("object", OBJECT),
	    K("key", STR)),
	ROW(REC_CTX, "ctx", REC_ATTRS, "a frame, and the frame that called it", 6,
	    K("id", ID), K("parent", CTX), PLACE),
	ROW(REC_COST, "cost", REC_VALUES | REC_ATTRS, "self cost at a place", 4,
	    PLACE),
	ROW(REC_CALL, "call", REC_VALUES | REC_ATTRS,
	    "calls from a place, and their inclusive cost", 8,
	    PLACE, K("callee", FUNC), K("tline", LINE), K("taddr", ADDR), SUM("count")),
	ROW(REC_JUMP, "jump", 0, "branches from a place to another", 10,
	    PLACE, K("tfunc", FUNC), K("tfile", FILE), K("tline", LINE),
	    K("taddr", ADDR), SUM("followed"), KIND("executed")),
	ROW(REC_SAMPLE, "sample", REC_VALUES | REC_ATTRS,
	    "self cost of a whole calling context", 1,
	    K("ctx", CTX)),
	ROW(REC_POINT, "point", REC_ATTRS, "cost against input size", 20,
	    K("func", FUNC), K("ctx", CTX), K("size", INT), SUM("occ"), MIN("min"),
	    MAX("max"), SUM("sum"), SUM("sqr"), SUM("real"), SUM("self"),
	    MIN("selfmin"), MAX("selfmax"), SUM("selfsqr"), K("avg", INT),
	    SUM("rms"), SUM("rmssqr"), SUM("syscalls"), SUM("threads"),
	    SUM("selfsyscalls"), SUM("selfthreads")),
	ROW(REC_VPROF, "vprof", 0, "a value seen at a site", 5,
	    K("func", FUNC), K("site", STR), K("type", STR), SUM("count"),
	    K("value", STR)),
	ROW(REC_RAW, "raw", 0, "a body line that only its own format understands", 2,
	    K("func", FUNC), K("text", STR)),
	ROW(REC_TOTAL, "total", REC_VALUES, "cost of the whole", 1,
	    K("of", STR)),
	ROW(REC_END, "end", 0, "the stream is complete", 0, { 0 }),
};

const struct rec_def *
rec_find(struct text tag)
{
	int i;

	for (i = 0; i < REC_KINDS; i++)
		if (text_is(tag, rec_table[i].tag))
			return &rec_table[i];
	return NULL;
}

bool
values_next(struct text *rest, struct text *value)
{
	size_t i = 0;

	if (!rest->s || !rest->n)
		return false;
	while (i < rest->n && rest->s[i] != '\t' && rest->s[i] != ' ')
		i++;
	*value = (struct text){ rest->s, i };
	if (i < rest->n)
		i++;
	rest->s += i;
	rest->n -= i;
	return true;
}

void
values_add(struct buf *list, num value)
{
	if (list->n)
		buf_putc(list, '\t');
	num_add_whole(list, value);
}

int
sink_drop(struct sink *s, const struct record *r)
{
	(void)s;
	(void)r;
	return 0;
}

bool
meta_is(const struct record *r, const char *key)
{
	return rec_kind(r) == REC_META && text_is(r->col[0].t, key);
}

struct text
meta_value(const struct record *r, struct buf *scratch)
{
	struct text rest = r->attrs, f, t = { 0 };

	if (!fields_next(&rest, &f) || !field_unescape(f, scratch, &t))
		return (struct text){ 0 };
	return t;
}

bool
meta_count(const struct record *r, uint64_t *n)
{
	struct buf scratch = { 0 };
	const struct text v = meta_value(r, &scratch);
	num value;
	const bool is = v.s && num_is_canonical(v) && num_get_num(v.s, v.n, &value) == 0 &&
	    value >= 0 && value <= UINT64_MAX;

	if (is)
		*n = (uint64_t)value;
	buf_free(&scratch);
	return is;
}

bool
meta_has_several(const struct record *r)
{
	return r->attrs.s && memchr(r->attrs.s, '\t', r->attrs.n);
}

struct text
meta_only(const struct record *r, struct buf *scratch)
{
	return meta_has_several(r) ? (struct text){ 0 } : meta_value(r, scratch);
}

struct text
meta_values(const struct record *r, struct buf *scratch)
{
	struct text rest = r->attrs, field, value = { 0 };
	const size_t from = scratch->n;
	struct buf one = { 0 };

	if (!meta_has_several(r))
		return meta_value(r, scratch);
	while (fields_next(&rest, &field)) {
		one.n = 0;
		field_unescape(field, &one, &value);
		buf_puts(scratch, scratch->n > from ? ", " : "");
		buf_text(scratch, value.s ? value : TEXT("-"));
	}
	buf_free(&one);
	return (struct text){ scratch->s + from, scratch->n - from };
}

int
meta_put(struct sink *s, const char *key, struct text value)
{
	struct record r = rec_make(REC_META);
	struct buf b = { 0 };
	int ret;

	r.col[0].t = text_of(key);
	field_escape(&b, value);
	r.attrs = buf_as_text(&b);
	ret = sink_put(s, &r);
	buf_free(&b);
	return ret;
}

int
meta_put_num(struct sink *s, const char *key, num value)
{
	char tmp[NUM_TEXT];

	return meta_put(s, key, num_text(tmp, value));
}

/* One block: the record up to its last column, as most have few, then all its text. */
struct record *
rec_keep(const struct record *r)
{
	const size_t head = offsetof(struct record, col) + r->def->ncol * sizeof *r->col;
	size_t size = r->values.n + r->attrs.n;
	struct record *k;
	struct text *t[REC_COLS + 2];
	unsigned i, n = 0;
	char *p;

	for (i = 0; i < r->def->ncol; i++)
		if (r->def->col[i].type == COL_INT || r->def->col[i].type == COL_STR)
			size += r->col[i].t.n;
	k = mem_resize(NULL, 1, head + size + 1);
	rec_copy(k, r);
	for (i = 0; i < r->def->ncol; i++)
		if (r->def->col[i].type == COL_INT || r->def->col[i].type == COL_STR)
			t[n++] = &k->col[i].t;
	t[n++] = &k->values;
	t[n++] = &k->attrs;
	p = (char *)k + head;
	for (i = 0; i < n; i++) {
		if (!t[i]->s)
			continue;
		if (t[i]->n)
			memcpy(p, t[i]->s, t[i]->n);
		t[i]->s = p;
		p += t[i]->n;
	}
	return k;
}
