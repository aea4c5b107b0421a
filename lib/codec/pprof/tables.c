/* SPDX-License-Identifier: ISC */
/* The first pass over a pprof profile: finds the places of everything. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/search.h"

void
pprof_place(struct reader *rd, const char *p)
{
	rd->d->at.line = (uint64_t)(p - rd->file.s);
	rd->d->at.bytes = true;
}

/* ---- strings ---- */

/* Sets *t to the text of an index of the table, absent for 0, the empty one. */
int
pprof_string(struct reader *rd, const char *at, uint64_t i, struct text *t)
{
	struct pb m = pb_of(rd->file);
	struct pb_field f;

	*t = (struct text){ 0 };
	if (i >= rd->nstring)
		return FAIL(rd, at, "string %" PRIu64 " of a table of %zu", i, rd->nstring);
	if (!i)
		return 0;
	m.p += rd->string[i];
	pb_next(&m, &f);
	if (f.bytes.n)
		*t = f.bytes;
	return limit_add(&rd->text_limit, t->n) ? 0 : FAIL(rd, at, LIMIT_TEXT, rd->text_limit.most);
}

/* The same as a string of the dictionary. */
int
pprof_str(struct reader *rd, const char *at, uint64_t i, uint32_t *str)
{
	struct text t;

	if (pprof_string(rd, at, i, &t) < 0)
		return -1;
	*str = dict_str(rd->d->dict, t);
	return 0;
}

/* ---- the first pass: tables ---- */

static int
add_entry(struct reader *rd, struct table *t, const char *at, uint64_t id, struct text m)
{
	if (!id)
		return FAIL(rd, at, "a %s with the id 0", t->what);
	if (m.n > UINT32_MAX)
		return FAIL(rd, at, "a %s of 4 GiB or more", t->what);
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = (struct entry){ id, (size_t)(m.s - rd->file.s), (uint32_t)m.n, NO_ID };
	return 0;
}

int
pprof_wrong(struct reader *rd, const struct pb *m)
{
	return FAIL(rd, m->p, "%s", m->wrong);
}

/* Notes whether the location has addresses or lines, until both are known to occur. */
static int
see_location(struct reader *rd, struct text message)
{
	struct pb m = pb_of(message);

	if (rd->addrs && rd->lines)
		return 0;
	frames_location_see(&m, LOCATION_ADDRESS, LOCATION_LINE, &rd->addrs, &rd->lines);
	return m.wrong ? pprof_wrong(rd, &m) : 0;
}

static int
gather_entry(struct reader *rd, struct table *t, const struct pb_field *message)
{
	struct pb m = pb_of(message->bytes);
	struct pb_field f;
	uint64_t id = 0;

	if (message->type != PB_BYTES)
		return FAIL(rd, m.p, "a malformed %s: not a message", t->what);
	while (pb_next(&m, &f))
		if (f.number == LOCATION_ID)	/* the same number in all three */
			id = f.n;
	if (m.wrong)
		return pprof_wrong(rd, &m);
	if (t == &rd->location && see_location(rd, message->bytes) < 0)
		return -1;
	return add_entry(rd, t, message->bytes.s, id, message->bytes);
}

static int
gather_type(struct reader *rd, const struct pb_field *message, struct type *type)
{
	struct pb m = pb_of(message->bytes);
	struct pb_field f;

	*type = (struct type){ 0 };
	while (pb_next(&m, &f))
		if (f.number == TYPE_TYPE)
			type->type = f.n;
		else if (f.number == TYPE_UNIT)
			type->unit = f.n;
	return m.wrong ? pprof_wrong(rd, &m) : 0;
}

static int
gather_fact(struct reader *rd, const char *at, const struct pb_field *f)
{
	int i;

	for (i = 0; i < PPROF_FACTS; i++) {
		if (pprof_fact[i].field != f->number)
			continue;
		if (f->number == PROFILE_TIME_NANOS && rd->fact[i])
			return FAIL(rd, at, "a second time: several profiles were put "
			    "together with cat; merge them with prof-merge");
		rd->fact[i] = f->n;
		rd->has_fact[i] = true;
	}
	return 0;
}

static int
gather_comments(struct reader *rd, const char *at, struct pb_field f)
{
	uint64_t n;

	if (pb_count(&f) < 0)
		return FAIL(rd, at, "malformed numbers of comments");
	while (pb_take(&f, &n)) {
		rd->comment = mem_grow(rd->comment, &rd->capcomment, rd->ncomment + 1,
		    sizeof *rd->comment);
		rd->comment[rd->ncomment++] = n;
	}
	return 0;
}

static int
gather_field(struct reader *rd, const char *at, const struct pb_field *f)
{
	switch (f->number) {
	case PROFILE_SAMPLE_TYPE:
		rd->type = mem_grow(rd->type, &rd->captype, rd->ntype + 1,
		    sizeof *rd->type);
		return gather_type(rd, f, &rd->type[rd->ntype++]);
	case PROFILE_SAMPLE:
		rd->nsample++;
		return f->type == PB_BYTES ? 0 : FAIL(rd, at, "a malformed sample: not a "
		    "message");
	case PROFILE_MAPPING:
		return gather_entry(rd, &rd->mapping, f);
	case PROFILE_LOCATION:
		return gather_entry(rd, &rd->location, f);
	case PROFILE_FUNCTION:
		return gather_entry(rd, &rd->function, f);
	case PROFILE_STRING:
		if (f->type != PB_BYTES)
			return FAIL(rd, at, "a malformed string");
		if (!rd->nstring && f->bytes.n)
			return FAIL(rd, at, "the first string is not empty");
		rd->string = mem_grow(rd->string, &rd->capstring, rd->nstring + 1,
		    sizeof *rd->string);
		rd->string[rd->nstring++] = (size_t)(at - rd->file.s);
		return 0;
	case PROFILE_PERIOD_TYPE:
		return gather_type(rd, f, &rd->period_type);
	case PROFILE_PERIOD:
		rd->period = f->n;
		return 0;
	case PROFILE_COMMENT:
		return gather_comments(rd, at, *f);
	default:
		return gather_fact(rd, at, f);
	}
}

static int
by_id(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int
sort_table(struct reader *rd, struct table *t)
{
	size_t i;

	for (i = 1; i < t->n && t->v[i - 1].id < t->v[i].id; i++)
		;
	if (i < t->n)
		qsort(t->v, t->n, sizeof *t->v, by_id);
	for (i = 1; i < t->n; i++)
		if (t->v[i - 1].id == t->v[i].id)
			return FAIL(rd, rd->file.s + t->v[i].at, "a second %s with the id "
			    "%" PRIu64, t->what, t->v[i].id);
	return 0;
}

/* Looks at a sample; its errors are reported when it is put. */
static int
see_sample(struct reader *rd, struct text message)
{
	struct pb m = pb_of(message);
	struct pb_field f;
	uint64_t id;

	while (pb_next(&m, &f)) {
		if (f.number != SAMPLE_LOCATION || pb_count(&f) < 0)
			continue;
		while (pb_take(&f, &id)) {
			struct entry *e = pprof_find(&rd->location, id);

			if (!e || e->to != NO_ID)	/* it was seen before */
				continue;
			e->to = 0;
			if (see_location(rd, (struct text){ rd->file.s + e->at,
			    e->n }) < 0)
				return -1;
		}
	}
	return 0;
}

/* Looks at the locations of samples; others do not count.  Usually the first stack shows
 * everything. */
static int
see_positions(struct reader *rd)
{
	const bool addrs = rd->addrs, lines = rd->lines;
	struct pb m = pb_of(rd->file);
	struct pb_field f;

	rd->addrs = rd->lines = false;
	while ((rd->addrs != addrs || rd->lines != lines) && pb_next(&m, &f))
		if (f.number == PROFILE_SAMPLE && see_sample(rd, f.bytes) < 0)
			return -1;
	return 0;
}

int
pprof_gather(struct reader *rd)
{
	struct pb m = pb_of(rd->file);
	struct pb_field f;
	const char *at;

	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (gather_field(rd, at, &f) < 0)
			return -1;
	if (m.wrong)
		return FAIL(rd, m.p, "%s%s", m.cut ? "the profile is truncated: " : "", m.wrong);
	if (rd->nsample && !rd->ntype)
		return FAIL(rd, rd->file.s, "samples without a sample type");
	if (!rd->nstring)
		return FAIL(rd, m.p, "the profile is truncated: it has no table of "
		    "strings");
	return sort_table(rd, &rd->mapping) < 0 || sort_table(rd, &rd->location) < 0 ||
	    sort_table(rd, &rd->function) < 0 ? -1 : see_positions(rd);
}

/* Ids are usually 1, 2, 3... */
struct entry *
pprof_find(const struct table *t, uint64_t id)
{
	size_t at;

	if (id - 1 < t->n && t->v[id - 1].id == id)
		return &t->v[id - 1];
	at = PARTITION_POINT(i, 0, t->n, t->v[i].id < id);
	return at < t->n && t->v[at].id == id ? &t->v[at] : NULL;
}
