/* SPDX-License-Identifier: ISC */
/*
 * Reading pprof profiles.  Names come after what uses them: the message is held whole,
 * one pass finds its tables, a second one puts the samples.
 */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "codec/units.h"
#include "util/mem.h"
#include "util/num.h"


static char *
put_signed(char *p, int64_t n)
{
	if (n >= 0)
		return num_put_u64(p, (uint64_t)n);
	*p = '-';
	return num_put_u64(p + 1, -(uint64_t)n);
}

static struct text
message_of(const struct reader *rd, const struct entry *e)
{
	return (struct text){ rd->file.s + e->at, e->n };
}

/* ---- definitions ---- */

static void
add_hex(struct buf *b, const char *key, uint64_t n)
{
	char tmp[FIELD_TEXT];

	if (n)
		attr_add(b, key, (struct text){ tmp, (size_t)(num_put_hex(tmp, n) - tmp) });
}

static uint32_t
attrs_of(struct reader *rd)
{
	return rd->attrs.n ? dict_str(rd->d->dict, buf_as_text(&rd->attrs)) : NO_ID;
}

static int
by_place(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;

	return ((*x)->at > (*y)->at) - ((*x)->at < (*y)->at);
}

static int
put_mapping(struct reader *rd, struct entry *e)
{
	static const char *const range[] = { "start", "limit", "offset" };
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	struct pb m = pb_of(message_of(rd, e));
	struct pb_field f;

	rd->attrs.n = rd->text.n = 0;
	while (pb_next(&m, &f)) {
		if (f.number >= MAPPING_START && f.number <= MAPPING_OFFSET)
			add_hex(&rd->attrs, range[f.number - MAPPING_START], f.n);
		else if (f.number == MAPPING_FILE || f.number == MAPPING_BUILD_ID) {
			if (pprof_str(rd, m.p, f.n, &cols[f.number == MAPPING_FILE ?
			    OBJECT_PATH : OBJECT_KEY]) < 0)
				return -1;
		} else if (f.number >= MAPPING_HAS_FUNCTIONS &&
		    f.number <= MAPPING_HAS_INLINES && f.n)
			buf_printf(&rd->text, "%s%s", rd->text.n ? "," : "",
			    pprof_has[f.number - MAPPING_HAS_FUNCTIONS]);
	}
	if (rd->text.n)
		attr_add(&rd->attrs, "has", buf_as_text(&rd->text));
	cols[OBJECT_ATTRS] = attrs_of(rd);
	return dict_put(rd->d->dict, rd->d->out, REC_OBJECT, cols, &e->to);
}

/* In the order of the file: the first one is the main program. */
static int
put_mappings(struct reader *rd)
{
	const struct table *t = &rd->mapping;
	struct entry **order = mem_alloc(t->n + 1, sizeof *order);
	size_t i;
	int ret = 0;

	for (i = 0; i < t->n; i++)
		order[i] = &t->v[i];
	qsort(order, t->n, sizeof *order, by_place);
	for (i = 0; i < t->n && ret == 0; i++)
		ret = put_mapping(rd, order[i]);
	free(order);
	return ret;
}

static int
read_function(struct reader *rd, const struct entry *e, struct frames_func *func)
{
	struct pb m = pb_of(message_of(rd, e));
	uint64_t name = 0, system = 0, path = 0, start = 0;
	struct frames_said said = { 0 };
	char tmp[FIELD_TEXT];
	struct pb_field f;

	while (pb_next(&m, &f))
		switch (f.number) {
		case FUNCTION_NAME: name = f.n; break;
		case FUNCTION_SYSTEM_NAME: system = f.n; break;
		case FUNCTION_FILE: path = f.n; break;
		case FUNCTION_START_LINE: start = f.n; break;
		}
	if (pprof_string(rd, m.p, name, &said.name) < 0 ||
	    pprof_string(rd, m.p, system, &said.linker) < 0 ||
	    pprof_string(rd, m.p, path, &said.path) < 0)
		return -1;
	rd->attrs.n = 0;
	if (start)
		attr_add(&rd->attrs, "start", (struct text){ tmp,
		    (size_t)(put_signed(tmp, (int64_t)start) - tmp) });
	if (said.name.s && !said.linker.s)
		attr_add(&rd->attrs, "system", TEXT("none"));
	if (rd->attrs.n)
		said.attrs = buf_as_text(&rd->attrs);
	return frames_func_make(func, rd->d, &said);
}

/* The function of a line, in the object of its location. */
static int
find_func(struct reader *rd, const char *at, uint64_t id, uint32_t object,
    const struct frames_func **out)
{
	struct entry *e = pprof_find(&rd->function, id);
	struct frames_func *func;

	if (!e)
		return FAIL(rd, at, "function %" PRIu64 " is not defined", id);
	func = &rd->func[e - rd->function.v];
	*out = func;
	if (!func->known && read_function(rd, e, func) < 0)
		return -1;
	return frames_func_in(func, rd->d, object);
}

static int
add_line(struct reader *rd, struct text message, uint32_t object)
{
	struct pb m = pb_of(message);
	struct frame *frame = frames_add(&rd->frames);
	const struct frames_func *func = NULL;
	struct frames_place at;

	frames_place_read(&at, &m);
	if (m.wrong)
		return pprof_wrong(rd, &m);
	if (find_func(rd, message.s, at.func, object, &func) < 0)
		return -1;
	frame->cols[CTX_FUNC] = func->id;
	frame->cols[CTX_FILE] = func->cols[FUNC_FILE];
	if ((int64_t)at.line < 0 || (int64_t)at.column < 0)
		return FAIL(rd, message.s, "a line with a negative number");
	frame->cols[CTX_LINE] = frames_line(rd->d->dict, at.line, at.column);
	return 0;
}

static int
read_location(struct reader *rd, struct entry *e)
{
	struct pb m = pb_of(message_of(rd, e)), lines;
	const size_t first = rd->frames.n;
	uint32_t object = NO_ID;
	uint64_t addr = 0;
	bool folded = false;
	const struct entry *mapping;
	struct pb_field f;

	lines = m;
	while (pb_next(&m, &f)) {
		if (f.number == LOCATION_MAPPING && f.n) {
			if (!(mapping = pprof_find(&rd->mapping, f.n)))
				return FAIL(rd, m.p, "mapping %" PRIu64 " is not defined",
				    f.n);
			object = mapping->to;
		}
		if (f.number == LOCATION_ADDRESS)
			addr = f.n;
		if (f.number == LOCATION_IS_FOLDED)
			folded = f.n;
	}
	while (pb_next(&lines, &f))
		if (f.number == LOCATION_LINE && add_line(rd, f.bytes, object) < 0)
			return -1;
	if (rd->frames.n == first && frames_add_nameless(&rd->frames, rd->d, object) < 0)
		return -1;
	frames_finish(&rd->frames, rd->d->dict, first, addr);
	if (folded)
		rd->frames.v[first].cols[CTX_ATTRS] = dict_str(rd->d->dict,
		    TEXT("folded=1"));
	e->to = (uint32_t)first;
	return 0;
}

static int
read_locations(struct reader *rd)
{
	size_t i;

	rd->func = mem_alloc(rd->function.n + 1, sizeof *rd->func);
	for (i = 0; i < rd->location.n; i++)
		if (read_location(rd, &rd->location.v[i]) < 0)
			return -1;
	return 0;
}

/* ---- the header ---- */

static int
put_fact(struct reader *rd, int i)
{
	struct text t;
	char tmp[FIELD_TEXT];

	if (!rd->has_fact[i] || !rd->fact[i])
		return 0;
	if (!pprof_fact[i].text)
		t = (struct text){ tmp, (size_t)(put_signed(tmp, (int64_t)rd->fact[i]) -
		    tmp) };
	else if (pprof_string(rd, rd->file.s, rd->fact[i], &t) < 0)
		return -1;
	return t.s ? meta_put(rd->d->out, pprof_fact[i].key, t) : 0;
}

/* The period, its type and its unit. */
static int
put_period(struct reader *rd)
{
	struct record r;
	struct text type, unit;

	rec_init(&r, REC_META);
	if (!rd->period && !rd->period_type.type && !rd->period_type.unit)
		return 0;
	if (pprof_string(rd, rd->file.s, rd->period_type.type, &type) < 0 ||
	    pprof_string(rd, rd->file.s, rd->period_type.unit, &unit) < 0)
		return -1;
	rd->text.n = 0;
	buf_printf(&rd->text, "%" PRId64 "\t", (int64_t)rd->period);
	field_escape(&rd->text, type);
	buf_putc(&rd->text, '\t');
	field_escape(&rd->text, unit);
	r.col[0].t = TEXT("pprof.period");
	r.attrs = buf_as_text(&rd->text);
	return sink_put(rd->d->out, &r);
}

/* A comment may be a fact of ours (annotation.h). */
static int
put_comment(struct reader *rd, struct text t)
{
	struct record r;
	struct text key, list;

	rec_init(&r, REC_META);
	if (!annotation_get(t, &key, &list))
		return meta_put(rd->d->out, "comment", t);
	if (text_is(key, "event"))
		return annotation_event(&rd->own_events, list, "") ? 0 :
		    meta_put(rd->d->out, "comment", t);
	r.col[0].t = key;
	r.attrs = list;
	return sink_put(rd->d->out, &r);
}

static int
put_comments(struct reader *rd)
{
	size_t i;
	struct text t;

	for (i = 0; i < rd->ncomment; i++)
		if (pprof_string(rd, rd->file.s, rd->comment[i], &t) < 0 ||
		    put_comment(rd, t.s ? t : TEXT("")) < 0)
			return -1;
	return 0;
}

static bool
is_repeated(const struct reader *rd, size_t type)
{
	size_t i;

	for (i = 0; i < rd->ntype; i++)
		if (i != type && rd->type[i].type == rd->type[type].type)
			return true;
	return false;
}

/* What a sample type says of its event. */
static void
describe(struct reader *rd, size_t i, struct text type, struct text unit, struct buf *name,
    struct buf *attrs, struct record *r)
{
	buf_text(name, type);
	attr_add(attrs, "calls", TEXT("absent"));
	if (is_repeated(rd, i)) {
		buf_putc(name, '.');
		buf_text(name, unit);
		attr_add(attrs, "pprof.type", type.s ? type : TEXT(""));
	}
	r->col[EVENT_NAME].t = (struct text){ buf_str(name), name->n };
	if (!unit.s)
		attr_add(attrs, "pprof.unit", TEXT(""));
	else if (!text_is(unit, "count"))
		r->col[EVENT_UNIT].t = unit_ours(unit);
	r->attrs = buf_as_text(attrs);
}

/* An event is called by its type; of two of one type also by the unit.  A comment may
 * say more about it. */
static int
put_event(struct reader *rd, size_t i)
{
	struct record r;
	struct buf name = { 0 }, attrs = { 0 };
	const struct record *own;
	struct text type, unit;
	int ret;

	rec_init(&r, REC_EVENT);
	if (pprof_string(rd, rd->file.s, rd->type[i].type, &type) < 0 ||
	    pprof_string(rd, rd->file.s, rd->type[i].unit, &unit) < 0)
		return -1;
	r.col[EVENT_ID].n = i;
	describe(rd, i, type, unit, &name, &attrs, &r);
	own = annotation_event_of(&rd->own_events, i, r.col[EVENT_NAME].t);
	ret = sink_put(rd->d->out, own ? own : &r);
	buf_free(&name);
	buf_free(&attrs);
	return ret;
}

/* Those that are derived from others are in comments only. */
static int
put_derived(struct reader *rd)
{
	size_t i;

	for (i = 0; i < rd->own_events.n; i++)
		if (rd->own_events.v[i]->col[EVENT_ID].n == NO_ID &&
		    sink_put(rd->d->out, rd->own_events.v[i]) < 0)
			return -1;
	return 0;
}

static int
put_header(struct reader *rd)
{
	struct buf attrs = { 0 };
	size_t i;
	int ret;

	if (rd->addrs || rd->lines)
		attr_add(&attrs, "positions", rd->addrs && rd->lines ? TEXT("addr,line") :
		    rd->addrs ? TEXT("addr") : TEXT("line"));
	ret = decode_part(rd->d, "pprof", attrs.n ? buf_as_text(&attrs) :
	    (struct text){ 0 });
	buf_free(&attrs);
	for (i = 0; i < PPROF_FACTS && ret == 0; i++)
		ret = put_fact(rd, (int)i);
	if (ret < 0 || put_period(rd) < 0 || put_comments(rd) < 0)
		return -1;
	for (i = 0; i < rd->ntype && ret == 0; i++)
		ret = put_event(rd, i);
	return ret < 0 ? -1 : put_derived(rd);
}

/* ---- the second pass: samples ---- */

/* The context of the locations in rd->id: what it shares with the stack before, from
 * the root on, is known. */
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
		rd->npath = i;	/* whatever fails */
		if (frames_put(&rd->frames, rd->d, e->to, &ctx) < 0)
			return -1;
		rd->path[i] = e->to;
		rd->path_ctx[i] = ctx;
		rd->npath = i + 1;
	}
	*out = ctx;
	return 0;
}

/* A numeric label is an attribute, too: a fact, before its first sample, says that it
 * is one, and its unit. */
static int
declare_numlabel(struct reader *rd, const uint64_t strings[2], struct text key,
    struct text unit)
{
	const struct text bytes = { (const char *)strings, 2 * sizeof *strings };
	const uint64_t hash = memo_hash(bytes);
	struct record r;
	uint32_t id;

	rec_init(&r, REC_META);
	if (memo_find(&rd->numlabels, bytes, hash, &id))
		return 0;
	memo_add(&rd->numlabels, bytes, hash, 0);
	rd->text.n = 0;
	field_escape(&rd->text, key);
	buf_putc(&rd->text, '\t');
	field_escape(&rd->text, unit);
	r.col[0].t = TEXT("pprof.numlabel");
	r.attrs = buf_as_text(&rd->text);
	return sink_put(rd->d->out, &r);
}

static int
add_label(struct reader *rd, struct text message)
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
	if (!v.s && (number || num_unit)) {
		if (declare_numlabel(rd, (uint64_t[]){ key, num_unit }, k.s ? k : TEXT(""),
		    unit) < 0)
			return -1;
		v = (struct text){ tmp, (size_t)(put_signed(tmp, (int64_t)number) - tmp) };
	}
	attr_add_text(&rd->attrs, k.s ? k : TEXT(""), v.s ? v : TEXT(""));
	return 0;
}

static int
add_ids(struct reader *rd, const char *at, struct pb_field f)
{
	long n = pb_count(&f);

	if (n < 0)
		return FAIL(rd, at, "malformed numbers of locations");
	rd->id = mem_grow(rd->id, &rd->capid, rd->nid + (size_t)n, sizeof *rd->id);
	for (; n > 0 && pb_take(&f, &rd->id[rd->nid]); n--)
		rd->nid++;
	return 0;
}

/* The locations of another field, after those that were packed in one. */
static int
add_more(struct reader *rd, const char *at, struct pb_field f, struct text *packed)
{
	struct pb_field first = { .type = PB_BYTES, .bytes = *packed };

	if (packed->s && add_ids(rd, at, first) < 0)
		return -1;
	*packed = (struct text){ 0 };
	return add_ids(rd, at, f);
}

/* A stack that was there is found by its bytes. */
static int
find_stack(struct reader *rd, const char *at, struct text packed, uint64_t *ctx)
{
	const struct pb_field f = { .type = PB_BYTES, .bytes = packed };
	uint64_t hash;
	uint32_t id;

	if (!packed.s)
		return find_ctx(rd, at, ctx);
	hash = memo_hash(packed);
	if (memo_find(&rd->stacks, packed, hash, &id)) {
		*ctx = id;
		return 0;
	}
	if (add_ids(rd, at, f) < 0 || find_ctx(rd, at, ctx) < 0)
		return -1;
	memo_add(&rd->stacks, packed, hash, (uint32_t)*ctx);
	return 0;
}

/* Values as text; trailing zeros are left out, but for the first. */
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
		buf_add(&rd->values, tmp, (size_t)(put_signed(tmp, (int64_t)n) - tmp));
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
	struct text packed = { 0 };	/* all of the stack, if it is */
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
		return FAIL(rd, message.s, "a sample with %zu value%s, of %zu sample types",
		    count, count == 1 ? "" : "s", rd->ntype);
	if (find_stack(rd, message.s, packed, &r.col[0].n) < 0)
		return -1;
	r.values = (struct text){ buf_str(&rd->values), end };
	r.attrs = rd->attrs.n ? buf_as_text(&rd->attrs) : (struct text){ 0 };
	return sink_put(rd->d->out, &r);
}

static int
put_samples(struct reader *rd)
{
	struct pb m = pb_of(rd->file);
	struct pb_field f;

	while (pb_next(&m, &f))
		if (f.number == PROFILE_SAMPLE && put_sample(rd, f.bytes) < 0)
			return -1;
	return 0;
}

static void
reader_free(struct reader *rd)
{
	free(rd->type);
	free(rd->string);
	free(rd->mapping.v);
	free(rd->location.v);
	free(rd->function.v);
	free(rd->func);
	frames_free(&rd->frames);
	free(rd->comment);
	free(rd->id);
	free(rd->path);
	free(rd->path_ctx);
	memo_free(&rd->stacks);
	annotation_events_free(&rd->own_events);
	buf_free(&rd->values);
	buf_free(&rd->attrs);
	buf_free(&rd->text);
	memo_free(&rd->numlabels);
}

int
pprof_decode(struct decode *d)
{
	struct reader rd = { .d = d, .mapping.what = "mapping",
	    .location.what = "location", .function.what = "function" };
	int ret = -1;

	if (in_all(d->in, &rd.file.s, &rd.file.n) == 0) {
		frames_init(&rd.frames, rd.file.n);
		bound_text(&rd.said, rd.file.n);
		if (pprof_gather(&rd) == 0 && put_header(&rd) == 0 &&
		    put_mappings(&rd) == 0 && read_locations(&rd) == 0)
			ret = put_samples(&rd);
	}
	d->at.bytes = false;
	reader_free(&rd);
	return ret;
}
