/* SPDX-License-Identifier: ISC */
/* Puts a profile: a part, with its metadata, its event and its samples. */
#include "reader.h"

#include <inttypes.h>

#include "codec/units.h"

/* The fields that occur once in a profile. */
struct fields {
	struct text message;
	uint64_t type[2], period_type[2];	/* strings: type, unit */
	uint64_t period, time, duration, dropped;
	struct text id, payload_format;
	bool payload;
};

/* ---- gathering ---- */

static int
gather_type(struct reader *rd, struct text message, uint64_t type[2])
{
	struct pb m = pb_of(message);
	struct pb_field f;

	while (pb_next(&m, &f))
		if (f.number == TYPE_TYPE || f.number == TYPE_UNIT)
			type[f.number - TYPE_TYPE] = f.n;
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

/* Returns the number of a field in the current version. */
static uint64_t
field_of(const struct reader *rd, uint64_t number)
{
	const unsigned comment = rd->layout->comment;

	return !comment || number < comment ? number :
	    number == comment ? PROFILE_COMMENT : number - 1;
}

static int
gather_field(struct reader *rd, const char *at, const struct pb_field *f, struct fields *p)
{
	switch (field_of(rd, f->number)) {
	case PROFILE_TYPE:
		return f->type == PB_BYTES ? gather_type(rd, f->bytes, p->type) :
		    FAIL(rd, at, "a malformed sample type: not a message");
	case PROFILE_PERIOD_TYPE:
		return gather_type(rd, f->bytes, p->period_type);
	case PROFILE_TIME: p->time = f->n; break;
	case PROFILE_DURATION: p->duration = f->n; break;
	case PROFILE_PERIOD: p->period = f->n; break;
	case PROFILE_DROPPED: p->dropped = f->n; break;
	case PROFILE_ID: p->id = f->bytes; break;
	case PROFILE_PAYLOAD_FORMAT: p->payload_format = f->bytes; break;
	case PROFILE_PAYLOAD: p->payload = f->bytes.n; break;
	}
	return 0;
}

static int
gather(struct reader *rd, struct text message, struct fields *p)
{
	struct pb m = pb_of(message);
	struct pb_field f;
	const char *at;

	*p = (struct fields){ .message = message };
	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (gather_field(rd, at, &f, p) < 0)
			return -1;
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

/* ---- metadata ---- */

static int
put_part(struct reader *rd)
{
	struct record r = rec_make(REC_PART);
	char tmp[NUM_TEXT];

	rd->d->session->runs += rd->new_run;
	rd->new_run = false;
	r.col[0].t = num_text(tmp, rd->d->session->runs);
	if (rd->addrs || rd->lines)
		r.attrs = rd->addrs && rd->lines ? TEXT("positions=addr,line") :
		    rd->addrs ? TEXT("positions=addr") : TEXT("positions=line");
	return decode_put_part(rd->d, &r) < 0 ? -1 :
	    meta_put(rd->d->out, "format", TEXT("otlp"));
}

/* Puts an attribute as metadata with this name; some attributes of a resource have a name
 * of ours. */
static int
put_attribute(struct reader *rd, void *arg, struct text key, struct text value,
    struct text unit)
{
	const char *fact = *(const char **)arg;
	const bool resource = strcmp(fact, "otlp.resource") == 0;

	if (resource && text_is(key, "process.pid"))
		return meta_put(rd->d->out, "pid", value);
	if (resource && text_is(key, "process.command_line"))
		return meta_put(rd->d->out, "cmd", value);
	return otlp_fact(rd, fact, (struct text[]){ key, value, unit }, 3);
}

/* Puts the attributes in a field of a message as metadata. */
static int
put_attributes(struct reader *rd, struct text message, unsigned field, const char *fact)
{
	struct pb m = pb_of(message);
	struct pb_field f;

	while (pb_next(&m, &f))
		if (f.number == field && otlp_pair(rd, f.bytes, put_attribute, &fact) < 0)
			return -1;
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

/* Puts the library that made the measurement, and its version. */
static int
put_creator(struct reader *rd, struct text scope)
{
	struct text name = { 0 }, version = { 0 };
	struct pb m = pb_of(scope);
	struct pb_field f;

	while (pb_next(&m, &f))
		if (f.number == LIBRARY_NAME)
			name = f.bytes;
		else if (f.number == LIBRARY_VERSION)
			version = f.bytes;
	if (m.wrong)
		return otlp_wrong(rd, &m);
	if (!name.n && !version.n)
		return 0;
	rd->text.n = 0;
	buf_text(&rd->text, name);
	buf_puts(&rd->text, name.n && version.n ? " " : "");
	buf_text(&rd->text, version);
	return meta_put(rd->d->out, "creator", buf_as_text(&rd->text));
}

static int
put_owner(struct reader *rd, const struct owner *o)
{
	if (put_creator(rd, o->scope) < 0 ||
	    put_attributes(rd, o->resource, ATTRIBUTES_RESOURCE, "otlp.resource") < 0 ||
	    put_attributes(rd, o->scope, LIBRARY_ATTRIBUTE, "otlp.scope") < 0 ||
	    (o->resource_schema.n &&
	    meta_put(rd->d->out, "otlp.resource_schema", o->resource_schema) < 0) ||
	    (o->scope_schema.n &&
	    meta_put(rd->d->out, "otlp.scope_schema", o->scope_schema) < 0))
		return -1;
	return 0;
}

static int
put_number(struct reader *rd, const char *key, uint64_t n)
{
	return n ? meta_put_num(rd->d->out, key, n) : 0;
}

static int
put_period(struct reader *rd, const struct fields *p)
{
	struct text list[3];
	char tmp[NUM_TEXT];

	if (!p->period && !p->period_type[0] && !p->period_type[1])
		return 0;
	list[0] = num_text(tmp, (int64_t)p->period);
	return otlp_string(rd, p->message.s, p->period_type[0], &list[1]) < 0 ||
	    otlp_string(rd, p->message.s, p->period_type[1], &list[2]) < 0 ? -1 :
	    otlp_fact(rd, "otlp.period", list, 3);
}

static int
put_comments(struct reader *rd, const char *at, struct pb_field f)
{
	struct text t;
	uint64_t i;

	if (pb_count(&f) < 0)
		return FAIL(rd, at, "malformed numbers of comments");
	while (pb_take(&f, &i))
		if (otlp_string(rd, at, i, &t) < 0 ||
		    meta_put(rd->d->out, "comment", t.s ? t : TEXT("")) < 0)
			return -1;
	return 0;
}

/* Puts the fields that may occur several times. */
static int
put_lists(struct reader *rd, const struct fields *p)
{
	const char *fact = "otlp.attribute";
	struct pb m = pb_of(p->message);
	struct pb_field f;
	const char *at;

	for (at = m.p; pb_next(&m, &f); at = m.p) {
		const uint64_t field = field_of(rd, f.number);

		if ((field == PROFILE_COMMENT && put_comments(rd, at, f) < 0) ||
		    (field == PROFILE_ATTRIBUTE &&
		    otlp_indexed(rd, f, put_attribute, &fact) < 0))
			return -1;
	}
	return 0;
}

static int
put_facts(struct reader *rd, const struct fields *p)
{
	rd->text.n = 0;
	otlp_hex(&rd->text, p->id);
	if (rd->text.n &&
	    meta_put(rd->d->out, "otlp.profile_id", buf_as_text(&rd->text)) < 0)
		return -1;
	rd->payloads += p->payload;
	return put_number(rd, "otlp.time_unix_nano", p->time) < 0 ||
	    put_number(rd, "otlp.duration_nano", p->duration) < 0 ||
	    put_number(rd, "otlp.dropped_attributes_count", p->dropped) < 0 ||
	    (p->payload_format.n && meta_put(rd->d->out, "otlp.original_payload_format",
	    p->payload_format) < 0) ? -1 : 0;
}

/* Puts the event; its unit is a word as in pprof, or one of UCUM. */
static int
put_event(struct reader *rd, const struct fields *p)
{
	struct text type, unit, ours = { 0 };

	if (otlp_string(rd, p->message.s, p->type[0], &type) < 0 ||
	    otlp_string(rd, p->message.s, p->type[1], &unit) < 0)
		return -1;
	if (unit.s && !text_is(unit, "count") && !text_is(unit, "1"))
		ours = text_is(unit, "By") ? TEXT("B") : unit_ours(unit);
	return DECODE_EVENT(rd->d, 0, .name = type.s ? type : TEXT("samples"), .unit = ours);
}

/* ---- samples ---- */

/* A sample: its observations, each with a value, a time, or both. */
struct sample {
	uint64_t stack, link;
	uint64_t values, times;		/* numbers of these */
	num sum;
};

static int
add_values(struct reader *rd, const char *at, struct pb_field f, struct sample *s)
{
	uint64_t n;

	if (pb_count(&f) < 0)
		return FAIL(rd, at, "malformed values");
	for (; pb_take(&f, &n); s->values++)
		s->sum += (int64_t)n;	/* of at most as many as fit a file */
	return 0;
}

static int
add_times(struct reader *rd, const char *at, const struct pb_field *f, struct sample *s)
{
	if (f->type != PB_FIXED64 && (f->type != PB_BYTES || f->bytes.n % 8))
		return FAIL(rd, at, "malformed times");
	s->times += f->type == PB_BYTES ? f->bytes.n / 8 : 1;
	return 0;
}

static int
add_field(struct reader *rd, const char *at, const struct pb_field *f, struct sample *s)
{
	if (f->number == SAMPLE_STACK)
		s->stack = f->n;
	else if (f->number == rd->layout->link)
		s->link = f->n;
	else if (f->number == rd->layout->value)
		return add_values(rd, at, *f, s);
	else if (f->number == rd->layout->attribute)
		return otlp_indexed(rd, *f, otlp_add_attribute, NULL);
	else if (f->number == SAMPLE_TIME)
		return add_times(rd, at, f, s);
	return 0;
}

/* Adds the span in which the sample was taken. */
static int
add_link(struct reader *rd, const char *at, uint64_t link)
{
	struct text message;
	struct pb_field f;
	struct pb m;

	if (!link)
		return 0;
	if (otlp_entry(rd, at, DICT_LINK, link, &message) < 0)
		return -1;
	for (m = pb_of(message); pb_next(&m, &f); ) {
		if (f.number != LINK_TRACE && f.number != LINK_SPAN)
			continue;
		rd->text.n = 0;
		otlp_hex(&rd->text, f.bytes);
		attr_add(&rd->attrs, f.number == LINK_TRACE ? "trace_id" : "span_id",
		    (struct text){ buf_str(&rd->text), rd->text.n });
	}
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

static int
check_sample(struct reader *rd, const char *at, const struct sample *s)
{
	if (!s->values && !s->times)
		return FAIL(rd, at, "a sample with neither a value nor a time");
	if (s->values && s->times && s->values != s->times)
		return FAIL(rd, at, "a sample with %" PRIu64 " value%s at %" PRIu64 " time%s",
		    s->values, s->values == 1 ? "" : "s", s->times, s->times == 1 ? "" : "s");
	return 0;
}

static int
put_sample(struct reader *rd, struct text message)
{
	struct record r = rec_make(REC_SAMPLE);
	struct pb m = pb_of(message);
	struct sample s = { 0 };
	char tmp[NUM_TEXT];
	struct pb_field f;
	const char *at;
	uint32_t ctx;

	rd->attrs.n = 0;
	for (at = m.p; pb_next(&m, &f); at = m.p)
		if (add_field(rd, at, &f, &s) < 0)
			return -1;
	if (m.wrong)
		return otlp_wrong(rd, &m);
	if (check_sample(rd, message.s, &s) < 0 || add_link(rd, message.s, s.link) < 0)
		return -1;
	rd->labels.n = 0;	/* a stack has other labels */
	buf_text(&rd->labels, buf_as_text(&rd->attrs));
	if (otlp_stack(rd, message.s, s.stack, &ctx) < 0)
		return -1;
	rd->times += s.times;
	r.col[0].n = ctx;
	r.values = num_text(tmp, s.values ? s.sum : (num)s.times);
	r.attrs = rd->labels.n ? buf_as_text(&rd->labels) : (struct text){ 0 };
	return sink_put(rd->d->out, &r);
}

int
otlp_profile(struct reader *rd, const struct owner *owner, struct text message)
{
	struct fields p;
	struct pb m = pb_of(message);
	struct pb_field f;

	cache_free(&rd->units);
	if (gather(rd, message, &p) < 0 || put_part(rd) < 0 || put_owner(rd, owner) < 0 ||
	    put_facts(rd, &p) < 0 || put_period(rd, &p) < 0 || put_lists(rd, &p) < 0 ||
	    put_event(rd, &p) < 0)
		return -1;
	while (pb_next(&m, &f))
		if (f.number == PROFILE_SAMPLE && put_sample(rd, f.bytes) < 0)
			return -1;
	return 0;
}
