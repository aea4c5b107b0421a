/* SPDX-License-Identifier: ISC */
/*
 * Writing pprof profiles.  Fields of a message may come in any order: samples go out
 * as they come, with the numbers of locations that get their tables at the end.
 */
#include "pprof.h"

#include <stdlib.h>

#include "codec/annotation.h"
#include "codec/frames.h"
#include "codec/units.h"
#include "stream/event.h"
#include "stream/sums.h"
#include "util/mem.h"
#include "util/num.h"
#include "util/protobuf.h"

/* Columns of the keys of tables. */
enum { LOC_PREFIX, LOC_FUNC, LOC_FILE, LOC_LINE, LOC_ADDR, LOC_ATTRS, LOC_KEYS };
enum { FN_FUNC, FN_FILE, FN_KEYS };

struct value {			/* of an event */
	uint64_t factor;	/* of what the format has no scale for */
	num sum;		/* of what was written, before that */
};

struct writer {
	struct sink sink;
	struct encode e;
	struct events events;
	struct value *value;
	bool own;		/* the profile is of pprof, new or old */
	bool began;		/* the sample types are written */
	/* Locations and functions are numbered from 1, in the order of these rows.  A
	 * location of several frames is one frame and a prefix, the location of those
	 * around it. */
	struct sums locations, functions;
	uint32_t *number;	/* of those: in the file */
	size_t capnumber;
	uint32_t nlocation;	/* so numbered */
	uint32_t *of_ctx;	/* location + 1; 0: not known yet */
	size_t capof_ctx;
	uint32_t *chain;	/* frames of a location, innermost first */
	size_t capchain;
	uint32_t *mapping;	/* by object: number + 1 */
	size_t capmapping, nmapping;
	uint32_t *object;	/* of each mapping */
	size_t capobject;
	uint32_t *string;	/* by string of the dictionary: index + 1 */
	size_t capstring, nstring;
	struct buf strings;	/* the table as it is written */
	struct buf facts;	/* fields of the message */
	struct lookup numlabels;	/* keys of numeric labels, in unit */
	uint64_t *unit;		/* strings */
	size_t nunit, capunit;
	bool has_default;
	struct buf run;		/* the total of the part */
	struct buf message, part, scratch;
};

/* ---- strings ---- */

/* The index of a text; that of the empty one, and of an absent one, is 0. */
static uint64_t
string_of(struct writer *w, struct text t)
{
	uint32_t id;

	if (!t.n)
		return 0;
	id = dict_str(w->e.dict, t);
	w->string = mem_reach(w->string, &w->capstring, id, sizeof *w->string, 0);
	if (!w->string[id]) {
		pb_put_bytes(&w->strings, PROFILE_STRING, t);
		w->string[id] = (uint32_t)++w->nstring + 1;
	}
	return w->string[id] - 1;
}

static uint64_t
string_of_id(struct writer *w, uint32_t str)
{
	return string_of(w, dict_text(w->e.dict, str));
}

/* The message's empty string is no name. */
static uint64_t
name_of(struct writer *w, struct text t)
{
	if (t.s && !t.n)
		loss_add(w->e.loss, "empty names (written as none)");
	return string_of(w, t);
}

static void
put_message(struct writer *w, unsigned field, struct buf *message)
{
	w->scratch.n = 0;
	pb_put_bytes(&w->scratch, field, buf_as_text(message));
	out_write(w->e.out, w->scratch.s, w->scratch.n);
}

/* A whole number of 64 bits, as the format has them. */
static bool
get_int(struct text t, uint64_t *n)
{
	num v;

	if (!num_is_canonical(t) || num_get_num(t.s, t.n, &v) < 0 || v < INT64_MIN ||
	    v > INT64_MAX)
		return false;
	*n = (uint64_t)(int64_t)v;
	return true;
}

/* ---- events ---- */

/* Times in parts of a second become nanoseconds where they can. */
static struct text
unit_of(struct writer *w, const struct record *event, struct value *v, struct buf *scratch)
{
	const uint64_t scale = event_scale(event);
	struct text unit = event->col[EVENT_UNIT].t, own;
	uint64_t per = text_is(unit, "s") ? 1000000000 : text_is(unit, "ms") ? 1000000 :
	    text_is(unit, "us") ? 1000 : 1;

	v->factor = 1;
	own = attr_get(event->attrs, "pprof.unit", scratch);
	if (own.s)
		return own;
	if (scale > 1 && per % scale == 0) {
		v->factor = per / scale;
		return TEXT("nanoseconds");
	}
	if (scale > 1)
		loss_add(w->e.loss, "scales of events");
	if (!unit.s)
		return TEXT("count");
	return unit_theirs(unit) ? text_of(unit_theirs(unit)) : unit;
}

static void
add_type(struct writer *w, struct buf *b, struct text type, struct text unit)
{
	b->n = 0;
	pb_put(b, TYPE_TYPE, string_of(w, type));
	pb_put(b, TYPE_UNIT, string_of(w, unit));
}

static void
put_type(struct writer *w, size_t i)
{
	const struct record *event = events_at(&w->events, i);
	struct buf scratch = { 0 }, other = { 0 };
	struct text unit = unit_of(w, event, &w->value[i], &scratch), type;

	type = attr_get(event->attrs, "pprof.type", &other);
	type = type.s ? type : event->col[EVENT_NAME].t;
	add_type(w, &w->message, type, unit);
	put_message(w, PROFILE_SAMPLE_TYPE, &w->message);
	if (!w->own && i == 0 && !w->has_default)
		pb_put(&w->facts, PROFILE_DEFAULT_SAMPLE_TYPE, string_of(w, type));
	buf_free(&scratch);
	buf_free(&other);
}

static int
begin(struct writer *w)
{
	size_t i;

	w->began = true;
	if (!w->events.measured)
		return encode_fail(&w->e, "a sample has a value, but the profile has no "
		    "event, or none of --events");
	w->value = mem_alloc(w->events.measured, sizeof *w->value);
	for (i = 0; i < w->events.measured; i++)
		put_type(w, i);
	return 0;
}

/* ---- facts ---- */

static bool
put_known(struct writer *w, const struct record *r, struct text v)
{
	uint64_t n;
	size_t i;

	for (i = 0; i < PPROF_FACTS; i++) {
		const struct pprof_fact *f = &pprof_fact[i];

		if (!meta_is(r, f->key))
			continue;
		if (f->text)
			n = string_of(w, v);
		else if (!get_int(v, &n))
			return false;
		pb_put(&w->facts, f->field, n);
		w->has_default |= f->field == PROFILE_DEFAULT_SAMPLE_TYPE;
		return true;
	}
	return false;
}

static bool
put_period(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, f, t[3] = { { 0 } };
	struct buf scratch = { 0 };
	uint64_t n = 0;
	bool known = false;
	size_t i;

	buf_room(&scratch, r->attrs.n);	/* what is in it stays where it is */
	for (i = 0; i < 3 && fields_next(&rest, &f); i++) {
		field_unescape(f, &scratch, &t[i]);
		known |= i == 0 && get_int(t[0], &n);
	}
	if (known) {
		pb_put(&w->facts, PROFILE_PERIOD, n);
		add_type(w, &w->message, t[1], t[2]);
		pb_put_bytes(&w->facts, PROFILE_PERIOD_TYPE, buf_as_text(&w->message));
	}
	buf_free(&scratch);
	return known;
}

static void
put_comment(struct writer *w, struct text t)
{
	w->message.n = 0;
	pb_put_varint(&w->message, string_of(w, t));	/* which may be 0 */
	pb_put_bytes(&w->facts, PROFILE_COMMENT, buf_as_text(&w->message));
}

/* Of several units of a key the first one holds. */
static void
put_numlabel(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, f, key = { 0 }, unit = { 0 };
	struct buf scratch = { 0 };
	size_t at;

	buf_room(&scratch, r->attrs.n);	/* what is in it stays where it is */
	if (fields_next(&rest, &f) && field_unescape(f, &scratch, &key) && key.s) {
		if (fields_next(&rest, &f))
			field_unescape(f, &scratch, &unit);
		at = lookup_add(&w->numlabels, key, w->nunit);
		if (at == w->nunit) {
			w->unit = mem_grow(w->unit, &w->capunit, w->nunit + 1,
			    sizeof *w->unit);
			w->unit[w->nunit++] = string_of(w, unit);
		} else if (w->unit[at] != string_of(w, unit)) {
			loss_add(w->e.loss, "further units of numeric labels");
		}
	}
	buf_free(&scratch);
}

/* What the message has no field for rides in comments. */
static void
put_meta(struct writer *w, const struct record *r)
{
	struct buf scratch = { 0 }, b = { 0 };
	struct text v = meta_value(r, &scratch);

	if (meta_is(r, "format")) {
		w->own = text_is(v, "pprof") || text_is(v, "pprof-legacy");
	} else if (meta_is(r, "pprof.numlabel")) {
		put_numlabel(w, r);
	} else if (meta_is(r, "pprof.period") && put_period(w, r)) {
		;
	} else if (v.s && put_known(w, r, v)) {
		;
	} else if (meta_is(r, "comment") && v.s && annotation_is_plain(v)) {
		put_comment(w, v);
	} else if (annotation_fact(&b, r, w->e.loss)) {
		put_comment(w, buf_as_text(&b));
	}
	buf_free(&scratch);
	buf_free(&b);
}

/* Attributes that the message has no field for are lost; `known` ends with NULL. */
static void
lose_attrs(struct writer *w, uint32_t attrs, const char *const *known, const char *what)
{
	struct text rest = dict_text(w->e.dict, attrs), key, value;
	struct buf scratch = { 0 };
	size_t i;

	for (; rest.n && attr_next(&rest, &scratch, &key, &value); scratch.n = 0) {
		for (i = 0; known[i] && !text_is(key, known[i]); i++)
			;
		if (!known[i])
			loss_add(w->e.loss, what);
	}
	buf_free(&scratch);
}

/* ---- locations ---- */

static uint32_t
row_of(struct sums *t, const uint64_t *key)
{
	return (uint32_t)sums_row(t, key);
}

static bool
is_inlined(struct writer *w, uint32_t attrs)
{
	struct text v;

	w->scratch.n = 0;
	v = attr_get(dict_text(w->e.dict, attrs), "inlined", &w->scratch);
	return text_is(v, "1");
}

/* The location that ends with this frame and begins with `prefix`. */
static void
locate(struct writer *w, uint32_t ctx, uint64_t prefix)
{
	const uint32_t *cols = dict_def(w->e.dict, REC_CTX, ctx);
	uint64_t key[LOC_KEYS] = { prefix };
	unsigned i;

	for (i = LOC_FUNC; i < LOC_KEYS; i++)
		key[i] = cols[CTX_FUNC + i - LOC_FUNC];
	w->of_ctx[ctx] = row_of(&w->locations, key) + 1;
}

/* The location whose innermost frame a context is: any number of frames may have been
 * inlined into the outer one, and those that are not known yet are located from there
 * on. */
static uint32_t
location_of(struct writer *w, uint32_t ctx)
{
	uint32_t at;
	size_t n = 0;

	w->of_ctx = mem_reach(w->of_ctx, &w->capof_ctx, ctx, sizeof *w->of_ctx, 0);
	for (at = ctx; !w->of_ctx[at]; n++) {
		const uint32_t *cols = dict_def(w->e.dict, REC_CTX, at);

		w->chain = mem_grow(w->chain, &w->capchain, n + 1, sizeof *w->chain);
		w->chain[n] = at;
		at = cols[CTX_PARENT];
		if (at == NO_ID || !is_inlined(w, cols[CTX_ATTRS])) {
			locate(w, w->chain[n], NO_ID);
			at = w->chain[n];
			break;
		}
	}
	while (n-- > 0)
		if (w->chain[n] != at) {
			locate(w, w->chain[n], w->of_ctx[at] - 1);
			at = w->chain[n];
		}
	return w->of_ctx[ctx] - 1;
}

/* Its number in the file, from 1. */
static uint64_t
use_location(struct writer *w, uint32_t row)
{
	w->number = mem_reach(w->number, &w->capnumber, row, sizeof *w->number, 0);
	if (!w->number[row])
		w->number[row] = ++w->nlocation;
	return w->number[row];
}

/* The numbers of a stack's locations, leaf first. */
static void
add_stack(struct writer *w, struct buf *b, uint32_t ctx)
{
	const uint32_t *cols;
	bool inlined;

	while (ctx != NO_ID) {
		pb_put_varint(b, use_location(w, location_of(w, ctx)));
		do {	/* the frames of this location */
			cols = dict_def(w->e.dict, REC_CTX, ctx);
			inlined = cols[CTX_ATTRS] != NO_ID && cols[CTX_PARENT] != NO_ID &&
			    is_inlined(w, cols[CTX_ATTRS]);
			ctx = cols[CTX_PARENT];
		} while (inlined);
	}
}

/* ---- samples ---- */

static int
add_values(struct writer *w, struct buf *b, struct text values)
{
	struct text v;
	size_t i;
	num n;

	for (i = 0; i < w->events.measured; i++) {
		n = 0;
		if (!values_next(&values, &v))
			v = TEXT("0");
		if (text_is(v, "-"))
			loss_add(w->e.loss, "absent values (written as 0)");
		else if (num_get_num(v.s, v.n, &n) < 0)
			return encode_fail(&w->e, "%s does not fit 64 bits",
			    diag_quote(v.s, v.n));
		if (n > INT64_MAX / (num)w->value[i].factor ||
		    n < INT64_MIN / (num)w->value[i].factor)
			return encode_fail(&w->e, "a value of event %s does not fit 64 "
			    "bits", diag_quote(events_at(&w->events, i)->col[EVENT_NAME].t.s,
			    events_at(&w->events, i)->col[EVENT_NAME].t.n));
		w->value[i].sum += n;	/* 2^64 samples would be needed to overflow */
		pb_put_varint(b, (uint64_t)(int64_t)(n * (num)w->value[i].factor));
	}
	return 0;
}

static void
add_label(struct writer *w, struct text key, struct text value)
{
	uint64_t n;
	size_t at;

	w->part.n = 0;
	pb_put(&w->part, LABEL_KEY, string_of(w, key));
	if (w->nunit && lookup_find(&w->numlabels, key, &at) && get_int(value, &n)) {
		pb_put(&w->part, LABEL_NUM, n);
		pb_put(&w->part, LABEL_NUM_UNIT, w->unit[at]);
	} else {
		pb_put(&w->part, LABEL_STR, string_of(w, value));
	}
	pb_put_bytes(&w->message, SAMPLE_LABEL, buf_as_text(&w->part));
}

static int
finish_sample(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, key, value;
	struct buf scratch = { 0 };

	w->part.n = 0;
	if (add_values(w, &w->part, r->values) < 0)
		return -1;
	pb_put_bytes(&w->message, SAMPLE_VALUE, buf_as_text(&w->part));
	for (; rest.n && attr_next(&rest, &scratch, &key, &value); scratch.n = 0)
		add_label(w, key, value);
	buf_free(&scratch);
	put_message(w, PROFILE_SAMPLE, &w->message);
	return 0;
}

static int
put_sample(struct writer *w, const struct record *r)
{
	if (!w->began && begin(w) < 0)
		return -1;
	w->message.n = w->part.n = 0;
	if (r->col[0].n != NO_ID)
		add_stack(w, &w->part, (uint32_t)r->col[0].n);
	if (w->part.n)
		pb_put_bytes(&w->message, SAMPLE_LOCATION, buf_as_text(&w->part));
	return finish_sample(w, r);
}

static uint64_t
str_of_field(struct writer *w, const struct field *f, bool addr)
{
	char tmp[FIELD_TEXT];

	if (!f->has)
		return NO_ID;
	return dict_str(w->e.dict, (struct text){ tmp, (size_t)((addr ?
	    field_put_addr(tmp, f) : field_put_line(tmp, f)) - tmp) });
}

/* A cost is a stack of one frame. */
static int
put_cost(struct writer *w, const struct record *r)
{
	const uint64_t key[LOC_KEYS] = { NO_ID, r->col[PLACE_FUNC].n, r->col[PLACE_FILE].n,
	    str_of_field(w, &r->col[PLACE_LINE], false),
	    str_of_field(w, &r->col[PLACE_ADDR], true), NO_ID };

	if (!w->began && begin(w) < 0)
		return -1;
	loss_add(w->e.loss, "which costs are of no stack (written as stacks of one frame)");
	w->message.n = w->part.n = 0;
	if (r->col[PLACE_FUNC].n != NO_ID || r->col[PLACE_ADDR].has) {
		pb_put_varint(&w->part, use_location(w, row_of(&w->locations, key)));
		pb_put_bytes(&w->message, SAMPLE_LOCATION, buf_as_text(&w->part));
	}
	return finish_sample(w, r);
}

/* ---- tables ---- */

static uint64_t
mapping_of(struct writer *w, uint32_t object)
{
	if (object == NO_ID)
		return 0;
	w->mapping = mem_reach(w->mapping, &w->capmapping, object, sizeof *w->mapping, 0);
	if (!w->mapping[object]) {
		w->object = mem_grow(w->object, &w->capobject, w->nmapping + 1,
		    sizeof *w->object);
		w->object[w->nmapping++] = object;
		w->mapping[object] = (uint32_t)w->nmapping;
	}
	return w->mapping[object];
}

static uint64_t
hex_attr(struct writer *w, struct text attrs, const char *key)
{
	struct field f = { 0 };
	struct text v;

	w->scratch.n = 0;
	v = attr_get(attrs, key, &w->scratch);
	return v.s && field_get_addr(v, &f) && f.has == HAS_N ? f.n : 0;
}

static void
put_mapping(struct writer *w, size_t i)
{
	const uint32_t *cols = dict_def(w->e.dict, REC_OBJECT, w->object[i]);
	struct text attrs = dict_text(w->e.dict, cols[OBJECT_ATTRS]), has;
	const uint32_t path = cols[OBJECT_PATH], key = cols[OBJECT_KEY];
	unsigned k;

	lose_attrs(w, cols[OBJECT_ATTRS], (const char *const[]){ "start", "limit", "offset",
	    "has", NULL }, "attributes of objects");
	w->message.n = 0;
	pb_put(&w->message, MAPPING_ID, i + 1);
	pb_put(&w->message, MAPPING_START, hex_attr(w, attrs, "start"));
	pb_put(&w->message, MAPPING_LIMIT, hex_attr(w, attrs, "limit"));
	pb_put(&w->message, MAPPING_OFFSET, hex_attr(w, attrs, "offset"));
	pb_put(&w->message, MAPPING_FILE, name_of(w, dict_text(w->e.dict, path)));
	pb_put(&w->message, MAPPING_BUILD_ID, string_of_id(w, key));
	w->scratch.n = 0;
	has = attr_get(attrs, "has", &w->scratch);
	for (k = 0; k < PPROF_HAS; k++)
		/* Other profiles have the names: readers need not look for them. */
		pb_put(&w->message, MAPPING_HAS_FUNCTIONS + k, w->own ? has.s &&
		    memmem(has.s, has.n, pprof_has[k], strlen(pprof_has[k])) : k < 3);
	put_message(w, PROFILE_MAPPING, &w->message);
}

static uint64_t
function_of(struct writer *w, uint32_t func, uint32_t file)
{
	const uint64_t key[FN_KEYS] = { func, file };

	return row_of(&w->functions, key) + 1;
}

static void
put_function(struct writer *w, size_t row)
{
	const uint64_t *key = sums_key(&w->functions, row);
	const uint32_t *cols = dict_def(w->e.dict, REC_FUNC, (uint32_t)key[FN_FUNC]);
	const uint32_t name = cols[FUNC_NAME], system = cols[FUNC_KEY];
	const uint32_t file = key[FN_FILE] != NO_ID ? (uint32_t)key[FN_FILE] : cols[FUNC_FILE];
	const struct text attrs = dict_text(w->e.dict, cols[FUNC_ATTRS]);
	struct text start;
	uint64_t n = 0;

	lose_attrs(w, cols[FUNC_ATTRS], (const char *const[]){ "start", "system", NULL },
	    "attributes of functions");
	w->scratch.n = 0;
	start = attr_get(attrs, "start", &w->scratch);
	get_int(start, &n);
	w->message.n = 0;
	pb_put(&w->message, FUNCTION_ID, row + 1);
	pb_put(&w->message, FUNCTION_NAME, name_of(w, dict_text(w->e.dict, name)));
	if (!attr_get(attrs, "system", &w->scratch).s)
		pb_put(&w->message, FUNCTION_SYSTEM_NAME,
		    string_of_id(w, system != NO_ID ? system : name));
	if (file != NO_ID)
		pb_put(&w->message, FUNCTION_FILE, name_of(w, dict_path(w->e.dict, file)));
	pb_put(&w->message, FUNCTION_START_LINE, n);
	put_message(w, PROFILE_FUNCTION, &w->message);
}

/* Is a frame a line of its location?  One without names needs none if it is alone. */
static bool
is_line(struct writer *w, const uint64_t *key)
{
	const uint32_t *func;

	if (key[LOC_FUNC] == NO_ID) {
		if (key[LOC_FILE] != NO_ID || key[LOC_LINE] != NO_ID)
			loss_add(w->e.loss, "lines without a function");
		return false;
	}
	func = dict_def(w->e.dict, REC_FUNC, (uint32_t)key[LOC_FUNC]);
	return func[FUNC_NAME] != NO_ID || func[FUNC_KEY] != NO_ID ||
	    func[FUNC_FILE] != NO_ID || func[FUNC_ATTRS] != NO_ID ||
	    key[LOC_FILE] != NO_ID || key[LOC_LINE] != NO_ID || key[LOC_PREFIX] != NO_ID;
}

static void
add_line(struct writer *w, const uint64_t *key)
{
	struct field line = { 0 };

	lose_attrs(w, (uint32_t)key[LOC_ATTRS], (const char *const[]){ "inlined", "folded",
	    NULL }, "attributes of frames");
	if (!is_line(w, key))
		return;
	if (key[LOC_LINE] != NO_ID)
		field_get_line(dict_text(w->e.dict, (uint32_t)key[LOC_LINE]), &line);
	w->part.n = 0;
	pb_put(&w->part, LINE_FUNCTION, function_of(w, (uint32_t)key[LOC_FUNC],
	    (uint32_t)key[LOC_FILE]));
	pb_put(&w->part, LINE_LINE, line.has & HAS_N ? line.n : 0);
	pb_put(&w->part, LINE_COLUMN, line.has & HAS_M ? line.m : 0);
	pb_put_bytes(&w->message, LOCATION_LINE, buf_as_text(&w->part));
}

static void
put_location(struct writer *w, size_t row)
{
	const uint64_t *key = sums_key(&w->locations, row);
	struct field addr = { 0 };
	uint32_t object = NO_ID;
	struct text folded;

	if (row >= w->capnumber || !w->number[row])
		return;		/* a part of one */
	w->message.n = 0;
	pb_put(&w->message, LOCATION_ID, w->number[row]);
	for (; ; key = sums_key(&w->locations, key[LOC_PREFIX])) {
		add_line(w, key);
		if (key[LOC_PREFIX] == NO_ID)
			break;
	}
	if (key[LOC_FUNC] != NO_ID)
		object = dict_def(w->e.dict, REC_FUNC, (uint32_t)key[LOC_FUNC])[FUNC_OBJECT];
	pb_put(&w->message, LOCATION_MAPPING, mapping_of(w, object));
	if (key[LOC_ADDR] != NO_ID &&
	    field_get_addr(dict_text(w->e.dict, (uint32_t)key[LOC_ADDR]), &addr) &&
	    addr.has & HAS_N)
		pb_put(&w->message, LOCATION_ADDRESS, addr.n);
	w->scratch.n = 0;
	folded = attr_get(dict_text(w->e.dict, (uint32_t)key[LOC_ATTRS]), "folded",
	    &w->scratch);
	pb_put(&w->message, LOCATION_IS_FOLDED, text_is(folded, "1"));
	put_message(w, PROFILE_LOCATION, &w->message);
}

/* A total is lost unless it is the sum of the samples. */
static void
check_total(struct writer *w)
{
	struct text rest = buf_as_text(&w->run), v;
	size_t i;
	num n;

	for (i = 0; i < w->events.measured && w->run.n; i++) {
		n = 0;
		if (values_next(&rest, &v) && num_get_num(v.s, v.n, &n) < 0)
			n = NUM_MIN;
		if (n == w->value[i].sum)
			continue;
		loss_add(w->e.loss, "the cost of the run, apart from that of the samples");
		break;
	}
}

static int
finish(struct writer *w)
{
	size_t i;

	if (!w->began && begin(w) < 0)
		return -1;
	check_total(w);
	for (i = 0; i < w->locations.n; i++)
		put_location(w, i);
	for (i = 0; i < w->nmapping; i++)
		put_mapping(w, i);
	for (i = 0; i < w->functions.n; i++)
		put_function(w, i);
	out_write(w->e.out, w->facts.s, w->facts.n);
	w->scratch.n = 0;
	pb_put_bytes(&w->scratch, PROFILE_STRING, TEXT(""));	/* the first one */
	out_write(w->e.out, w->scratch.s, w->scratch.n);
	out_write(w->e.out, w->strings.s, w->strings.n);
	return 0;
}

/* Is all of an event in its type and unit, when it is read again? */
static bool
is_plain(const struct record *r)
{
	struct text rest = r->attrs, key, value;
	struct buf scratch = { 0 };
	bool absent = false, plain = true;

	for (; rest.n && attr_next(&rest, &scratch, &key, &value); scratch.n = 0)
		if (text_is(key, "calls") && text_is(value, "absent"))
			absent = true;
		else if (!text_is(key, "pprof.unit") && !text_is(key, "pprof.type"))
			plain = false;
	buf_free(&scratch);
	return absent && plain;
}

/* What the message cannot say of an event rides in a comment. */
static void
put_event(struct writer *w, const struct record *r)
{
	struct buf b = { 0 };
	const bool scaled = event_scale(r) > 1;

	events_add(&w->events, r);
	if (r->col[EVENT_ID].n == NO_ID || r->col[EVENT_FORMULA].t.s ||
	    r->col[EVENT_DESCRIPTION].t.s || (!scaled && !is_plain(r)))
		if (annotation_fact(&b, r, w->e.loss))
			put_comment(w, buf_as_text(&b));
	buf_free(&b);
}

static int
put_record(struct writer *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_SAMPLE:
		return put_sample(w, r);
	case REC_COST:
		return put_cost(w, r);
	case REC_EVENT:
		put_event(w, r);
		return 0;
	case REC_META:
		put_meta(w, r);
		return 0;
	case REC_OBJECT:
		if (w->own)	/* all of them, in their order */
			mapping_of(w, (uint32_t)r->col[0].n);
		return 0;
	case REC_TOTAL:
		if (text_is(r->col[0].t, "run"))
			buf_text(&w->run, r->values);
		return 0;	/* that of the lines is the sum of the samples */
	case REC_END:
		return finish(w);
	default:
		return 0;
	}
}

static int
pprof_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (w->e.out->error)	/* a terminal: known before anything is read */
		return out_check(w->e.out);
	return put_record(w, r);
}

static void
pprof_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;
	struct buf *bufs[] = { &w->strings, &w->facts, &w->run, &w->message, &w->part,
	    &w->scratch };
	size_t i;

	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	events_free(&w->events);
	free(w->value);
	lookup_free(&w->numlabels);
	free(w->unit);
	sums_free(&w->locations);
	sums_free(&w->functions);
	free(w->number);
	free(w->of_ctx);
	free(w->chain);
	free(w->mapping);
	free(w->object);
	free(w->string);
	free(w);
}

struct sink *
pprof_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = pprof_put, .free = pprof_free };
	w->e = *e;
	sums_init(&w->locations, LOC_KEYS, 0);
	sums_init(&w->functions, FN_KEYS, 0);
	out_holds(e->out, OUT_BINARY);
	return &w->sink;
}
