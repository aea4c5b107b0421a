/* SPDX-License-Identifier: ISC */
/*
 * JSON: one object per line for each record, with names written out.  Members are the
 * columns of columns.h, then the events by name, attributes in one object `attrs`, lists in
 * an array `values`.
 */
#include "util/json.h"

#include <stdlib.h>

#include "stream/codec.h"
#include "stream/columns.h"
#include "stream/name_index.h"
#include "util/mem.h"

struct writer {
	struct sink sink;
	struct encode e;
	struct columns cols[REC_KINDS];	/* by kind */
	struct columns declared;	/* of the last declared kind */
	bool checked;		/* its members were checked against the part's events */
	struct part part;
	struct buf fact[FACTS];	/* as members; empty if the part lacks it */
	uint32_t *frames;
	size_t capframes;
	char *written;		/* the objects that were written */
	size_t capwritten;
	struct buf line, scratch;
	/* The attributes of a record by key: it, and its values, as JSON. */
	struct name_index keys;
	struct attr { struct buf key, values; size_t n; } *attr;
	size_t capattr;
};

/* Writes the next member's name. */
static void
name(struct writer *w, struct text t)
{
	if (w->line.s[w->line.n - 1] != '{')
		buf_putc(&w->line, ',');
	json_string(&w->line, t);
	buf_putc(&w->line, ':');
}

static void put_stack(struct writer *w, uint64_t ctx);

/* optional: leaves out an absent cell. */
static void
put_cell(struct writer *w, const struct record *r, struct spelt_column *c, bool optional)
{
	const struct field *f = &r->col[c->col];
	struct text t = { 0 };

	w->scratch.n = 0;
	if (c->part != COLUMN_STACK)
		t = columns_text(w->e.dict, r, c, &w->scratch);
	else if (f->n != NO_ID)
		t = TEXT("[]");
	if (!t.s && optional)
		return;
	name(w, text_of(c->name));
	if (c->part == COLUMN_STACK)
		put_stack(w, f->n);
	else if (c->part != COLUMN_PLAIN)
		buf_text(&w->line, columns_spelt(w->e.dict, r, c, json_string));
	else if (c->type == COL_STR || c->type == COL_ADDR ||
	    (c->type == COL_LINE && f->has & HAS_M))
		json_string(&w->line, t);
	else
		json_int(&w->line, t);
}

/* Writes all events; values omitted at the end are 0. */
static void
put_values(struct writer *w, struct text values)
{
	struct text v;
	size_t i;

	for (i = 0; i < w->part.events.measured; i++) {
		name(w, events_at(&w->part.events, i)->col[EVENT_NAME].t);
		if (!values_next(&values, &v))
			v = TEXT("0");
		json_int(&w->line, text_is(v, "-") ? (struct text){ 0 } : v);
	}
}

/* Writes attributes; the values of a key that comes again are an array. */
static void
put_attrs(struct writer *w, struct text attrs)
{
	struct text k, v;
	size_t n = 0, i;

	name_index_clear(&w->keys);
	w->scratch.n = 0;
	for (; attr_next(&attrs, &w->scratch, &k, &v); w->scratch.n = 0) {
		i = name_index_add(&w->keys, k, n);
		if (i == n) {
			w->attr = mem_reach(w->attr, &w->capattr, n++, sizeof *w->attr, 0);
			w->attr[i].key.n = w->attr[i].values.n = w->attr[i].n = 0;
			json_string(&w->attr[i].key, k);
		}
		json_comma(&w->attr[i].values, w->attr[i].n++);
		json_string(&w->attr[i].values, v);
	}
	name(w, TEXT("attrs"));
	buf_putc(&w->line, '{');
	for (i = 0; i < n; i++) {
		const struct attr *a = &w->attr[i];

		json_comma(&w->line, i);
		buf_text(&w->line, buf_as_text(&a->key));
		buf_puts(&w->line, a->n > 1 ? ":[" : ":");
		buf_text(&w->line, buf_as_text(&a->values));
		buf_add(&w->line, "]", a->n > 1);
	}
	buf_putc(&w->line, '}');
}

/* Writes an object for each frame, root first. */
static void
put_stack(struct writer *w, uint64_t ctx)
{
	struct columns *cols = &w->cols[REC_CTX];
	struct record r;
	size_t n, i;
	unsigned c;

	if (ctx == NO_ID) {
		buf_puts(&w->line, "null");
		return;
	}
	n = columns_frames(w->e.dict, ctx, &w->frames, &w->capframes);
	for (i = 0; i < n; i++) {
		dict_record(w->e.dict, REC_CTX, w->frames[i], &r);
		buf_puts(&w->line, i ? ",{" : "[{");
		for (c = 0; c < cols->n; c++)
			if (cols->col[c].part != COLUMN_STACK)
				put_cell(w, &r, &cols->col[c], true);
		if (r.attrs.s)
			put_attrs(w, r.attrs);
		buf_putc(&w->line, '}');
	}
	buf_putc(&w->line, ']');
}

static void
put_list(struct writer *w, struct text list)
{
	struct text f, v;
	bool any = false;

	name(w, TEXT("values"));
	buf_putc(&w->line, '[');
	for (; fields_next(&list, &f); any = true) {
		if (any)
			buf_putc(&w->line, ',');
		w->scratch.n = 0;
		field_unescape(f, &w->scratch, &v);
		json_string(&w->line, v);
	}
	buf_putc(&w->line, ']');
}

/* Takes a part, or metadata of it: its rows have the last ones. */
static void
take_fact(struct writer *w, const struct record *r)
{
	struct buf scratch = { 0 };
	int i;

	for (i = 0; i < FACTS; i++) {
		struct text v;

		if (rec_kind(r) == REC_META && !meta_is(r, fact_name[i]))
			continue;
		w->fact[i].n = scratch.n = 0;
		if (rec_kind(r) != REC_META || !(v = meta_values(r, &scratch)).s)
			continue;
		buf_printf(&w->fact[i], ",\"%s\":", fact_name[i]);
		json_string(&w->fact[i], v);
	}
	buf_free(&scratch);
}

static void
put_facts(struct writer *w)
{
	int i;

	for (i = 0; i < FACTS; i++)
		buf_text(&w->line, buf_as_text(&w->fact[i]));
}

/* An event's name must not be that of another member. */
static int
check_event(struct writer *w, const struct record *r)
{
	static const enum rec_kind with_values[] = { REC_COST, REC_CALL, REC_SAMPLE,
	    REC_TOTAL };
	struct text t = r->col[EVENT_NAME].t;
	bool taken = text_is(t, "record") || text_is(t, "attrs");
	size_t i;

	for (i = 0; i < sizeof with_values / sizeof *with_values; i++)
		taken |= columns_find(&w->cols[with_values[i]], t) >= 0;
	for (i = 0; i < FACTS; i++)
		taken |= text_is(t, fact_name[i]);
	taken |= r->col[EVENT_ID].n != NO_ID && events_find(&w->part.events, t) >= 0;
	return taken ? encode_fail(&w->e, "event %s: the objects already "
	    "have a member of this name", QUOTE(t)) : 0;
}

static struct columns *
columns_of(struct writer *w, const struct record *r)
{
	if (rec_kind(r) != REC_DECLARED)
		return &w->cols[rec_kind(r)];
	if (w->declared.def != r->def) {
		w->checked = false;
		columns_free(&w->declared);
		columns_init(&w->declared, r->def);
	}
	return &w->declared;
}

/* The columns of a declared record may have any names, but each only once. */
static int
check_declared(struct writer *w, const struct record *r)
{
	const struct columns *cols = columns_of(w, r);
	unsigned i;
	int k;

	for (i = 0; i < cols->n && !w->checked; i++) {
		struct text t = text_of(cols->col[i].name);
		bool taken = text_is(t, "record") || text_is(t, "attrs") ||
		    columns_find(cols, t) != (int)i || (r->def->tail & REC_VALUES &&
		    events_find(&w->part.events, t) >= 0);

		for (k = 0; k < FACTS; k++)
			taken |= text_is(t, fact_name[k]);
		if (taken)
			return encode_fail(&w->e, "record %s: column %s: "
			    "the object already has a member of this name",
			    diag_quote(r->def->tag, strlen(r->def->tag)), QUOTE(t));
	}
	w->checked = true;
	return 0;
}

static void
put_object(struct writer *w, const struct record *r)
{
	struct columns *cols = columns_of(w, r);
	unsigned i;

	w->line.n = 0;
	buf_putc(&w->line, '{');
	name(w, TEXT("record"));
	json_string(&w->line, text_of(r->def->tag));
	if (rec_is_measured(rec_kind(r)) || rec_kind(r) == REC_TOTAL ||
	    rec_kind(r) == REC_DECLARED)
		put_facts(w);
	for (i = 0; i < cols->n; i++)
		put_cell(w, r, &cols->col[i], cols->col[i].part == COLUMN_KEY);
	if (r->def->tail & REC_VALUES)
		put_values(w, r->values);
	if (r->def->tail & REC_LIST)
		put_list(w, r->attrs);
	else if (r->attrs.s)
		put_attrs(w, r->attrs);
	buf_puts(&w->line, "}\n");
	out_write(w->e.out, w->line.s, w->line.n);
}

/* Writes each object once, when it is defined or a function needs it, since it has more
 * than a path. */
static void
tell_object(struct writer *w, uint64_t object)
{
	struct record r;

	if (object == NO_ID)
		return;
	w->written = mem_reach(w->written, &w->capwritten, object, 1, 0);
	if (w->written[object])
		return;
	w->written[object] = 1;
	dict_record(w->e.dict, REC_OBJECT, (uint32_t)object, &r);
	put_object(w, &r);
}

static int
json_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (rec_kind(r) == REC_EVENT || rec_kind(r) == REC_PART)
		w->checked = false;
	if ((rec_kind(r) == REC_EVENT && check_event(w, r) < 0) ||
	    (rec_kind(r) == REC_DECLARED && check_declared(w, r) < 0))
		return -1;
	part_take(&w->part, r);
	if (rec_kind(r) == REC_PART || rec_kind(r) == REC_META)
		take_fact(w, r);
	switch (rec_kind(r)) {
	case REC_OBJECT:
		tell_object(w, r->col[0].n);
		break;
	case REC_FILE: case REC_CTX:	/* written out where they are used */
		break;
	case REC_FUNC:
		tell_object(w, r->col[1 + FUNC_OBJECT].n);
		/* FALLTHROUGH */
	default:
		put_object(w, r);
	}
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static void
json_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;
	size_t k;
	int i;

	for (i = 0; i < REC_KINDS; i++)
		columns_free(&w->cols[i]);
	for (k = 0; k < w->capattr; k++) {
		buf_free(&w->attr[k].key);
		buf_free(&w->attr[k].values);
	}
	free(w->attr);
	name_index_free(&w->keys);
	columns_free(&w->declared);
	part_free(&w->part);
	for (i = 0; i < FACTS; i++)
		buf_free(&w->fact[i]);
	free(w->frames);
	free(w->written);
	buf_free(&w->line);
	buf_free(&w->scratch);
	free(w);
}

static struct sink *
json_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);
	int i;

	w->sink = (struct sink){ .put = json_put, .free = json_free };
	w->e = *e;
	for (i = 0; i < REC_KINDS; i++)
		columns_init(&w->cols[i], &rec_table[i]);
	return &w->sink;
}

const struct codec codec_json = {
	.name = "json",
	.summary = "One JSON object per record, with names written out",
	.synonyms = "jsonl, ndjson",
	.purpose = PURPOSE_TABLE,
	.encode = json_encode,
	.supports = { SUPPORTS_ALL, [FEATURE_END] = SUPPORT_YES },
	.raw = true,
};
