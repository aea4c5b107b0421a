/* SPDX-License-Identifier: ISC */
#include "filter/conditions.h"

#include <stdlib.h>

#include "stream/part.h"
#include "util/mem.h"
#include "util/suggest.h"

#define TOLD 10			/* values of a key, and keys, that are listed if nothing is
				 * kept */

struct texts {
	char *v[TOLD];
	size_t n;
	bool more;
};

struct where {
	struct sink sink;
	const struct conditions *c;
	bool runs;		/* parts stay whose samples are selected */
	struct key {		/* by key of a condition */
		bool stated;	/* the current part has the key, */
		bool met;	/* a value meets a condition, */
		bool labelled;	/* or a label of the current sample does */
		struct texts values;	/* that parts have */
	} *key;
	struct texts facts;	/* keys that parts have */
	struct part part;
	struct record **held;	/* the part's header, until it is decided */
	size_t nheld, capheld;
	/* For the part: if it lacks some keys, its samples may have labels instead. */
	bool keep, by_label;
	bool any_sample, any_other;	/* in a part by label: what was dropped */
	bool any_kept;
	struct buf *none;
};

static void
add_text(struct texts *list, struct text t)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		if (text_is(t, list->v[i]))
			return;
	if (list->n == TOLD)
		list->more = true;
	else
		list->v[list->n++] = mem_copy(t.s, t.n);
}

static void
texts_free(struct texts *list)
{
	while (list->n)
		free(list->v[--list->n]);
}

/* Does this value of a key meet one of the conditions on it? */
static bool
meets(struct where *w, size_t key, struct text value)
{
	if (!w->any_kept)
		add_text(&w->key[key].values, value);
	return conditions_meet(w->c, key, value);
}

static void
see_value(struct where *w, struct text key, struct text value)
{
	size_t i = conditions_key(w->c, key);

	if (i >= w->c->nkey)
		return;
	w->key[i].stated = true;
	w->key[i].met |= meets(w, i, value);
}

static void
see(struct where *w, const struct record *meta)
{
	struct text rest = meta->attrs, f, value;
	struct buf b = { 0 };

	if (!w->any_kept)
		add_text(&w->facts, meta->col[0].t);
	while (fields_next(&rest, &f)) {
		b.n = 0;
		if (!field_unescape(f, &b, &value) || !value.s)
			continue;
		if (value.s != b.s)
			buf_text(&b, value);
		value = (struct text){ buf_str(&b), value.n };
		see_value(w, meta->col[0].t, value);
	}
	buf_free(&b);
}

/* Is a condition met for every key? */
static bool
decide(const struct where *w)
{
	size_t i;

	for (i = 0; i < w->c->nkey && w->key[i].met; i++)
		;
	return i == w->c->nkey;
}

static void
hold(struct where *w, const struct record *r)
{
	w->held = mem_grow(w->held, &w->capheld, w->nheld + 1, sizeof *w->held);
	w->held[w->nheld++] = rec_keep(r);
}

/* Puts the records held back, or drops them.  A total is not that of some samples. */
static int
flush(struct where *w, bool keep)
{
	size_t i;
	int r = 0;

	for (i = 0; i < w->nheld; i++) {
		if (r == 0 && keep && !(w->by_label && rec_kind(w->held[i]) == REC_TOTAL))
			r = sink_put(w->sink.next, w->held[i]);
		free(w->held[i]);
	}
	w->nheld = 0;
	return r;
}

static int
end_header(struct where *w)
{
	w->keep = decide(w);
	w->by_label = !w->keep;
	w->any_kept |= w->keep;
	return w->keep ? flush(w, true) : 0;
}

/* Do the labels of a sample meet the conditions on keys that the part lacks? */
static bool
has_labels(struct where *w, const struct record *r)
{
	struct text rest = r->attrs, key, value;
	struct buf scratch = { 0 };
	size_t i, unmet = 0;

	for (i = 0; i < w->c->nkey; i++) {
		w->key[i].labelled = w->key[i].met;
		unmet += !w->key[i].met;
	}
	for (; rest.n && unmet && attr_next(&rest, &scratch, &key, &value); scratch.n = 0) {
		if (!w->any_kept)
			add_text(&w->facts, key);
		i = conditions_key(w->c, key);
		if (i < w->c->nkey && !w->key[i].labelled && meets(w, i, value)) {
			w->key[i].labelled = true;
			unmet--;
		}
	}
	buf_free(&scratch);
	return !unmet;
}

/* ---- the default event ---- */

static struct record *
mark_default(const struct record *event, bool is_default)
{
	struct record r = rec_copy_of(event), *kept;
	struct buf attrs = { 0 };

	attr_add_others(&attrs, event->attrs, "default");
	if (is_default)
		attr_add(&attrs, "default", TEXT("1"));
	r.attrs = attrs.n ? buf_as_text(&attrs) : (struct text){ 0 };
	kept = rec_keep(&r);
	buf_free(&attrs);
	return kept;
}

/* If the samples were selected by their event, and cost nothing in the default event, the
 * event of the first one becomes the default. */
static void
move_default(struct where *w, const struct record *first)
{
	const size_t key = conditions_key(w->c, TEXT("event"));
	const struct events *header = &w->part.events;
	struct buf name = { 0 }, was = { 0 };
	size_t i, k = 0;
	long from, to;

	if (key == w->c->nkey || w->key[key].met)
		return;
	from = events_own_default(header);
	to = events_find(header, attr_get(first->attrs, "event", &name));
	if (from >= 0)
		buf_text(&was, events_at(header, (size_t)from)->col[EVENT_NAME].t);
	if (from >= 0 && to >= 0 && !conditions_meet(w->c, key,
	    (struct text){ buf_str(&was), was.n }))
		for (i = 0; i < w->nheld; i++) {
			struct record *r = w->held[i];

			if (rec_kind(r) != REC_EVENT)
				continue;
			w->held[i] = mark_default(r, k++ == header->at[to]);
			free(r);
		}
	buf_free(&name);
	buf_free(&was);
}

/* Puts a record of a part whose samples are selected by their labels: its header is put
 * before the first one that is kept. */
static int
put_by_label(struct where *w, const struct record *r)
{
	if (rec_kind(r) == REC_SAMPLE && has_labels(w, r)) {
		if (!w->keep)
			move_default(w, r);
		w->keep = w->any_kept = true;
		return flush(w, true) < 0 ? -1 : sink_put(w->sink.next, r);
	}
	if (rec_kind(r) != REC_META) {
		w->any_sample |= rec_kind(r) == REC_SAMPLE;
		w->any_other |= rec_is_measured(rec_kind(r)) &&
		    rec_kind(r) != REC_SAMPLE;
		return 0;
	}
	if (w->keep)
		return sink_put(w->sink.next, r);
	hold(w, r);
	return 0;
}

/*
 * Ends a part.  Conditions on metadata choose parts, those on labels samples: a part
 * without any matching sample still belongs to a run, which has 0 there.
 */
static int
end_part(struct where *w)
{
	bool stays = w->runs && w->by_label && (w->any_sample || !w->any_other);
	size_t i;

	for (i = 0; i < w->c->nkey; i++)
		stays &= w->key[i].met || !w->key[i].stated;
	return flush(w, stays);
}

static void
say_list(struct buf *b, const struct texts *list)
{
	size_t i;

	for (i = 0; i < list->n; i++)
		buf_printf(b, "%s%s", i ? ", " : "", diag_quote(list->v[i],
		    strlen(list->v[i])));
	if (list->more)
		buf_puts(b, ", ...");
}

/* Lists the values that the parts have for each key of a condition. */
static void
say_none(const struct where *w)
{
	size_t i;

	for (i = 0; i < w->c->nkey; i++) {
		const struct text key = w->c->key[i];

		buf_puts(w->none, i ? "; " : "");
		if (w->key[i].values.n) {
			buf_printf(w->none, "%.*s can be ", (int)key.n, key.s);
			say_list(w->none, &w->key[i].values);
			continue;
		}
		buf_printf(w->none, "no part has metadata %s%s", QUOTE(key),
		    suggest_suffix(suggest_find(key, (const char *const *)w->facts.v,
		    w->facts.n)));
		if (w->facts.n) {
			buf_puts(w->none, "; metadata: ");
			say_list(w->none, &w->facts);
		}
	}
}

static inline int
put_body(struct where *w, const struct record *r)
{
	return w->by_label ? put_by_label(w, r) : w->keep ? sink_put(w->sink.next, r) : 0;
}

static int
where_put(struct sink *s, const struct record *r)
{
	struct where *w = (struct where *)s;
	enum rec_kind kind = rec_kind(r);
	size_t i;

	if (part_goes_on(&w->part, kind))
		return put_body(w, r);
	if (part_is_apart(kind))
		return sink_put(s->next, r);
	if ((part_ends_header(&w->part, kind) && end_header(w) < 0) ||
	    (part_ends(&w->part, kind) && end_part(w) < 0))
		return -1;
	if (kind == REC_END && w->part.number && !w->any_kept)
		say_none(w);
	part_take(&w->part, r);
	if (kind == REC_PART) {
		w->by_label = w->any_sample = w->any_other = false;
		for (i = 0; i < w->c->nkey; i++)
			w->key[i].met = w->key[i].stated = false;
	}
	if (w->part.place == PART_HEADER) {
		if (kind == REC_META)
			see(w, r);
		hold(w, r);
		return 0;
	}
	return kind == REC_END ? sink_put(s->next, r) : put_body(w, r);
}

static unsigned
where_takes(const struct sink *s)
{
	const struct where *w = (const struct where *)s;

	return w->by_label ? TAKES_LINES : !w->keep ? TAKES_LINES | TAKES_SUMS :
	    sink_takes(s->next) & ~(unsigned)FORGETS_CONTEXTS;
}

static int
where_put_lines(struct sink *s, const struct place_lines *l)
{
	struct where *w = (struct where *)s;

	w->any_other = true;
	return w->by_label || !w->keep ? 0 : sink_put_lines(s->next, l);
}

static void
where_free(struct sink *s)
{
	struct where *w = (struct where *)s;
	size_t i;

	for (i = 0; i < w->c->nkey; i++)
		texts_free(&w->key[i].values);
	texts_free(&w->facts);
	for (i = 0; i < w->nheld; i++)
		free(w->held[i]);
	part_free(&w->part);
	free(w->key);
	free(w->held);
	free(w);
}

struct sink *
filter_where(const struct conditions *c, bool runs, struct buf *none)
{
	struct where *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = where_put, .free = where_free,
	    .takes = where_takes, .put_lines = where_put_lines };
	w->c = c;
	w->runs = runs;
	w->key = mem_alloc(c->nkey + 1, sizeof *w->key);
	w->none = none;
	return &w->sink;
}
