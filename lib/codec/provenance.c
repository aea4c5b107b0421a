/* SPDX-License-Identifier: ISC */
#include "codec/provenance.h"

#include "util/json.h"

const char *const provenance_fact[TRACK_FACTS] = { "cmd", "source", "part", "thread", "pid" };
const char *const provenance_label[PROVENANCE_LABELS] = { "comm", "pid", "tid", "process" };

/* ---- reading ---- */

/* Reads the members of an object that are texts with these names. */
static void
read_texts(struct document *doc, const char *const *names, size_t n, struct text *to)
{
	struct text key;
	size_t i;

	for (json_read_object(&doc->j); json_read_key(&doc->j, &key); ) {
		for (i = 0; i < n && !text_is(key, names[i]); i++)
			;
		if (i < n)
			to[i] = document_text(doc);
		else
			json_read_skip(&doc->j);
	}
}

/* Reads what versions before 3.0 wrote about estimated stacks. */
static void
read_estimated(struct document *doc, struct provenance *o)
{
	bool stacks = false;

	json_read_bool(&doc->j, &stacks);
	if (stacks)
		o->estimate = TEXT("stacks, from costs and calls");
}

void
provenance_read(struct document *doc, struct provenance *o)
{
	struct json_reader *j = &doc->j;
	struct text key;

	o->own = true;
	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "part"))
			json_read_int(j, &o->part);
		else if (text_is(key, "event"))
			o->event = document_text(doc);
		else if (text_is(key, "unit"))
			o->unit = document_text(doc);
		else if (text_is(key, "estimate"))
			o->estimate = document_text(doc);
		else if (text_is(key, "estimated"))
			read_estimated(doc, o);
		else if (text_is(key, "default"))
			json_read_bool(j, &o->is_default);
		else if (text_is(key, "facts"))
			read_texts(doc, provenance_fact, TRACK_FACTS, o->fact);
		else if (text_is(key, "labels"))
			read_texts(doc, provenance_label, TRACK_LABELS, o->label);
		else
			json_read_skip(j);
	if (!o->event.s)
		o->event = TEXT("samples");
}

/* ---- writing ---- */

/* Adds the texts that are present as members of an object. */
static void
add_texts(struct buf *b, const char *name, const char *const *key, const struct text *t,
    size_t n)
{
	size_t i, any = 0;

	for (i = 0; i < n; i++) {
		if (!t[i].s)
			continue;
		if (!any++)
			buf_printf(b, ",\"%s\":{", name);
		else
			buf_putc(b, ',');
		buf_printf(b, "\"%s\":", key[i]);
		json_string(b, t[i]);
	}
	buf_puts(b, any ? "}" : "");
}

void
provenance_add(struct buf *b, const struct track *track, size_t event, struct text unit)
{
	const struct track_part *part = track->part;

	buf_printf(b, "\"prof\":{\"part\":%zu,\"event\":", part->number);
	json_string(b, events_at(&part->events, event)->col[EVENT_NAME].t);
	if (unit.s) {
		buf_puts(b, ",\"unit\":");
		json_string(b, unit);
	}
	if (part->estimate.s) {
		buf_puts(b, ",\"estimate\":");
		json_string(b, part->estimate);
	}
	/* Of most events that is asked, and they may be many: first if it is called so. */
	if (attr_is(events_at(&part->events, event)->attrs, "default", "1") &&
	    events_own_default(&part->events) == (long)event)
		buf_puts(b, ",\"default\":true");
	add_texts(b, "facts", provenance_fact, part->fact, TRACK_FACTS);
	add_texts(b, "labels", provenance_label, track->label, TRACK_LABELS);
	buf_putc(b, '}');
}
