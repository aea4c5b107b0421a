/* SPDX-License-Identifier: ISC */
/* The header of a pprof profile: sample types, which are events, and metadata.  Data for
 * which the message has no field are stored in comments. */
#include "writer.h"

#include <stdlib.h>

#include "codec/comments.h"
#include "codec/units.h"
#include "util/mem.h"

bool
pprof_is_own(const struct writer *w)
{
	struct buf scratch = { 0 };
	const struct text format = metadata_value(&w->parts.part.metadata, "format", &scratch);
	const bool own = text_is(format, "pprof") || text_is(format, "pprof-legacy");

	buf_free(&scratch);
	return own;
}

/* ---- sample types ---- */

/* Times in fractions of a second become nanoseconds if possible: returns the factor;
 * otherwise 0. */
static uint64_t
nanoseconds_of(const struct record *event)
{
	const uint64_t scale = event_scale(event);
	const struct text unit = event->col[EVENT_UNIT].t;
	const uint64_t ns = unit_nanoseconds(unit), per = ns ? ns : 1;

	return attr_has(event->attrs, "pprof.unit") || scale == 1 || per % scale ? 0 :
	    per / scale;
}

static struct text
unit_of(struct writer *w, const struct record *event, struct value *v, struct buf *scratch)
{
	const uint64_t nanoseconds = nanoseconds_of(event);
	const struct text unit = event->col[EVENT_UNIT].t;
	const struct text own = attr_get(event->attrs, "pprof.unit", scratch);

	v->factor = nanoseconds ? nanoseconds : 1;
	if (own.s)
		return own;
	if (nanoseconds)
		return TEXT("nanoseconds");
	if (event_scale(event) > 1)
		loss_add(w->e.loss, "scales of events");
	if (!unit.s)
		return TEXT("count");
	return unit_theirs(unit) ? text_of(unit_theirs(unit)) : unit;
}

static void
add_type(struct writer *w, struct buf *b, struct text type, struct text unit)
{
	b->n = 0;
	pb_put(b, TYPE_TYPE, pprof_string_of(w, type));
	pb_put(b, TYPE_UNIT, pprof_string_of(w, unit));
}

/* Returns the type of an event; it lives as long as scratch. */
static struct text
type_of(const struct record *event, struct buf *scratch)
{
	const struct text type = attr_get(event->attrs, "pprof.type", scratch);

	return type.s ? type : event->col[EVENT_NAME].t;
}

static void
put_type(struct writer *w, size_t i)
{
	const struct record *event = events_at(&w->parts.part.events, i);
	struct buf scratch = { 0 }, other = { 0 };
	const struct text unit = unit_of(w, event, &w->value[i], &scratch);

	add_type(w, &w->message, type_of(event, &other), unit);
	pprof_put_message(w, PROFILE_SAMPLE_TYPE, &w->message);
	buf_free(&scratch);
	buf_free(&other);
}

/* Returns the type that readers take for the default if it is stated, as find_default()
 * does. */
static size_t
taken_for_default(const struct writer *w)
{
	const size_t n = w->parts.part.events.measured;
	struct buf scratch = { 0 };
	bool found = false;
	size_t i;

	for (i = 0; i < n && w->default_type.n && !found; i++) {
		scratch.n = 0;
		found = text_eq(type_of(events_at(&w->parts.part.events, i), &scratch),
		    buf_as_text(&w->default_type));
	}
	buf_free(&scratch);
	return found ? i - 1 : n - 1;
}

void
pprof_put_default(struct writer *w)
{
	const long column = events_find(&w->parts.part.events, *w->e.event);
	struct text type = buf_as_text(&w->default_type);
	struct buf scratch = { 0 };

	if (column < 0)
		return;
	if ((size_t)column != taken_for_default(w) || (!type.n && !pprof_is_own(w)))
		type = type_of(events_at(&w->parts.part.events, (size_t)column), &scratch);
	if (type.n)
		pb_put(&w->facts, PROFILE_DEFAULT_SAMPLE_TYPE, pprof_string_of(w, type));
	buf_free(&scratch);
}

int
pprof_begin_body(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;
	const size_t n = p->events.measured;
	size_t i;

	if (!n)
		return encode_fail(&w->e, "samples need an event, but the profile has "
		    "none, or none that --events names");
	w->value = mem_alloc(n, sizeof *w->value);
	for (i = 0; i < n; i++)
		put_type(w, i);
	return 0;
}

static void
put_comment(struct writer *w, struct text t)
{
	w->message.n = 0;
	pb_put_varint(&w->message, pprof_string_of(w, t));	/* which may be index 0 */
	pb_put_bytes(&w->facts, PROFILE_COMMENT, buf_as_text(&w->message));
}

/* Are the type and unit of an event, read back, all its columns? */
static bool
is_plain(const struct record *r)
{
	struct text rest = r->attrs, key, value;
	struct buf scratch = { 0 };
	bool absent = false, plain = true;

	for (; rest.n && attr_next(&rest, &scratch, &key, &value); scratch.n = 0)
		if (text_is(key, "calls") && text_is(value, "absent"))
			absent = true;
		else if (!text_is(key, "pprof.unit") && !text_is(key, "pprof.type") &&
		    !text_is(key, "default"))
			plain = false;
	buf_free(&scratch);
	return absent && plain;
}

/* Columns of an event that the message cannot hold are stored in a comment. */
int
pprof_put_event(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	const uint64_t nanoseconds = nanoseconds_of(r);
	struct record *written = nanoseconds ? event_rescaled(r, 1, 1, nanoseconds) :
	    rec_keep(r);
	struct buf b = { 0 };

	if (nanoseconds)
		written->col[EVENT_UNIT].t = TEXT("ns");
	if (r->col[EVENT_ID].n == NO_ID || r->col[EVENT_FORMULA].t.s ||
	    r->col[EVENT_DESCRIPTION].t.s || !is_plain(written))
		if (comment_fact(&b, written, w->e.loss))
			put_comment(w, buf_as_text(&b));
	buf_free(&b);
	free(written);
	return 0;
}

/* ---- metadata ---- */

static bool
put_known(struct writer *w, const struct record *r, struct text v)
{
	uint64_t n;
	size_t i;

	for (i = 0; i < PPROF_FACTS; i++) {
		const struct pprof_fact *f = &pprof_fact[i];

		if (!meta_is(r, f->key))
			continue;
		if (w->has_fact[i])
			return false;
		if (f->field == PROFILE_DEFAULT_SAMPLE_TYPE) {
			buf_text(&w->default_type, v);
			return w->has_fact[i] = true;
		}
		if (f->text)
			n = pprof_string_of(w, v);
		else if (!pprof_get_int(v, &n))
			return false;
		pb_put(&w->facts, f->field, n);
		return w->has_fact[i] = true;
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

	if (w->has_period)
		return false;
	buf_room(&scratch, r->attrs.n);	/* so that it does not move */
	for (i = 0; i < 3 && fields_next(&rest, &f); i++) {
		field_unescape(f, &scratch, &t[i]);
		known |= i == 0 && pprof_get_int(t[0], &n);
	}
	known &= !rest.s;	/* there is no room for more */
	if (known) {
		pb_put(&w->facts, PROFILE_PERIOD, n);
		add_type(w, &w->message, t[1], t[2]);
		pb_put_bytes(&w->facts, PROFILE_PERIOD_TYPE, buf_as_text(&w->message));
	}
	buf_free(&scratch);
	return w->has_period = known;
}

/* If a key has several units, the first one is used. */
static void
put_numlabel(struct writer *w, const struct record *r)
{
	struct text rest = r->attrs, f, key = { 0 }, unit = { 0 };
	struct buf scratch = { 0 };
	size_t at;

	buf_room(&scratch, r->attrs.n);	/* so that it does not move */
	if (fields_next(&rest, &f) && field_unescape(f, &scratch, &key) && key.s) {
		if (fields_next(&rest, &f))
			field_unescape(f, &scratch, &unit);
		if (rest.s)
			loss_add(w->e.loss, "further values of pprof.numlabel");
		at = name_index_add(&w->numlabels, key, w->nunit);
		if (at == w->nunit) {
			w->unit = mem_grow(w->unit, &w->capunit, w->nunit + 1,
			    sizeof *w->unit);
			w->unit[w->nunit++] = pprof_string_of(w, unit);
		} else if (w->unit[at] != pprof_string_of(w, unit)) {
			loss_add(w->e.loss, "further units of numeric labels");
		}
	}
	buf_free(&scratch);
}

/* Metadata for which the message has no field, or whose field is taken, are stored in
 * comments. */
int
pprof_put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	struct buf scratch = { 0 }, b = { 0 };
	struct text v = meta_only(r, &scratch);

	(void)p;
	if (meta_is(r, "format")) {
		;
	} else if (meta_is(r, "pprof.numlabel")) {
		put_numlabel(w, r);
	} else if (meta_is(r, "pprof.period") && put_period(w, r)) {
		;
	} else if (v.s && put_known(w, r, v)) {
		;
	} else if (meta_is(r, "comment") && v.s && comment_is_plain(v)) {
		put_comment(w, v);
	} else if (comment_fact(&b, r, w->e.loss)) {
		put_comment(w, buf_as_text(&b));
	}
	buf_free(&scratch);
	buf_free(&b);
	return 0;
}
