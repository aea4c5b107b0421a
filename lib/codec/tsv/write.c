/* SPDX-License-Identifier: ISC */
/* Writes a table. */
#include "tsv.h"

#include <inttypes.h>
#include <stdlib.h>

#include "stream/loss.h"
#include "util/mem.h"

struct writer {
	struct sink sink;
	struct encode e;
	struct columns cols;	/* cols.def: NULL until the kind is known */
	struct part part;
	bool fact[FACTS];	/* is it a column of the table? */
	bool headed;		/* the header line was written */
	struct text *event;	/* columns of the table, in the dictionary */
	size_t nevent;
	struct name_index events;	/* the same by their names */
	long *from;		/* the part's column of each; -1: none */
	size_t capfrom;
	bool same;		/* they are equal to the part's columns, in order */
	bool mapped;		/* `from` is valid for this part */
	bool metric;		/* there is an event that a table of points does not name */
	bool rows;		/* the part has rows */
	struct buf run;		/* the run of the first part */
	struct buf id, last_id;	/* text that identifies the part, and the one before */
	struct columns_used used;	/* functions of rows */
	uint64_t funcs;
	char *frames;		/* by context: the result of frames_of() */
	size_t capframes;
	struct buf line;
};

/* ---- the header line ---- */

static int
collision(struct writer *w, struct text name)
{
	return encode_fail(&w->e, "event %s: the table already has a "
	    "column of this name", QUOTE(name));
}

static void
head(struct writer *w, struct text name)
{
	if (w->line.n)
		buf_putc(&w->line, '\t');
	field_escape(&w->line, name);
}

static int
head_events(struct writer *w)
{
	size_t i;
	int f;

	w->nevent = w->part.events.measured;
	w->event = mem_alloc(w->nevent + 1, sizeof *w->event);
	for (i = 0; i < w->nevent; i++) {
		struct text name = events_at(&w->part.events, i)->col[EVENT_NAME].t;

		if (!name.n)
			return encode_fail(&w->e, "event %zu has no name, "
			    "but a column needs one", i);
		if (name_index_add(&w->events, name, i) != i)
			return collision(w, name);
		for (f = 0; f < FACTS; f++)
			if (text_is(name, fact_name[f]))
				return collision(w, name);
		if (columns_find(&w->cols, name) >= 0)
			return collision(w, name);
		w->event[i] = dict_text(w->e.dict, dict_str(w->e.dict, name));
		head(w, name);
	}
	return 0;
}

static bool
has_fact(const struct writer *w, int fact)
{
	struct buf scratch = { 0 };
	const bool has = columns_fact(&w->part, fact, &scratch).s != NULL;

	buf_free(&scratch);
	return has;
}

static int
put_head(struct writer *w)
{
	int i;
	unsigned k;

	if (!w->cols.def)
		columns_init(&w->cols, &rec_table[REC_COST]);
	w->headed = true;
	w->line.n = 0;
	for (i = 0; i < FACTS; i++)
		if ((w->fact[i] = has_fact(w, i)))
			head(w, text_of(fact_name[i]));
	for (k = 0; k < w->cols.n; k++)
		if (tsv_has(&w->cols.col[k]))
			head(w, text_of(w->cols.col[k].name));
	if (w->cols.def->tail & REC_VALUES && head_events(w) < 0)
		return -1;
	buf_putc(&w->line, '\n');
	out_write(w->e.out, w->line.s, w->line.n);
	return 0;
}

/* ---- a part ---- */

/* Maps the table's events to the part's.  An event that the table lacks would be dropped
 * with its costs. */
static int
map_events(struct writer *w)
{
	size_t n = w->part.events.measured, i, k;

	w->from = mem_grow(w->from, &w->capfrom, w->nevent + 1, sizeof *w->from);
	w->same = n == w->nevent;
	for (i = 0; i < w->nevent; i++) {
		w->from[i] = events_find(&w->part.events, w->event[i]);
		w->same &= w->from[i] == (long)i;
	}
	for (i = 0; i < n && w->cols.def->tail & REC_VALUES; i++) {
		struct text name = events_at(&w->part.events, i)->col[EVENT_NAME].t;

		if (events_find(&w->part.events, name) != (long)i)
			return collision(w, name);
		if (!name_index_find(&w->events, name, &k))
			return encode_fail(&w->e, "part %" PRIu64 " has "
			    "event %s, which the first part lacks: choose events with "
			    "--events", w->part.number, QUOTE(name));
	}
	return 0;
}

/* Begins rows; those that nothing distinguishes from the previous part's are a loss. */
static int
begin_rows(struct writer *w)
{
	struct buf scratch = { 0 };
	int i;

	w->mapped = true;
	if (!w->headed && put_head(w) < 0)
		return -1;
	w->id.n = 0;
	for (i = 0; i < FACTS; i++) {
		const struct text v = columns_fact(&w->part, i, &scratch);

		if (w->fact[i]) {
			field_escape(&w->id, v);
			buf_putc(&w->id, '\t');
		} else if (v.s) {
			loss_add(w->e.loss, "metadata");
		}
	}
	buf_free(&scratch);
	if (w->part.number > 1 && text_eq(buf_as_text(&w->id), buf_as_text(&w->last_id)))
		loss_add(w->e.loss, "which part a row belongs to");
	w->last_id.n = 0;
	buf_text(&w->last_id, buf_as_text(&w->id));
	return map_events(w);
}

/* ---- rows ---- */

static void
put_cell(struct writer *w, const struct record *r, struct spelt_column *c)
{
	struct buf *b = &w->line;
	size_t n = b->n;
	struct text t;

	if (c->part != COLUMN_PLAIN) {
		buf_text(b, columns_spelt(w->e.dict, r, c, field_escape));
	} else if (c->type == COL_STR) {
		field_escape(b, r->col[c->col].t);
	} else {
		t = columns_text(w->e.dict, r, c, b);
		b->n = n;	/* it may be there already */
		if (!t.s)
			buf_putc(b, '-');
		else if (t.s == b->s + n)
			b->n += t.n;
		else
			buf_text(b, t);
	}
	buf_putc(b, '\t');
}

/* Returns the i-th of a line's values; those omitted at the end are 0. */
static struct text
value_at(struct text values, long i)
{
	struct text v = TEXT("0");

	do {
		if (!values_next(&values, &v))
			return TEXT("0");
	} while (i--);
	return v;
}

/* Puts each event's value; absent if the part lacks the event. */
static void
put_values(struct writer *w, struct text values)
{
	struct text v;
	size_t i;

	for (i = 0; i < w->nevent; i++) {
		if (!w->same)
			v = w->from[i] < 0 ? TEXT("-") : value_at(values, w->from[i]);
		else if (!values_next(&values, &v))
			v = TEXT("0");
		buf_text(&w->line, v);
		buf_putc(&w->line, '\t');
	}
}

/* Has a frame more than a name?  A table has only the names. */
static bool
has_more(const struct dict *d, const uint32_t *ctx)
{
	const uint32_t *func = dict_def(d, REC_FUNC, ctx[CTX_FUNC]);

	return ctx[CTX_FILE] != NO_ID || ctx[CTX_LINE] != NO_ID ||
	    ctx[CTX_ADDR] != NO_ID || ctx[CTX_ATTRS] != NO_ID ||
	    func[FUNC_FILE] != NO_ID || func[FUNC_OBJECT] != NO_ID ||
	    func[FUNC_KEY] != NO_ID;
}

enum { UNSEEN, NAMES, MORE };

static int
frames_of(struct writer *w, uint64_t ctx)
{
	uint32_t *ids = NULL;
	size_t cap = 0, n, i;
	int found = NAMES;

	w->frames = mem_reach(w->frames, &w->capframes, ctx, 1, UNSEEN);
	if (w->frames[ctx] != UNSEEN)
		return w->frames[ctx];
	n = columns_frames(w->e.dict, ctx, &ids, &cap);
	for (i = 0; i < n && found == NAMES; i++)
		if (has_more(w->e.dict, dict_frame(w->e.dict, ids[i])))
			found = MORE;
	free(ids);
	return w->frames[ctx] = (char)found;
}

static void
lose_of(struct writer *w, const struct record *r, const struct spelt_column *c)
{
	uint64_t id = r->col[c->col].n;

	if (id == NO_ID)
		return;
	if (c->part == COLUMN_KEY && columns_text(w->e.dict, r, c, &w->line).s)
		loss_add(w->e.loss, "keys of functions");
	if (c->part == COLUMN_STACK && frames_of(w, id) == MORE)
		loss_add(w->e.loss, "places of frames");
}

static int
put_row(struct writer *w, const struct record *r)
{
	unsigned i;

	if (!w->mapped && begin_rows(w) < 0)
		return -1;
	w->rows = true;
	columns_use(&w->used, w->e.dict, r);
	w->line.n = 0;
	buf_text(&w->line, buf_as_text(&w->id));
	for (i = 0; i < w->cols.n; i++) {
		struct spelt_column *c = &w->cols.col[i];

		if (tsv_has(c))
			put_cell(w, r, c);
		if (c->part == COLUMN_KEY || c->part == COLUMN_STACK)
			lose_of(w, r, c);
	}
	put_values(w, r->values);
	w->line.s[w->line.n - 1] = '\n';
	out_write(w->e.out, w->line.s, w->line.n);
	if (r->attrs.s)
		loss_add(w->e.loss, "attributes of records");
	return 0;
}

/* Returns the main kind of record in the profile, as a table has only one. */
static const struct rec_def *
main_kind(const struct writer *w, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);
	struct buf scratch = { 0 };
	/* `format` is the format that a profile was read from; here that is a table. */
	const bool table = text_is(metadata_value(&w->part.metadata, "format", &scratch), "tsv");

	buf_free(&scratch);
	return &rec_table[table || kind == REC_SAMPLE || kind == REC_POINT ? kind : REC_COST];
}

/* Reports all columns of an event but its name as dropped, except that it has no calls if
 * the table has none. */
static void
lose_event(struct writer *w, const struct record *r)
{
	if (r->col[EVENT_ID].n == NO_ID)
		loss_add(w->e.loss, "derived events");
	else if (r->col[EVENT_UNIT].t.s || r->col[EVENT_FORMULA].t.s ||
	    r->col[EVENT_DESCRIPTION].t.s ||
	    (r->attrs.s && !text_is(r->attrs, "calls=absent")))
		loss_add(w->e.loss, "units and descriptions of events");
}

/* Reports the attributes of a part as dropped, except positions, which the rows imply. */
static void
lose_part(struct writer *w, const struct record *r)
{
	struct buf scratch = { 0 };
	struct text attrs = r->attrs, key, value;
	struct text run = r->col[0].t;

	for (; attr_next(&attrs, &scratch, &key, &value); scratch.n = 0)
		if (!text_is(key, "positions"))
			loss_add(w->e.loss, "attributes of parts");
	buf_free(&scratch);
	if (w->part.number == 1)
		buf_text(&w->run, run);
	else if (!text_eq(run, buf_as_text(&w->run)))
		loss_add(w->e.loss, "which run a part belongs to");
}

enum after_part { AFTER_PART_MORE, AFTER_PART_END };

/* Ends a part.  One without rows leaves nothing in the table, but an empty table is read as
 * an empty part. */
static void
end_part(struct writer *w, enum after_part after)
{
	int i;

	for (i = 0; i < FACTS && !w->rows; i++)
		if (has_fact(w, i))
			loss_add(w->e.loss, "metadata");
	if (w->part.number && !w->rows && !(after == AFTER_PART_END && w->part.number == 1))
		loss_add(w->e.loss, "parts without rows");
	w->rows = false;
}

static int
end(struct writer *w)
{
	end_part(w, AFTER_PART_END);
	if (!w->headed && put_head(w) < 0)
		return -1;
	if (w->metric && w->cols.def->kind == REC_POINT)
		loss_add(w->e.loss, "names of metrics");
	loss_many(w->e.loss, "functions without rows",
	    w->funcs > w->used.n ? w->funcs - w->used.n : 0);
	return 0;
}

static bool
is_fact(const struct record *r)
{
	int i;

	for (i = 0; i < FACTS && !meta_is(r, fact_name[i]); i++)
		;
	return i < FACTS && !meta_has_several(r);
}

static int
put_other(struct writer *w, const struct record *r)
{
	if (rec_kind(r) == REC_PART)
		end_part(w, AFTER_PART_MORE);
	part_take(&w->part, r);
	switch (rec_kind(r)) {
	case REC_PART:
		w->mapped = false;
		lose_part(w, r);
		return 0;
	case REC_EVENT:
		w->mapped = false;
		lose_event(w, r);
		w->metric |= !text_is(r->col[EVENT_NAME].t, TSV_POINT_EVENT);
		return 0;
	case REC_FUNC:
		w->funcs++;
		if (r->attrs.s)
			loss_add(w->e.loss, "attributes of functions");
		return 0;
	case REC_OBJECT:
		if (r->col[1 + OBJECT_KEY].t.s || r->attrs.s)
			loss_add(w->e.loss, "keys and attributes of objects");
		return 0;
	case REC_DECLARED:	/* reported as dropped before */
		return 0;
	case REC_END:
		return end(w);
	case REC_META:
		if ((is_fact(r) && !w->mapped) || meta_is(r, "format"))
			return 0;
		break;
	default:
		break;
	}
	loss_record(w->e.loss, r);
	return 0;
}

static int
tsv_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	enum rec_kind kind = rec_kind(r);
	int ret;

	if (!w->cols.def && rec_is_measured(kind))
		columns_init(&w->cols, main_kind(w, r));
	ret = w->cols.def == r->def ? put_row(w, r) : put_other(w, r);
	return ret < 0 ? -1 : w->e.out->error ? out_check(w->e.out) : 0;
}

static void
tsv_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;

	columns_free(&w->cols);
	part_free(&w->part);
	free(w->event);
	name_index_free(&w->events);
	free(w->from);
	free(w->frames);
	buf_free(&w->run);
	columns_used_free(&w->used);
	buf_free(&w->id);
	buf_free(&w->last_id);
	buf_free(&w->line);
	free(w);
}

struct sink *
tsv_encode(const struct encode *e)
{
	const struct rec_def *asked = tsv_asked_records(e->options);
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = tsv_put, .free = tsv_free };
	w->e = *e;
	if (asked)
		columns_init(&w->cols, asked);
	return &w->sink;
}
