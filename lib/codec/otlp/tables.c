/* SPDX-License-Identifier: ISC */
/* The first pass over a message: finds its tables and its version. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

static const char *const table_name[DICT_TABLES] = {
	[DICT_MAPPING] = "mapping", [DICT_LOCATION] = "location",
	[DICT_FUNCTION] = "function", [DICT_LINK] = "link", [DICT_STRING] = "string",
	[DICT_ATTRIBUTE] = "attribute", [DICT_STACK] = "stack",
};

void
otlp_place(struct reader *rd, const char *p)
{
	rd->d->at.line = (uint64_t)(p - rd->file.s);
	rd->d->at.bytes = true;
}

int
otlp_wrong(struct reader *rd, const struct pb *m)
{
	return FAIL(rd, m->p, "%s", m->wrong);
}

int
otlp_entry(struct reader *rd, const char *at, unsigned table, uint64_t i, struct text *entry)
{
	const struct table *t = &rd->table[table];

	if (i >= t->n)
		return FAIL(rd, at, "%s %" PRId64 " of a table of %zu", table_name[table],
		    (int64_t)i, t->n);
	*entry = t->v[i];
	return 0;
}

int
otlp_text(struct reader *rd, const char *at, size_t n)
{
	return limit_add(&rd->text_limit, n) ? 0 : FAIL(rd, at, LIMIT_TEXT, rd->text_limit.most);
}

int
otlp_string(struct reader *rd, const char *at, uint64_t i, struct text *t)
{
	*t = (struct text){ 0 };
	return i && otlp_entry(rd, at, DICT_STRING, i, t) < 0 ? -1 : otlp_text(rd, at, t->n);
}

/* ---- the dictionary ---- */

/* Notes whether locations have addresses or lines, which must be known before the first
 * sample. */
static int
see_location(struct reader *rd, struct text message)
{
	struct pb m = pb_of(message);

	frames_location_see(&m, LOCATION_ADDRESS, LOCATION_LINE, &rd->addrs, &rd->lines);
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

static int
add_entry(struct reader *rd, const char *at, const struct pb_field *f)
{
	struct table *t = &rd->table[f->number];

	if (f->type != PB_BYTES)
		return FAIL(rd, at, "a malformed %s: not a message", table_name[f->number]);
	if (f->number == DICT_STRING && !t->n && f->bytes.n)
		return FAIL(rd, at, "the first string is not empty");
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = f->bytes;
	return f->number == DICT_LOCATION ? see_location(rd, f->bytes) : 0;
}

static void
make_results(struct table *t)
{
	size_t i;

	free(t->to);
	t->to = mem_alloc(t->n + 1, sizeof *t->to);
	for (i = 0; i < t->n; i++)
		t->to[i] = UNPUT;
}

static int
gather_dictionary(struct reader *rd, const char *at, const struct pb_field *dictionary)
{
	struct pb m = pb_of(dictionary->bytes);
	struct pb_field f;

	if (dictionary->type != PB_BYTES)
		return FAIL(rd, at, "malformed dictionary: not an OpenTelemetry profile, "
		    "or one of a version before 1.7 of its protocol");
	if (rd->dictionary)
		return FAIL(rd, at, "a second dictionary: several messages were put "
		    "together with cat; merge them with prof-merge");
	rd->dictionary = true;
	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (f.number < DICT_TABLES && add_entry(rd, at, &f) < 0)
			return -1;
	if (m.wrong)
		return otlp_wrong(rd, &m);
	make_results(&rd->table[DICT_MAPPING]);
	make_results(&rd->table[DICT_LOCATION]);
	make_results(&rd->table[DICT_STACK]);
	rd->func = mem_alloc(rd->table[DICT_FUNCTION].n + 1, sizeof *rd->func);
	frames_init(&rd->frames, rd->message.n);
	return 0;
}

/* ---- versions ---- */

enum { LAYOUT_NOW, LAYOUT_1_9, LAYOUT_1_8, LAYOUTS };

static const struct otlp_layout layouts[LAYOUTS] = {
	[LAYOUT_NOW] = { .attribute = 2, .link = 3, .value = 4 },
	[LAYOUT_1_9] = { .value = 2, .attribute = 3, .link = 4 },
	[LAYOUT_1_8] = { .value = 2, .attribute = 3, .link = 4, .comment = 7 },
};

/* The evidence for a version in samples and profiles, which do not state it. */
struct evidence {
	bool now, before;	/* a sample in the form since 1.10; in that of 1.8 and
				 * 1.9 */
	bool either;		/* a sample that may have either */
	bool values;		/* one whose numbers can hardly be attributes */
	bool comments;		/* a profile in the form of 1.8 */
	const char *older;	/* a sample in the form of 1.7; NULL: none */
	uint64_t samples;
	uint64_t *in;		/* by attribute: the last sample that may have it */
};

/* Could these numbers, f, be attributes of one sample? */
static bool
are_attributes(const struct reader *rd, struct pb_field f, struct evidence *seen)
{
	uint64_t n;

	while (pb_take(&f, &n)) {
		if (!n || n >= rd->table[DICT_ATTRIBUTE].n || seen->in[n] == seen->samples)
			return false;
		seen->in[n] = seen->samples;
	}
	return true;
}

/* Looks at a sample; repeated numbers are packed in all versions. */
static int
see_sample(struct reader *rd, struct text message, struct evidence *seen)
{
	struct pb m = pb_of(message);
	long second = 0, times = 0, bytes;
	bool settled = false, attributes = true;
	struct pb_field f;
	const char *at;

	seen->samples++;
	for (at = m.p; pb_next(&m, &f); at = m.p) {
		if ((f.number == 2 && f.type != PB_BYTES) || f.number == 6)
			seen->older = at;
		settled |= f.number == 3 || f.number == 4;
		if ((f.number == 3 && f.type == PB_VARINT) ||
		    (f.number == 4 && f.type == PB_BYTES))
			seen->now = true;
		if ((f.number == 3 && f.type == PB_BYTES) ||
		    (f.number == 4 && f.type == PB_VARINT))
			seen->before = true;
		if (f.number == 2 && (second = pb_count(&f)) < 0)
			return FAIL(rd, at, "malformed numbers of a sample");
		attributes &= f.number != 2 || are_attributes(rd, f, seen);
		bytes = f.type == PB_BYTES ? (long)f.bytes.n / 8 : 1;
		times += f.number == SAMPLE_TIME ? bytes : 0;
	}
	if (m.wrong)
		return otlp_wrong(rd, &m);
	/* Two numbers for three times cannot be values, and attributes cannot be all there
	 * is. */
	if (!settled && second && times && second != times)
		seen->now = true;
	if (!settled && second && !times)
		seen->before = true;
	if (!settled && second && second == times) {
		seen->either |= attributes;
		seen->values |= !attributes;
	}
	return 0;
}

static int
see_profile(struct reader *rd, struct text message, struct evidence *seen)
{
	struct pb m = pb_of(message);
	struct pb_field f;

	while (pb_next(&m, &f)) {
		if (f.number == PROFILE_SAMPLE && see_sample(rd, f.bytes, seen) < 0)
			return -1;
		seen->comments |= (f.number == 7 && f.type == PB_BYTES && f.bytes.n != 16) ||
		    (f.number == 8 && f.type == PB_BYTES) ||
		    (f.number == 9 && f.type == PB_VARINT) || f.number == 12;
	}
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

/* Calls see() for each message in a field of a message. */
static int
each(struct reader *rd, struct text message, unsigned field, struct evidence *seen,
    int (*see)(struct reader *, struct text, struct evidence *))
{
	struct pb m = pb_of(message);
	struct pb_field f;
	const char *at;

	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (f.number == field && f.type != PB_BYTES)
			return FAIL(rd, at, "a number in place of a message");
		else if (f.number == field && see(rd, f.bytes, seen) < 0)
			return -1;
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

static int
see_scope(struct reader *rd, struct text message, struct evidence *seen)
{
	return each(rd, message, SCOPE_PROFILE, seen, see_profile);
}

static int
see_resource(struct reader *rd, struct text message, struct evidence *seen)
{
	return each(rd, message, RESOURCE_SCOPE, seen, see_scope);
}

#define UNREAD "; versions 1.8 and later can be read"

static int
find_layout(struct reader *rd)
{
	struct evidence seen = { .in = mem_alloc(rd->table[DICT_ATTRIBUTE].n + 1,
	    sizeof *seen.in) };
	const int r = each(rd, rd->message, DATA_RESOURCE, &seen, see_resource);

	free(seen.in);
	if (r < 0)
		return -1;
	if (seen.older)
		return FAIL(rd, seen.older, "a sample of version 1.7 or before of "
		    "OpenTelemetry's protocol" UNREAD);
	if (seen.now && seen.before)
		return FAIL(rd, rd->message.s, "samples of different versions of "
		    "OpenTelemetry's protocol");
	seen.before |= seen.values && !seen.now;
	rd->guessed |= seen.either && !seen.now && !seen.before;
	rd->layout = &layouts[!seen.before ? LAYOUT_NOW :
	    seen.comments ? LAYOUT_1_8 : LAYOUT_1_9];
	return 0;
}

int
otlp_gather(struct reader *rd)
{
	struct pb m = pb_of(rd->message);
	struct pb_field f;
	const char *at;

	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (f.number == DATA_DICTIONARY && gather_dictionary(rd, at, &f) < 0)
			return -1;
	if (m.wrong)
		return FAIL(rd, m.p, "%s%s", m.cut ? "the file is truncated: " : "", m.wrong);
	if (!rd->dictionary)
		return FAIL(rd, m.p, "no dictionary: the file is truncated, or of a "
		    "version before 1.7 of OpenTelemetry's protocol" UNREAD);
	return find_layout(rd);
}

void
otlp_tables_free(struct reader *rd)
{
	int i;

	for (i = 0; i < DICT_TABLES; i++) {
		free(rd->table[i].v);
		free(rd->table[i].to);
		rd->table[i] = (struct table){ 0 };
	}
	free(rd->func);
	rd->func = NULL;
	frames_free(&rd->frames);
	rd->frames = (struct frames){ 0 };
	rd->dictionary = rd->addrs = rd->lines = false;
}
