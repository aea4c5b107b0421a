/* SPDX-License-Identifier: ISC */
/* Recognises OpenTelemetry's profiles.  There is no magic, and random bytes are often some
 * message: all levels down to the samples must be plausible. */
#include "reader.h"

/* Is it a message whose first fields have these types: "m", a message or bytes, "n", a
 * number?  Other fields may occur only if it is `open`. */
static bool
is_message(struct text message, const char *types, bool open)
{
	const size_t n = strlen(types);
	struct pb m = pb_of(message);
	struct pb_field f;

	while (pb_next(&m, &f)) {
		if (f.number > n ? !open :
		    f.type != (types[f.number - 1] == 'm' ? PB_BYTES : PB_VARINT))
			return false;
	}
	return !m.wrong;
}

/* Does is() accept each of these fields? */
static bool
all_are(struct text message, unsigned field, bool (*is)(struct text))
{
	struct pb m = pb_of(message);
	struct pb_field f;

	while (pb_next(&m, &f))
		if (f.number == field && !is(f.bytes))
			return false;
	return true;
}

static bool
is_type(struct text message)
{
	return is_message(message, "nn", true);
}

static bool
is_sample(struct text message)
{
	return is_message(message, "n", true);
}

/* Is it a profile, of any version?  Only these fields never changed. */
static bool
is_profile(struct text message)
{
	return is_message(message, "mm", true) && all_are(message, PROFILE_TYPE, is_type) &&
	    all_are(message, PROFILE_SAMPLE, is_sample);
}

static bool
is_scope(struct text message)
{
	return is_message(message, "mmm", false) && all_are(message, SCOPE_PROFILE, is_profile);
}

static bool
is_resource(struct text message)
{
	return is_message(message, "mmm", false) && all_are(message, RESOURCE_SCOPE, is_scope);
}

static bool
is_empty(struct text message)
{
	return message.n == 0;
}

/* Is it a dictionary?  All its tables have messages, and strings begin with the empty
 * one. */
static bool
is_dictionary(struct text message)
{
	struct pb m = pb_of(message);
	struct pb_field f;

	if (!is_message(message, "mmmmmmm", true))
		return false;
	while (pb_next(&m, &f))
		if (f.number == DICT_STRING)
			return is_empty(f.bytes);
	return false;
}

/* The first field is a message, one of the two. */
static int
probe_message(const char *p, size_t n)
{
	struct pb m = pb_of((struct text){ p, n });
	uint64_t key, size;
	const char *q = p;
	struct pb inner;
	struct pb_field f;

	if (!pb_varint(&q, p + n, &key) || (key & 7) != PB_BYTES || key >> 3 > DATA_DICTIONARY ||
	    key >> 3 == 0 || !pb_varint(&q, p + n, &size))
		return 0;
	if (pb_next(&m, &f))
		inner = pb_of(f.bytes);
	else	/* it is longer than the input */
		inner = pb_of((struct text){ q, (size_t)(p + n - q) });
	return !size ? PROBE_WHOLE : inner.p == inner.end || !pb_next(&inner, &f) ||
	    f.type == PB_BYTES ? PROBE_WHOLE : 0;
}

int
otlp_probe(const char *p, size_t n)
{
	struct text rest = { p, n }, message = rest;

	if (otlp_has_lengths(p, n))
		otlp_next_message(&rest, &message);
	return probe_message(message.s, message.n);
}

/* Does a truncated field begin such a message: are its fields so far messages? */
static bool
begins_message(struct text rest)
{
	struct pb m = pb_of(rest);
	struct pb_field f;
	uint64_t key, size;

	if (!pb_varint(&m.p, m.end, &key) || !pb_varint(&m.p, m.end, &size) ||
	    (key & 7) != PB_BYTES || key >> 3 == 0 || key >> 3 > DATA_DICTIONARY)
		return false;
	while (pb_next(&m, &f))
		if (f.type != PB_BYTES || f.number > DICT_TABLES)
			return false;
	return !m.wrong || m.cut;
}

/* A paragraph that begins with "\n[" looks like a message that is truncated. */
static bool
is_text(const char *p, size_t n)
{
	size_t i;

	for (i = 0; i < n && ((p[i] >= ' ' && p[i] <= '~') || (p[i] >= '\t' && p[i] <= '\r'));
	    i++)
		;
	return i == n;
}

/* Is it such a message, or, if it is truncated, does it begin with one? */
static bool
is_data(const char *p, size_t n)
{
	struct pb m = pb_of((struct text){ p, n });
	struct pb_field f;
	bool any = false;

	while (pb_next(&m, &f)) {
		if (f.number > DATA_DICTIONARY || f.type != PB_BYTES ||
		    !(f.number == DATA_RESOURCE ? is_resource : is_dictionary)(f.bytes))
			return false;
		any = true;
	}
	if (!m.wrong)
		return any;
	return m.cut && !is_text(p, n) &&
	    begins_message((struct text){ m.p, (size_t)(m.end - m.p) });
}

/* Are all whole messages of the file such ones?  The last one may be truncated. */
bool
otlp_is_data(const char *p, size_t n)
{
	struct text rest = { p, n }, message;
	size_t whole = 0;

	if (!otlp_has_lengths(p, n))
		return is_data(p, n);
	for (; rest.n && otlp_next_message(&rest, &message); whole++)
		if (!is_data(message.s, message.n))
			return false;
	return whole > 0;
}
