/* SPDX-License-Identifier: ISC */
/* The second pass over a pprof profile: puts its samples. */
#include "reader.h"

#include <inttypes.h>

#include "util/mem.h"

/* ---- stacks ---- */

/* Finds the context of the locations in rd->id; the part that it shares with the previous
 * stack, from the root on, is known. */
static int
find_ctx(struct reader *rd, const char *at, uint64_t *out)
{
	uint32_t ctx = NO_ID;
	bool same = true;
	size_t i;

	rd->path = mem_grow(rd->path, &rd->cappath, rd->nid, sizeof *rd->path);
	rd->path_ctx = mem_grow(rd->path_ctx, &rd->cappath_ctx, rd->nid,
	    sizeof *rd->path_ctx);
	for (i = 0; i < rd->nid; i++) {
		const uint64_t id = rd->id[rd->nid - 1 - i];
		const struct entry *e = pprof_find(&rd->location, id);

		if (!e)
			return FAIL(rd, at, "location %" PRIu64 " is not defined", id);
		same = same && i < rd->npath && rd->path[i] == e->to;
		if (same) {
			ctx = rd->path_ctx[i];
			continue;
		}
		rd->npath = i;	/* valid even if something fails */
		if (frames_put(&rd->frames, rd->d, e->to, &ctx) < 0)
			return -1;
		rd->path[i] = e->to;
		rd->path_ctx[i] = ctx;
		rd->npath = i + 1;
	}
	*out = ctx;
	return 0;
}

static int
add_ids(struct reader *rd, const char *at, struct pb_field f)
{
	const size_t most = f.type == PB_BYTES ? f.bytes.n : 1;
	uint64_t *id = mem_grow(rd->id, &rd->capid, rd->nid + most, sizeof *id);

	rd->id = id;
	for (id += rd->nid; pb_take(&f, id); id++)
		;
	rd->nid = (size_t)(id - rd->id);
	return f.bytes.n ? FAIL(rd, at, "malformed numbers of locations") : 0;
}

/* Adds the locations of another field, after those that were packed in one. */
static int
add_more(struct reader *rd, const char *at, struct pb_field f, struct text *packed)
{
	struct pb_field first = { .type = PB_BYTES, .bytes = *packed };

	if (packed->s && add_ids(rd, at, first) < 0)
		return -1;
	*packed = (struct text){ 0 };
	return add_ids(rd, at, f);
}

/* Finds a stack that occurred before by its bytes. */
static int
find_stack(struct reader *rd, const char *at, struct text packed, uint64_t *ctx)
{
	const struct pb_field f = { .type = PB_BYTES, .bytes = packed };
	uint64_t hash;
	uint32_t id;

	if (!packed.s)
		return find_ctx(rd, at, ctx);
	hash = cache_hash(packed);
	if (cache_find(&rd->stacks, packed, hash, &id)) {
		*ctx = id;
		return 0;
	}
	if (add_ids(rd, at, f) < 0 || find_ctx(rd, at, ctx) < 0)
		return -1;
	cache_add(&rd->stacks, packed, hash, (uint32_t)*ctx);
	return 0;
}

/* ---- labels ---- */

/* A numeric label is also an attribute: metadata, before its first sample, state that it is
 * numeric, and its unit. */
static int
declare_numlabel(struct reader *rd, const uint64_t strings[2], struct text key,
    struct text unit)
{
	const struct text bytes = { (const char *)strings, 2 * sizeof *strings };
	const uint64_t hash = cache_hash(bytes);
	struct record r;
	uint32_t id;

	rec_init(&r, REC_META);
	if (cache_find(&rd->numlabels, bytes, hash, &id))
		return 0;
	cache_add(&rd->numlabels, bytes, hash, 0);
	rd->text.n = 0;
	field_escape(&rd->text, key);
	buf_putc(&rd->text, '\t');
	field_escape(&rd->text, unit);
	r.col[0].t = TEXT("pprof.numlabel");
	r.attrs = buf_as_text(&rd->text);
	return sink_put(rd->d->out, &r);
}

static int
read_label(struct reader *rd, struct text message, bool *is_text)
{
	struct pb m = pb_of(message);
	uint64_t key = 0, str = 0, number = 0, num_unit = 0;
	struct text k, v, unit;
	struct pb_field f;
	char tmp[FIELD_TEXT];

	while (pb_next(&m, &f))
		switch (f.number) {
		case LABEL_KEY: key = f.n; break;
		case LABEL_STR: str = f.n; break;
		case LABEL_NUM: number = f.n; break;
		case LABEL_NUM_UNIT: num_unit = f.n; break;
		}
	if (m.wrong)
		return pprof_wrong(rd, &m);
	if (pprof_string(rd, message.s, key, &k) < 0 || pprof_string(rd, message.s, str, &v) < 0 ||
	    pprof_string(rd, message.s, num_unit, &unit) < 0)
		return -1;
	*is_text = v.s || !(number || num_unit);
	if (!*is_text) {
		if (declare_numlabel(rd, (uint64_t[]){ key, num_unit }, k.s ? k : TEXT(""),
		    unit) < 0)
			return -1;
		v = (struct text){ tmp, (size_t)(pprof_put_signed(tmp, (int64_t)number) - tmp) };
	}
	attr_add_text(&rd->attrs, k.s ? k : TEXT(""), v.s ? v : TEXT(""));
	return 0;
}

#define LABEL_MOST 256		/* bytes of an attribute that is kept */

/* Keeps the attribute of a label, for others with the same bytes. */
static void
keep_label(struct reader *rd, struct text message, uint64_t hash, struct text attr)
{
	const uint32_t n = (uint32_t)attr.n, at = (uint32_t)rd->label_text.n;

	if (attr.n > LABEL_MOST || rd->label_text.n > CACHE_MOST ||
	    !cache_add(&rd->labels, message, hash, at))
		return;
	buf_add(&rd->label_text, (const char *)&n, sizeof n);
	buf_text(&rd->label_text, attr);
}

/* Adds an attribute for a label.  Most samples have labels of a few. */
static int
add_label(struct reader *rd, struct text message)
{
	const uint64_t hash = cache_hash(message);
	const size_t from = rd->attrs.n + (rd->attrs.n > 0);	/* after a TAB */
	uint32_t at, n;
	bool is_text = false;

	if (cache_find(&rd->labels, message, hash, &at)) {
		if (rd->attrs.n)
			buf_putc(&rd->attrs, '\t');
		memcpy(&n, rd->label_text.s + at, sizeof n);
		buf_add(&rd->attrs, rd->label_text.s + at + sizeof n, n);
		return 0;
	}
	if (read_label(rd, message, &is_text) < 0)
		return -1;
	if (is_text)
		keep_label(rd, message, hash,
		    (struct text){ rd->attrs.s + from, rd->attrs.n - from });
	return 0;
}

/* ---- samples ---- */

/* Adds values as text; trailing zeros are left out, except the first. */
static int
add_values(struct reader *rd, const char *at, struct pb_field f, size_t *count, size_t *end)
{
	char tmp[FIELD_TEXT];
	uint64_t n;

	if (pb_count(&f) < 0)
		return FAIL(rd, at, "malformed values");
	while (pb_take(&f, &n)) {
		if (rd->values.n)
			buf_putc(&rd->values, '\t');
		buf_add(&rd->values, tmp, (size_t)(pprof_put_signed(tmp, (int64_t)n) - tmp));
		if (n || !*count)
			*end = rd->values.n;
		++*count;
	}
	return 0;
}

static int
put_sample(struct reader *rd, struct text message)
{
	struct pb m = pb_of(message);
	struct record r;
	size_t count = 0, end = 0;
	struct text packed = { 0 };	/* the whole stack, if it is packed */
	struct pb_field f;
	const char *at;

	rec_init(&r, REC_SAMPLE);
	rd->nid = rd->values.n = rd->attrs.n = 0;
	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (f.number == SAMPLE_LOCATION && f.type == PB_BYTES && !packed.s &&
		    !rd->nid)
			packed = f.bytes;
		else if ((f.number == SAMPLE_LOCATION && add_more(rd, at, f, &packed) < 0) ||
		    (f.number == SAMPLE_VALUE && add_values(rd, at, f, &count, &end) < 0) ||
		    (f.number == SAMPLE_LABEL && add_label(rd, f.bytes) < 0))
			return -1;
	if (m.wrong)
		return pprof_wrong(rd, &m);
	if (count != rd->ntype)
		return FAIL(rd, message.s, "a sample with %zu value%s, but %zu sample "
		    "types",
		    count, count == 1 ? "" : "s", rd->ntype);
	if (find_stack(rd, message.s, packed, &r.col[0].n) < 0)
		return -1;
	r.values = (struct text){ buf_str(&rd->values), end };
	r.attrs = rd->attrs.n ? buf_as_text(&rd->attrs) : (struct text){ 0 };
	return sink_put(rd->d->out, &r);
}

int
pprof_put_samples(struct reader *rd)
{
	struct pb m = pb_of(rd->file);
	struct pb_field f;

	while (pb_next(&m, &f))
		if (f.number == PROFILE_SAMPLE && put_sample(rd, f.bytes) < 0)
			return -1;
	return 0;
}
