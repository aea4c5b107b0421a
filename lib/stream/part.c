/* SPDX-License-Identifier: ISC */
#include "stream/part.h"

#include <stdlib.h>

#include "io/output.h"
#include "util/mem.h"

/* ---- metadata ---- */

static void
metadata_add(struct metadata *m, const struct record *meta)
{
	struct meta_entry *e;

	m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
	e = &m->v[m->n++];
	e->key = m->text.n;
	buf_text(&m->text, meta->col[0].t);
	e->list = m->text.n;
	buf_text(&m->text, meta->attrs);
	e->end = m->text.n;
	e->listed = meta->attrs.s != NULL;
	buf_putc(&m->text, '\0');	/* so that text.s is not NULL */
}

static void
metadata_clear(struct metadata *m)
{
	m->n = m->text.n = 0;
}

static void
metadata_free(struct metadata *m)
{
	free(m->v);
	buf_free(&m->text);
	*m = (struct metadata){ 0 };
}

static struct text
key_of(const struct metadata *m, size_t i)
{
	return (struct text){ m->text.s + m->v[i].key, m->v[i].list - m->v[i].key };
}

struct record
metadata_at(const struct metadata *m, size_t i)
{
	const struct meta_entry *e = &m->v[i];
	struct record r = rec_make(REC_META);

	r.col[0].t = key_of(m, i);
	if (e->listed)
		r.attrs = (struct text){ m->text.s + e->list, e->end - e->list };
	return r;
}

long
metadata_find(const struct metadata *m, const char *key, size_t from)
{
	for (; from < m->n; from++)
		if (text_is(key_of(m, from), key))
			return (long)from;
	return -1;
}

struct text
metadata_value(const struct metadata *m, const char *key, struct buf *scratch)
{
	const long i = metadata_find(m, key, 0);
	struct record r;

	if (i < 0)
		return (struct text){ 0 };
	r = metadata_at(m, (size_t)i);
	return meta_value(&r, scratch);
}

bool
metadata_has(const struct metadata *m, const char *key, const char *value)
{
	struct buf scratch = { 0 };
	bool found = false;
	long i = -1;

	while (!found && (i = metadata_find(m, key, (size_t)(i + 1))) >= 0) {
		const struct record r = metadata_at(m, (size_t)i);

		scratch.n = 0;
		found = text_is(meta_value(&r, &scratch), value);
	}
	buf_free(&scratch);
	return found;
}

/* ---- parts ---- */

static void
begin(struct part *p, const struct record *r)
{
	p->number++;
	free(p->head);
	p->head = rec_keep(r);
	metadata_clear(&p->metadata);
	events_clear(&p->events);
	total_clear(&p->total);
	p->events_known = false;
	p->place = PART_HEADER;
}

int
part_take_other(struct part *p, const struct record *r)
{
	p->events_known |= part_ends_events(p, rec_kind(r));
	switch (rec_kind(r)) {
	case REC_PART:
		begin(p, r);
		return 0;
	case REC_META:
		metadata_add(&p->metadata, r);
		return 0;
	case REC_EVENT:
		events_add(&p->events, r);
		return 0;
	case REC_TOTAL:
		return total_put(&p->total, r);
	case REC_END:
		p->place = PART_NONE;
		return 0;
	default:
		if (!part_is_apart(rec_kind(r)))
			p->place = PART_BODY;
		return 0;
	}
}

bool
part_has_levels(const struct part *p)
{
	return metadata_has(&p->metadata, "recursion", "levels") &&
	    !metadata_has(&p->metadata, "calls", "joined");
}

void
part_free(struct part *p)
{
	free(p->head);
	metadata_free(&p->metadata);
	events_free(&p->events);
	total_free(&p->total);
	*p = (struct part){ 0 };
}

/* ---- a sink of parts ---- */

/* Puts metadata, an event, a total or a definition. */
static int
put_to_method(struct part_sink *s, const struct record *r)
{
	const struct part_methods *call = s->call;

	switch (rec_kind(r)) {
	case REC_META:
		return call->meta ? call->meta(s, &s->part, r) : 0;
	case REC_EVENT:
		return call->event ? call->event(s, r) : 0;
	case REC_TOTAL:
		return call->total ? call->total(s, r) : 0;
	default:
		return rec_is_def(rec_kind(r)) && call->define ? call->define(s, r) : 0;
	}
}

static void
hold(struct part_sink *s, const struct record *r)
{
	buf_putc(&s->header, (char)rec_kind(r));
	if (rec_kind(r) == REC_TOTAL) {
		late_records_keep(&s->totals, r);
	} else if (rec_is_def(rec_kind(r))) {
		s->def = mem_grow(s->def, &s->capdef, s->ndef + 1, sizeof *s->def);
		s->def[s->ndef++] = (uint32_t)r->col[0].n;
	}
}

/* Sets *r to the held record of this kind, after `at` of them. */
static void
get_held(const struct part_sink *s, enum rec_kind kind, size_t at, struct record *r)
{
	switch (kind) {
	case REC_META:
		*r = metadata_at(&s->part.metadata, at);
		break;
	case REC_EVENT:
		rec_copy(r, s->part.events.v[at].r);
		break;
	case REC_TOTAL:
		rec_copy(r, s->totals.v[at]);
		break;
	default:
		dict_record(s->dict, kind, s->def[at], r);
	}
}

/* Puts the header; the first record of the body follows, or, if it is NULL, the part's
 * end. */
static int
begin_body(struct part_sink *s, const struct record *first)
{
	size_t i, n[REC_KINDS] = { 0 };
	struct record r;
	int ret;

	s->first = first;
	ret = s->call->begin ? s->call->begin(s, &s->part) : 0;
	for (i = 0; i < s->header.n && ret == 0; i++) {
		const enum rec_kind kind = (enum rec_kind)s->header.s[i];
		/* All kinds of definitions share one list. */
		size_t *at = &n[rec_is_def(kind) ? REC_OBJECT : kind];

		get_held(s, kind, (*at)++, &r);
		ret = put_to_method(s, &r);
	}
	s->header.n = s->ndef = 0;
	late_records_free(&s->totals);
	s->part.place = PART_BODY;
	return ret == 0 && s->call->body ? s->call->body(s, &s->part) : ret;
}

/* Puts a record that is not of a body. */
static int
put_other(struct part_sink *s, const struct record *r)
{
	const struct part_methods *call = s->call;
	const enum rec_kind kind = rec_kind(r);

	if (part_ends_header(&s->part, kind) && begin_body(s, NULL) < 0)
		return -1;
	if (part_ends(&s->part, kind) && call->end && call->end(s, &s->part) < 0)
		return -1;
	if (part_take(&s->part, r) < 0 && !call->total)
		return diag_too_large(s->diag, "a sum");
	if (s->part.place == PART_HEADER && kind >= REC_META) {
		hold(s, r);
		return 0;
	}
	if (kind == REC_END)
		return call->finish ? call->finish(s) : 0;
	return put_to_method(s, r);
}

static __attribute__((noinline)) int
put_any(struct part_sink *s, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);
	int ret = 0;

	if (s->out && s->out->error)
		return out_check(s->out);
	if (!rec_is_measured(kind) && kind != REC_DECLARED)
		ret = put_other(s, r);
	else if (s->part.place == PART_BODY || (ret = begin_body(s, r)) == 0)
		ret = s->call->put(s, r);
	return ret == 0 && s->out && s->out->error ? out_check(s->out) : ret;
}

/* Puts a definition; stacks have many. */
static int
put_definition(struct part_sink *s, const struct record *r)
{
	if (s->call->define && (!s->dict || s->part.place != PART_HEADER))
		return s->call->define(s, r);
	if (s->call->define)
		hold(s, r);
	return 0;
}

int
part_sink_put(struct sink *sink, const struct record *r)
{
	struct part_sink *s = (struct part_sink *)sink;
	const enum rec_kind kind = rec_kind(r);

	if (part_goes_on(&s->part, kind) && !(s->out && s->out->error))
		return s->call->put(s, r);
	return rec_is_def(kind) ? put_definition(s, r) : put_any(s, r);
}

void
part_sink_clear(struct part_sink *s)
{
	if (s->call->free)
		s->call->free(s);
	part_free(&s->part);
	buf_free(&s->header);
	late_records_free(&s->totals);
	free(s->def);
}

static void
free_all(struct sink *sink)
{
	part_sink_clear((struct part_sink *)sink);
	free(sink);
}

void
part_sink_init(struct part_sink *s, const struct part_methods *call, struct diag *d,
    struct output *out)
{
	s->sink = (struct sink){ .put = part_sink_put, .free = free_all };
	s->call = call;
	s->diag = d;
	s->out = out;
}
