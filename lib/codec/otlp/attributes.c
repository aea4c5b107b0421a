/* SPDX-License-Identifier: ISC */
/* Attributes: keys, with values of any type as text. */
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/json.h"

#define VALUE_DEPTH 16		/* of nested lists */

void
otlp_hex(struct buf *b, struct text bytes)
{
	static const char digit[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < bytes.n; i++) {
		buf_putc(b, digit[(unsigned char)bytes.s[i] >> 4]);
		buf_putc(b, digit[(unsigned char)bytes.s[i] & 15]);
	}
}

/* Adds the shortest decimal number with this value. */
static void
add_double(struct buf *b, uint64_t bits)
{
	char tmp[40];
	double v;
	int digits;

	memcpy(&v, &bits, sizeof v);
	for (digits = 15; digits <= 17; digits++) {
		snprintf(tmp, sizeof tmp, "%.*g", digits, v);
		if (strtod(tmp, NULL) == v)
			break;
	}
	buf_puts(b, tmp);
}

/* Adds a text, in quotes inside a list. */
static void
add_text(struct buf *b, struct text t, bool quoted)
{
	if (quoted)
		json_string(b, t.s ? t : TEXT(""));
	else
		buf_text(b, t);
}

static int add_value(struct reader *rd, struct text message, struct buf *b, unsigned depth);

/* Adds a list, or a map if `map`, as JSON. */
static int
add_list(struct reader *rd, struct text message, struct buf *b, unsigned depth, bool map)
{
	struct pb m = pb_of(message), pair;
	struct pb_field f, in;
	bool more = false;

	buf_putc(b, map ? '{' : '[');
	for (; pb_next(&m, &f); more = true) {
		struct text key = TEXT(""), value = { 0 };

		if (more)
			buf_putc(b, ',');
		if (!map && add_value(rd, f.bytes, b, depth) < 0)
			return -1;
		for (pair = pb_of(f.bytes); map && pb_next(&pair, &in); )
			if (in.number == PAIR_KEY)
				key = in.bytes;
			else if (in.number == PAIR_VALUE)
				value = in.bytes;
			else if (in.number == PAIR_KEY_INDEX &&
			    otlp_string(rd, f.bytes.s, in.n, &key) < 0)
				return -1;
		if (map && pair.wrong)
			return otlp_wrong(rd, &pair);
		if (!map)
			continue;
		add_text(b, key, true);
		buf_putc(b, ':');
		if (add_value(rd, value, b, depth) < 0)
			return -1;
	}
	buf_putc(b, map ? '}' : ']');
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

/* Adds a value of one of the possible types. */
static int
add_one(struct reader *rd, const char *at, const struct pb_field *f, struct buf *b,
    unsigned depth)
{
	struct text t;

	switch (f->number) {
	case ANY_STRING:
		add_text(b, f->bytes, depth);
		return 0;
	case ANY_STRING_INDEX:
		if (otlp_string(rd, at, f->n, &t) < 0)
			return -1;
		add_text(b, t, depth);
		return 0;
	case ANY_BOOL:
		buf_puts(b, f->n ? "true" : "false");
		return 0;
	case ANY_INT:
		num_add_whole(b, (num)(int64_t)f->n);
		return 0;
	case ANY_DOUBLE:
		add_double(b, f->n);
		return 0;
	case ANY_BYTES:
		buf_puts(b, depth ? "\"" : "");
		otlp_hex(b, f->bytes);
		buf_puts(b, depth ? "\"" : "");
		return 0;
	default:
		return add_list(rd, f->bytes, b, depth + 1, f->number == ANY_MAP);
	}
}

static int
add_value(struct reader *rd, struct text message, struct buf *b, unsigned depth)
{
	struct pb m = pb_of(message);
	const size_t start = b->n;
	struct pb_field f;
	const char *at;
	bool any = false;

	if (depth > VALUE_DEPTH)
		return FAIL(rd, message.s, "a value in more than %d lists", VALUE_DEPTH);
	for (at = m.p; pb_next(&m, &f); at = m.p) {
		if (f.number > ANY_STRING_INDEX)
			continue;
		b->n = start;	/* the last value counts */
		any = true;
		if (add_one(rd, at, &f, b, depth) < 0)
			return -1;
	}
	if (!any && depth)
		buf_puts(b, "null");
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

/* ---- keys and values ---- */

static int
see_value(struct reader *rd, struct text key, struct text message, struct text unit,
    otlp_see *see, void *arg)
{
	rd->value.n = 0;
	if (message.s && add_value(rd, message, &rd->value, 0) < 0)
		return -1;
	return see(rd, arg, key.s ? key : TEXT(""), (struct text){ buf_str(&rd->value),
	    rd->value.n }, unit);
}

int
otlp_pair(struct reader *rd, struct text message, otlp_see *see, void *arg)
{
	struct pb m = pb_of(message);
	struct text key = { 0 }, value = { 0 };
	struct pb_field f;
	const char *at;

	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (f.number == PAIR_KEY)
			key = f.bytes;
		else if (f.number == PAIR_VALUE)
			value = f.bytes;
		else if (f.number == PAIR_KEY_INDEX && otlp_string(rd, at, f.n, &key) < 0)
			return -1;
	return m.wrong ? otlp_wrong(rd, &m) :
	    see_value(rd, key, value, (struct text){ 0 }, see, arg);
}

static int
see_entry(struct reader *rd, struct text message, otlp_see *see, void *arg)
{
	struct pb m = pb_of(message);
	struct text key = { 0 }, value = { 0 }, unit = { 0 };
	struct pb_field f;
	const char *at;

	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (f.number == UNITED_VALUE)
			value = f.bytes;
		else if ((f.number == UNITED_KEY && otlp_string(rd, at, f.n, &key) < 0) ||
		    (f.number == UNITED_UNIT && otlp_string(rd, at, f.n, &unit) < 0))
			return -1;
	return m.wrong ? otlp_wrong(rd, &m) : see_value(rd, key, value, unit, see, arg);
}

int
otlp_indexed(struct reader *rd, struct pb_field f, otlp_see *see, void *arg)
{
	const char *at = f.bytes.s ? f.bytes.s : rd->message.s;
	struct text entry;
	uint64_t i;

	if (pb_count(&f) < 0)
		return FAIL(rd, at, "malformed numbers of attributes");
	while (pb_take(&f, &i))
		if (otlp_entry(rd, at, DICT_ATTRIBUTE, i, &entry) < 0 ||
		    otlp_text(rd, at, entry.n) < 0 ||
		    see_entry(rd, entry, see, arg) < 0)
			return -1;
	return 0;
}

/* ---- their use ---- */

int
otlp_fact(struct reader *rd, const char *key, const struct text *list, size_t n)
{
	struct record r = rec_make(REC_META);
	size_t i;

	for (; n && !list[n - 1].s; n--)
		;
	rd->list.n = 0;
	for (i = 0; i < n; i++) {
		if (i)
			buf_putc(&rd->list, '\t');
		field_escape(&rd->list, list[i]);
	}
	r.col[0].t = text_of(key);
	r.attrs = buf_as_text(&rd->list);
	return sink_put(rd->d->out, &r);
}

/* Puts the unit of a key, once in a part. */
static int
say_unit(struct reader *rd, struct text key, struct text unit)
{
	uint64_t hash;
	uint32_t id;

	rd->text.n = 0;
	buf_text(&rd->text, key);
	buf_putc(&rd->text, '\0');
	buf_text(&rd->text, unit);
	hash = cache_hash(buf_as_text(&rd->text));
	if (cache_find(&rd->units, buf_as_text(&rd->text), hash, &id))
		return 0;
	cache_add(&rd->units, buf_as_text(&rd->text), hash, 0);
	return otlp_fact(rd, "otlp.unit", (struct text[]){ key, unit }, 2);
}

int
otlp_add_attribute(struct reader *rd, void *arg, struct text key, struct text value,
    struct text unit)
{
	static const struct { const char *theirs, *ours; } label[] = {
		{ "process.pid", "pid" }, { "thread.id", "tid" }, { "thread.name", "comm" },
	};
	size_t i;

	(void)arg;
	for (i = 0; i < sizeof label / sizeof *label; i++)
		if (text_is(key, label[i].theirs))
			key = text_of(label[i].ours);
	attr_add_text(&rd->attrs, key, value);
	return unit.s ? say_unit(rd, key, unit) : 0;
}
