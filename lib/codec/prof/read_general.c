/* SPDX-License-Identifier: ISC */
/* Reads any line, by the table of records. */
#include "reader.h"

#include <inttypes.h>

#include "util/mem.h"

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)

static int
column(struct reader *rd, const struct rec_def *def, const struct column *c,
    struct text t, struct field *f)
{
	const char *q;
	uint64_t v;

	switch (c->type) {
	case COL_INT:
		if (t.n == 1 && t.s[0] == '-')
			f->t = (struct text){ 0 };
		else if (num_is_canonical(t))
			f->t = t;
		else
			return BAD("%s %s: expected a number, found %s", def->tag,
			    c->name, QUOTE(t));
		return 0;
	case COL_LINE:
		if (!field_get_line(t, f))
			return BAD("%s %s: expected a line number, found %s",
			    def->tag, c->name, QUOTE(t));
		return 0;
	case COL_ADDR:
		if (!field_get_addr(t, f))
			return BAD("%s %s: expected an address, found %s",
			    def->tag, c->name, QUOTE(t));
		return 0;
	case COL_STR:
		if (!field_unescape(t, &rd->scratch, &f->t))
			return BAD("%s %s: bad escape in %s", def->tag, c->name, QUOTE(t));
		return 0;
	default:
		break;
	}
	if (t.n == 1 && t.s[0] == '-' &&
	    (c->type != COL_ID || def->kind == REC_EVENT)) {
		f->n = NO_ID;
		return 0;
	}
	if (!num_is_canonical(t) || t.n > 10 || t.s[0] == '-' ||
	    !(q = num_get_u64(t.s, &v)) || q != t.s + t.n)
		return BAD("%s %s: expected a number, found %s", def->tag, c->name,
		    QUOTE(t));
	if (c->type == COL_ID) {
		f->n = v;
		return 0;
	}
	if (v >= ids_of(rd, c->type)->n)
		return BAD("%s %s: no %s has the number %" PRIu64, def->tag,
		    c->name, col_type_name[c->type], v);
	f->n = ids_of(rd, c->type)->to[v];
	return 0;
}

/* Reads the values, then the attributes, after the columns. */
static int
tail(struct reader *rd, struct record *r, struct text rest)
{
	const struct rec_def *def = r->def;
	struct text f, before = rest, attrs;
	uint64_t n = 0;
	size_t mark = rd->scratch.n;
	struct text k, v;

	r->values = r->attrs = (struct text){ 0 };
	if (def->tail & REC_LIST) {
		r->attrs = rest;
		while (fields_next(&rest, &f))
			if (!field_unescape(f, &rd->scratch, &v))
				return BAD("%s: bad escape in %s", def->tag, QUOTE(f));
		return 0;
	}
	if (def->tail & REC_VALUES) {
		const char *start = rest.s, *end = NULL;

		while (fields_next(&rest, &f)) {
			if (!text_is(f, "-") && !num_is_canonical(f))
				break;
			/* A difference has extra columns, which belong to no event. */
			if (n++ == rd->nevents && !rd->d->again)
				return BAD("%s: more values than events (%" PRIu64 ")",
				    def->tag, rd->nevents);
			end = f.s + f.n;
			before = rest;
		}
		if (end)
			r->values = (struct text){ start, (size_t)(end - start) };
		rest = before;
	}
	if (!rest.s)
		return 0;
	if (!(def->tail & REC_ATTRS))
		return BAD("%s: expected the end of the line, found %s", def->tag,
		    QUOTE(rest));
	r->attrs = attrs = rest;
	while (attrs.s) {
		struct text one = attrs;

		if (!attr_next(&attrs, &rd->scratch, &k, &v)) {
			fields_next(&one, &f);
			return BAD("%s: expected %skey=value, found %s", def->tag,
			    def->tail & REC_VALUES ? "a number or " : "", QUOTE(f));
		}
		rd->scratch.n = mark;
	}
	return 0;
}

static int
definition(struct reader *rd, struct record *r)
{
	struct idmap *m = &rd->ids[rec_kind(r) - REC_OBJECT];
	uint32_t cols[DEF_COLS], id;

	if (r->col[0].n != m->n)
		return BAD("%s: expected the number %zu, found %" PRIu64,
		    r->def->tag, m->n, r->col[0].n);
	dict_tuple(rd->d->dict, r, cols);
	if (dict_put(rd->d->dict, rd->d->out, rec_kind(r), cols, &id) < 0)
		return LINE_FATAL;
	r->col[0].n = id;
	if (rd->d->again && sink_put(rd->d->out, r) < 0)
		return LINE_FATAL;
	m->to = mem_grow(m->to, &m->cap, m->n + 1, sizeof *m->to);
	m->to[m->n++] = id;
	return 0;
}

static int
total(struct reader *rd, const struct record *r)
{
	const bool run = text_is(r->col[0].t, "run");
	bool *has = run ? &rd->has_run : &rd->has_sum;

	if (!run && !text_is(r->col[0].t, "sum"))
		return BAD("total of: expected 'run' or 'sum'");
	if (*has)
		return BAD("total %s: a second one in this part", run ? "run" : "sum");
	*has = rd->body = true;
	return sink_put(rd->d->out, r);
}

/* Runs are numbered across all inputs. */
static int
part(struct reader *rd, struct record *r)
{
	char text[24];
	uint64_t from = 0;
	num *to;
	const struct text t = r->col[0].t;

	if (!t.s || t.n > 19 || t.s[0] == '-')
		return BAD("part run: expected a number, found %s",
		    diag_quote(t.s ? t.s : "-", t.s ? t.n : 1));
	rd->in_part = true;
	rd->body = rd->has_run = rd->has_sum = false;
	rd->nevents = 0;
	if (rd->d->again)
		return decode_put_part(rd->d, r);
	num_get_u64(t.s, &from);
	to = sums_val(&rd->runs, sums_row(&rd->runs, &from));
	if (!*to)
		*to = ++rd->d->session->runs;
	r->col[0].t = num_text_u64(text, (uint64_t)*to);
	return decode_put_part(rd->d, r);
}

static int
event(struct reader *rd, struct record *r)
{
	if (rd->body)
		return BAD("event: must come before the other records of its part");
	if (!r->col[EVENT_NAME].t.s)
		return BAD("event: has no name");
	if (r->col[EVENT_ID].n != NO_ID) {
		if (r->col[EVENT_ID].n != rd->nevents)
			return BAD("event: expected the number %" PRIu64
			    ", found %" PRIu64, rd->nevents, r->col[EVENT_ID].n);
		rd->nevents++;
	}
	return decode_put_event(rd->d, r);
}

static int
begin(struct reader *rd, struct record *r)
{
	if (rd->open && decode_cut(rd->d, "the stream is truncated: a new one begins "
	    "before its 'end'") < 0)
		return LINE_FATAL;
	if (!text_is(r->col[0].t, "1"))
		return diag_fail(rd->d->diag, "stream version %s is not supported, "
		    "only 1 is", QUOTE(r->col[0].t));
	return 0;
}

static void
start_stream(struct reader *rd)
{
	int i;

	for (i = 0; i < DEFS; i++)
		rd->ids[i].n = 0;
	rd->stream = schema_begin(rd->d->schema);
	sums_free(&rd->runs);
	sums_init(&rd->runs, 1, 1);
	rd->nplace = 0;
	rd->open = true;
	rd->in_part = rd->body = false;
}

static int
act(struct reader *rd, struct record *r)
{
	switch (rec_kind(r)) {
	case REC_END:
		rd->open = rd->in_part = false;
		return 0;
	case REC_TAG:
		if (!schema_declare(rd->d->schema, r, rd->stream, rd->d->diag))
			return LINE_BAD;
		break;
	case REC_PART:
		return part(rd, r);
	case REC_OBJECT: case REC_FILE: case REC_FUNC: case REC_CTX:
		return definition(rd, r);
	case REC_EVENT:
	case REC_META:
	default:
		if (!rd->in_part)
			return BAD("%s: comes before any part", r->def->tag);
		if (rec_kind(r) == REC_EVENT)
			return event(rd, r);
		if (rec_kind(r) == REC_TOTAL)
			return total(rd, r);
		if (rec_kind(r) != REC_META)
			rd->body = true;
	}
	return sink_put(rd->d->out, r);
}

int
prof_read_line(struct reader *rd, const char *p, const char *end)
{
	struct text rest = { p, (size_t)(end - p) }, f;
	struct record r;
	const struct rec_def *def;
	unsigned i;
	int ret;

	rd->scratch.n = 0;
	fields_next(&rest, &f);
	def = schema_find(rd->d->schema, f, rd->stream);
	if (!rd->open && (!def || def->kind != REC_PROF))
		return diag_fail(rd->d->diag, "expected the first line of a stream "
		    "('prof', version), found %s", diag_quote(p, (size_t)(end - p)));
	if (!def)
		return BAD("unknown record %s", QUOTE(f));
	/* Unescaped text must not move. */
	buf_room(&rd->scratch, 2 * (size_t)(end - p) + 16);
	r = (struct record){ .def = def };
	for (i = 0; i < def->ncol; i++) {
		if (!fields_next(&rest, &f))
			return BAD("%s: expected %u columns, found %u", def->tag,
			    def->ncol, i);
		if ((ret = column(rd, def, &def->col[i], f, &r.col[i])))
			return ret;
	}
	if ((ret = tail(rd, &r, rest)))
		return ret;
	if (def->kind == REC_PROF) {
		if ((ret = begin(rd, &r)))
			return ret;
		start_stream(rd);
		return 0;
	}
	return act(rd, &r);
}
