/* SPDX-License-Identifier: ISC */
/*
 * Reading a report.  Contexts are told behind the points that are in them, so
 * the whole is read before the first record is put.
 */
#include "aprof.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/foreign.h"
#include "mem.h"
#include "table.h"

/* A line that is read again when all names are known. */
struct line {
	struct text rest;	/* behind the tag */
	uint64_t id, number;	/* of the routine or context; of the line */
};

struct lines {
	struct line *v;
	size_t n, cap;
};

struct routine {
	struct text name, image, addr;	/* of its r; absent: not told */
	struct text other;	/* what u or d calls it */
	struct text sizes;	/* how many it has, as told */
	bool by_d;
	uint64_t line;		/* of its r */
	uint64_t points;
	uint32_t func;
};

struct context {
	uint64_t routine, parent;	/* their ids; of a root NO_PARENT */
	uint64_t line;		/* of its x; 0: it has none */
	uint32_t ctx;
	enum { UNSEEN, OPEN, DONE, BROKEN } state;
};

#define NO_PARENT UINT64_MAX

struct reader {
	struct decode *d;
	struct text fact[APROF_FACTS], metric, total;
	struct foreign_events own_events;
	struct table routine_id, context_id;	/* rows are indices of these: */
	struct routine *routine;
	struct context *context;
	size_t caproutine, capcontext;
	struct lines points, raws;
	struct lines xs;	/* in their order */
	uint64_t version;
	uint64_t odd, odd_line, undeclared, misfits, misfit_line;
	const char *odd_what;
	struct buf text;
};

#define BAD(...) (diag_fail(rd->d->diag, __VA_ARGS__), LINE_BAD)
#define TQUOTE(t) diag_quote((t).s, (t).n)

/* ---- words ---- */

static void
skip_blanks(struct text *t)
{
	while (t->n && *t->s == ' ')
		t->s++, t->n--;
}

/* Takes the next word off; false at the end. */
static bool
next_word(struct text *rest, struct text *word)
{
	const char *blank;

	skip_blanks(rest);
	if (!rest->n)
		return false;
	blank = memchr(rest->s, ' ', rest->n);
	*word = (struct text){ rest->s, blank ? (size_t)(blank - rest->s) : rest->n };
	rest->s += word->n;
	rest->n -= word->n;
	return true;
}

/* The same at the other end. */
static bool
last_word(struct text *rest, struct text *word)
{
	const char *blank;

	while (rest->n && rest->s[rest->n - 1] == ' ')
		rest->n--;
	if (!rest->n)
		return false;
	blank = last_byte(rest->s, ' ', rest->n);
	word->s = blank ? blank + 1 : rest->s;
	word->n = (size_t)(rest->s + rest->n - word->s);
	rest->n -= word->n;
	return true;
}

/* Digits, without the zeros before them: false for anything else. */
static bool
get_digits(struct text *t)
{
	size_t i;

	for (i = 0; i < t->n && t->s[i] >= '0' && t->s[i] <= '9'; i++)
		;
	if (!t->n || i < t->n)
		return false;
	while (t->n > 1 && *t->s == '0')
		t->s++, t->n--;
	return true;
}

static bool
get_id(struct text t, uint64_t *id)
{
	num n;

	if (!get_digits(&t) || num_get_num(t.s, t.n, &n) < 0 || n >= NO_PARENT)
		return false;
	*id = (uint64_t)n;
	return true;
}

/* The id that a line begins with. */
static int
take_id(struct reader *rd, struct text *rest, const char *what, uint64_t *id)
{
	struct text word = { 0 };

	if (!next_word(rest, &word) || !get_id(word, id))
		return BAD("expected the number of a %s, found %s", what, TQUOTE(word));
	return LINE_OK;
}

static void
keep_line(struct reader *rd, struct lines *l, uint64_t id, struct text rest)
{
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct line){ rest, id, rd->d->diag->line };
}

/* Valid until the next one that was not asked for before. */
static struct routine *
routine_of(struct reader *rd, uint64_t id)
{
	size_t i = table_row(&rd->routine_id, &id);

	rd->routine = mem_reach(rd->routine, &rd->caproutine, i,
	    sizeof *rd->routine, 0);
	return &rd->routine[i];
}

static struct context *
context_of(struct reader *rd, uint64_t id)
{
	size_t i = table_row(&rd->context_id, &id);

	rd->context = mem_reach(rd->context, &rd->capcontext, i,
	    sizeof *rd->context, 0);
	return &rd->context[i];
}

/* ---- the header ---- */

static int
read_fact(struct reader *rd, size_t i, struct text t)
{
	const struct aprof_fact *f = &aprof_fact[i];
	num n;

	if (rd->fact[i].s)
		return BAD("'%c' for the second time: are these several reports?",
		    f->tag);
	if (f->number && !get_digits(&t))
		return BAD("%c: expected a number, found %s", f->tag, TQUOTE(t));
	if (f->tag == 'v') {
		if (num_get_num(t.s, t.n, &n) < 0 || n > APROF_VERSION)
			return BAD("version %.*s of reports is not known; the last that "
			    "is, is %d", t.n < 20 ? (int)t.n : 20, t.s, APROF_VERSION);
		rd->version = (uint64_t)n;
	}
	rd->fact[i] = t;
	return LINE_OK;
}

static int
read_total(struct reader *rd, struct text t)
{
	if (rd->total.s)
		return BAD("'k' for the second time: are these several reports?");
	if (!get_digits(&t))
		return BAD("k: expected a number, found %s", TQUOTE(t));
	rd->total = t;
	return LINE_OK;
}

static int
read_metric(struct reader *rd, struct text t)
{
	if (rd->metric.s)
		return BAD("'m' for the second time: are these several reports?");
	if (!t.n)
		return BAD("m: expected the name of a metric");
	rd->metric = t;
	return LINE_OK;
}

static int
read_comment(struct reader *rd, struct text t)
{
	struct record r = rec_make(REC_META);
	struct text key, list;

	r.col[0].t = TEXT("comment");
	if (foreign_get(t, &key, &list)) {
		if (text_is(key, "event")) {
			if (!foreign_event(&rd->own_events, list))
				return BAD("expected an event, found %s", TQUOTE(list));
			return LINE_OK;
		}
		r.col[0].t = key;
		r.attrs = list;
		return text_is(key, "format") ? LINE_OK :
		    sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
	}
	return meta_put(rd->d->out, "comment", t) < 0 ? LINE_FATAL : LINE_OK;
}

/* ---- routines and contexts ---- */

/* r "NAME" [ADDRESS] "IMAGE" ID [SIZES]: nothing is escaped, so that a name may
 * hold quotes. */
static bool
split_quoted(struct text t, struct routine *r, struct text *id)
{
	struct text last;
	size_t i, end = 0;

	if (!last_word(&t, id))
		return false;
	while (t.n && t.s[t.n - 1] == ' ')
		t.n--;
	if (t.n && t.s[t.n - 1] != '"') {	/* two numbers, then */
		r->sizes = *id;
		if (!last_word(&t, &last))
			return false;
		*id = last;
		while (t.n && t.s[t.n - 1] == ' ')
			t.n--;
	}
	if (t.n < 5 || t.s[0] != '"' || t.s[t.n - 1] != '"')
		return false;
	for (i = t.n - 2; i > 0 && !(end = aprof_name_end(t.s, i, &r->addr)); i--)
		;
	if (!i)
		return false;
	r->name = (struct text){ t.s + 1, end - 1 };
	r->image = (struct text){ t.s + i + 1, t.n - i - 2 };
	return !r->sizes.s || get_digits(&r->sizes);
}

/* r NAME ADDRESS IMAGE ID, of version 0: names have blanks, addresses are
 * numbers. */
static bool
split_plain(struct text t, struct routine *r, struct text *id)
{
	struct text word, left = t;

	if (!last_word(&t, id))
		return false;
	left = t;
	while (last_word(&left, &word)) {
		if (!left.n || !aprof_is_address(word))
			continue;
		r->addr = word;
		r->image = (struct text){ word.s + word.n,
		    (size_t)(t.s + t.n - word.s - word.n) };
		skip_blanks(&r->image);
		while (r->image.n && r->image.s[r->image.n - 1] == ' ')
			r->image.n--;
		while (left.n && left.s[left.n - 1] == ' ')
			left.n--;
		r->name = left;
		return r->image.n != 0;
	}
	return false;
}

static int
read_routine(struct reader *rd, struct text t)
{
	struct routine r = { .line = rd->d->diag->line }, *was;
	struct text id = { 0 };
	uint64_t n;

	if (!(t.n && *t.s == '"' ? split_quoted(t, &r, &id) : split_plain(t, &r, &id)))
		return BAD("expected a routine: \"NAME\" \"IMAGE\" NUMBER, found %s",
		    TQUOTE(t));
	if (!get_id(id, &n))
		return BAD("expected the number of a routine, found %s", TQUOTE(id));
	was = routine_of(rd, n);
	if (was->line)
		return BAD("routine %" PRIu64 " is there already, in line %" PRIu64, n,
		    was->line);
	r.other = was->other;
	r.by_d = was->by_d;
	if (text_is(r.image, "NONE"))
		r.image.s = NULL;
	if (text_is(r.name, "???"))
		r.name.s = NULL;
	*was = r;
	return LINE_OK;
}

/* u ID "LINKER NAME", and of early versions d ID "DEMANGLED NAME", where r has
 * the linker's. */
static int
read_name(struct reader *rd, char tag, struct text t)
{
	struct routine *r;
	uint64_t id;
	int ret;

	if ((ret = take_id(rd, &t, "routine", &id)))
		return ret;
	skip_blanks(&t);
	while (t.n && t.s[t.n - 1] == ' ')
		t.n--;
	if (t.n < 2 || t.s[0] != '"' || t.s[t.n - 1] != '"')
		return BAD("expected a name in quotes, found %s", TQUOTE(t));
	t = (struct text){ t.s + 1, t.n - 2 };
	r = routine_of(rd, id);
	if (r->other.s)
		return BAD("routine %" PRIu64 " has a second name already", id);
	r->other = t;
	r->by_d = tag == 'd';
	return LINE_OK;
}

static int
read_context(struct reader *rd, struct text t)
{
	struct context c = { .line = rd->d->diag->line }, *was;
	struct text word = { 0 };
	uint64_t id;
	int ret;

	if ((ret = take_id(rd, &t, "routine", &c.routine)) ||
	    (ret = take_id(rd, &t, "context", &id)))
		return ret;
	if (!next_word(&t, &word) ||
	    (!text_is(word, "-1") && !get_id(word, &c.parent)))
		return BAD("expected the number of a context or -1, found %s",
		    TQUOTE(word));
	if (text_is(word, "-1"))
		c.parent = NO_PARENT;
	skip_blanks(&t);
	if (t.n)
		return BAD("expected the end of the line, found %s", TQUOTE(t));
	routine_of(rd, c.routine);
	if (c.parent != NO_PARENT)
		context_of(rd, c.parent);
	was = context_of(rd, id);
	if (was->line)
		return BAD("context %" PRIu64 " is there already, in line %" PRIu64, id,
		    was->line);
	*was = c;
	keep_line(rd, &rd->xs, id, t);
	return LINE_OK;
}

/* ---- points ---- */

static const struct aprof_layout *
layout_of(unsigned fields)
{
	size_t i;

	for (i = 0; i < APROF_LAYOUTS && aprof_layout[i].n != fields; i++)
		;
	return i < APROF_LAYOUTS ? &aprof_layout[i] : NULL;
}

/* The fields of a point into r: their layout; NULL and *bad, the field that is
 * no number, or is absent if their number is wrong. */
static const struct aprof_layout *
read_fields(struct text t, struct record *r, struct text *bad)
{
	const struct aprof_layout *l;
	struct text field[18];
	unsigned n = 0, i;

	*bad = (struct text){ 0 };
	while (n < 18 && next_word(&t, &field[n]))
		if (!get_digits(&field[n++])) {
			*bad = field[n - 1];
			return NULL;
		}
	if (!(l = layout_of(n)))
		return NULL;
	for (i = 0; i < n; i++)
		if (!l->zero || i < l->zero || i > l->zero + 1 ||
		    !text_is(field[i], "0"))
			r->col[l->col[i]].t = field[i];
	return l;
}

/*
 * What must hold of a point's statistics; one that breaks it is kept, as the
 * specification's own example does.
 */
static const char *
contradiction(const struct record *r)
{
	static const struct { unsigned char less, more; const char *says; } rule[] = {
		{ POINT_MIN, POINT_MAX, "the least cost is more than the largest" },
		{ POINT_MAX, POINT_SUM, "the largest cost is more than the sum" },
		{ POINT_REAL, POINT_SUM, "real is more than the sum" },
		{ POINT_SELF, POINT_SUM, "self cost is more than the sum" },
		{ POINT_SELFMIN, POINT_SELFMAX,
		    "the least self cost is more than the largest" },
		{ POINT_SELFMAX, POINT_SELF,
		    "the largest self cost is more than its sum" },
	};
	size_t i;
	num a, b;

	for (i = 0; i < sizeof rule / sizeof *rule; i++) {
		struct text less = r->col[rule[i].less].t, more = r->col[rule[i].more].t;

		if (less.s && more.s && num_get_num(less.s, less.n, &a) == 0 &&
		    num_get_num(more.s, more.n, &b) == 0 && a > b)
			return rule[i].says;
	}
	return NULL;
}

static int
read_point(struct reader *rd, char tag, struct text t)
{
	struct record r = rec_make(REC_POINT);
	const struct aprof_layout *l;
	const char *says;
	struct text rest, bad;
	uint64_t id;
	int ret;

	rest = t;
	if ((ret = take_id(rd, &rest, tag == 'p' ? "routine" : "context", &id)))
		return ret;
	if (!(l = read_fields(rest, &r, &bad)))
		return bad.s ? BAD("expected a number, found %s", TQUOTE(bad)) :
		    BAD("expected 3, 6, 7, 9, 11, 13, 15 or 17 numbers behind the "
		    "first one, found %s", TQUOTE(t));
	if (rd->fact[0].s && l->from > rd->version && !rd->misfits++)
		rd->misfit_line = rd->d->diag->line;
	if ((says = contradiction(&r)) && !rd->odd++) {
		rd->odd_line = rd->d->diag->line;
		rd->odd_what = says;
	}
	if (tag == 'p')
		routine_of(rd, id);
	else
		context_of(rd, id);
	/* The tag is in front of the text. */
	keep_line(rd, &rd->points, id, rest);
	rd->points.v[rd->points.n - 1].rest = (struct text){ t.s - 2,
	    (size_t)(rest.s + rest.n - t.s) + 2 };
	return LINE_OK;
}

/* ---- lines ---- */

static size_t
fact_of(char tag)
{
	size_t i;

	for (i = 0; i < APROF_FACTS && aprof_fact[i].tag != tag; i++)
		;
	return i;
}

/* g DAYS, or g ROUTINE SIZE CALLS; it is not said what they are for. */
static int
read_g(struct reader *rd, struct text t)
{
	struct text word, rest = t;
	uint64_t id;

	if (!next_word(&rest, &word) || !get_id(word, &id))
		return BAD("g: expected a number, found %s", TQUOTE(t));
	skip_blanks(&rest);
	if (!rest.n)
		return read_fact(rd, fact_of('g'), word);
	routine_of(rd, id);
	keep_line(rd, &rd->raws, id, rest);
	return LINE_OK;
}

static int
read_line(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;
	struct text t = { p, (size_t)(end - p) };
	struct text rest;

	if (t.n && t.s[t.n - 1] == '\r')
		t.n--;
	rest = t;
	skip_blanks(&rest);
	if (!rest.n)
		return LINE_OK;
	if (t.n >= 4 && memcmp(t.s, "fav ", 4) == 0) {
		keep_line(rd, &rd->raws, NO_PARENT, t);
		return LINE_OK;
	}
	if (t.n > 1 && t.s[1] != ' ')
		return BAD("expected a tag and a blank, found %s", TQUOTE(t));
	rest = (struct text){ t.s + (t.n > 1 ? 2 : 1), t.n > 1 ? t.n - 2 : 0 };
	switch (t.s[0]) {
	case 'c':
		return read_comment(rd, rest);
	case 'k':
		return read_total(rd, rest);
	case 'm':
		return read_metric(rd, rest);
	case 'r':
		return read_routine(rd, rest);
	case 'u': case 'd':
		return read_name(rd, t.s[0], rest);
	case 'x':
		return read_context(rd, rest);
	case 'p': case 'q':
		return read_point(rd, t.s[0], rest);
	case 'g':
		return read_g(rd, rest);
	}
	if (fact_of(t.s[0]) < APROF_FACTS)
		return read_fact(rd, fact_of(t.s[0]), rest);
	return BAD("'%c' is no tag of a report: %s", t.s[0], TQUOTE(t));
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	return decode_each_line(rd->d, p, end, read_line, rd);
}

/* ---- records ---- */

static int
put_part(struct reader *rd)
{
	struct record r = rec_make(REC_PART);
	char run[24];

	r.col[0].t = (struct text){ run,
	    (size_t)(num_put_u64(run, ++rd->d->runs) - run) };
	return sink_put(rd->d->out, &r) < 0 ? -1 :
	    meta_put(rd->d->out, "format", TEXT("aprof"));
}

static int
put_header(struct reader *rd)
{
	struct text metric = rd->metric.s ? rd->metric : TEXT(APROF_METRIC);
	const struct record *own = foreign_event_of(&rd->own_events, 0, metric, "");
	struct record event = own ? *own : rec_make(REC_EVENT);
	struct record total = rec_make(REC_TOTAL);
	size_t i;

	for (i = 0; i < APROF_FACTS; i++)
		if (rd->fact[i].s && meta_put(rd->d->out, aprof_fact[i].key,
		    rd->fact[i]) < 0)
			return -1;
	event.col[EVENT_ID].n = 0;
	if (!own)
		event.col[EVENT_NAME].t = metric;
	if (sink_put(rd->d->out, &event) < 0)
		return -1;
	total.col[0].t = TEXT("run");
	total.values = rd->total;
	return rd->total.s ? sink_put(rd->d->out, &total) : 0;
}

static void
add_number(struct buf *b, const char *key, uint64_t n)
{
	char tmp[24];

	attr_add(b, key, (struct text){ tmp, (size_t)(num_put_u64(tmp, n) - tmp) });
}

/* How many sizes a routine has, where its line says so: what can be counted is
 * not told again. */
static void
add_sizes(struct reader *rd, const struct routine *r)
{
	char tmp[24];
	struct text n = { tmp, (size_t)(num_put_u64(tmp, r->points) - tmp) };

	if (r->sizes.s)
		attr_add(&rd->text, "aprof.sizes", text_eq(n, r->sizes) ?
		    TEXT("counted") : r->sizes);
}

/*
 * A routine that points or contexts name and no line declares has its number
 * for a key, and aprof.tag tells from it one that is declared so.
 */
static void
name_routine(struct reader *rd, const struct routine *r, uint64_t id, uint32_t *cols)
{
	struct text name = r->by_d ? r->other : r->name;
	struct text key = r->by_d ? r->name : r->other;
	char number[48];

	if (r->by_d) {
		attr_add(&rd->text, "aprof.tag", TEXT("d"));
	} else if (r->line && !name.s && !r->image.s && aprof_is_number(key)) {
		attr_add(&rd->text, "aprof.tag", TEXT("r"));
	} else if (!r->line && !key.s) {
		snprintf(number, sizeof number, APROF_NUMBER "%" PRIu64, id);
		key = text_of(number);
	}
	rd->undeclared += !r->line;
	cols[FUNC_NAME] = dict_str(rd->d->dict, name);
	cols[FUNC_KEY] = dict_str(rd->d->dict, key);
}

static int
put_routine(struct reader *rd, struct routine *r, uint64_t id)
{
	struct dict *dict = rd->d->dict;
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	uint32_t image[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };
	bool fresh;

	if (r->image.s) {
		image[OBJECT_PATH] = dict_str(dict, r->image);
		cols[FUNC_OBJECT] = dict_define(dict, REC_OBJECT, image, &fresh);
		if (fresh) {
			struct record o = dict_record(dict, REC_OBJECT,
			    cols[FUNC_OBJECT]);

			if (sink_put(rd->d->out, &o) < 0)
				return -1;
		}
	}
	rd->text.n = 0;
	add_number(&rd->text, "aprof.id", id);
	if (r->addr.s)
		attr_add(&rd->text, "aprof.addr", r->addr);
	name_routine(rd, r, id, cols);
	add_sizes(rd, r);
	cols[FUNC_ATTRS] = dict_str(dict, buf_as_text(&rd->text));
	return dict_put(dict, rd->d->out, REC_FUNC, cols, &r->func);
}

static int
put_routines(struct reader *rd)
{
	size_t i;

	for (i = 0; i < rd->points.n; i++) {
		const struct line *l = &rd->points.v[i];

		if (*l->rest.s == 'p')
			routine_of(rd, l->id)->points++;
	}
	for (i = 0; i < rd->routine_id.n; i++)
		if (put_routine(rd, &rd->routine[i], *table_key(&rd->routine_id, i)) < 0)
			return -1;
	if (rd->undeclared) {
		rd->d->diag->line = 0;
		diag_say(rd->d->diag, DIAG_WARN, "%" PRIu64 " routine%s used and not "
		    "declared: there is no name", rd->undeclared,
		    rd->undeclared == 1 ? " is" : "s are");
	}
	return 0;
}

static int
define_context(struct reader *rd, struct context *c, const struct context *parent)
{
	uint32_t cols[DEF_COLS] = { NO_ID, NO_ID, NO_ID, NO_ID, NO_ID, NO_ID };

	rd->text.n = 0;
	add_number(&rd->text, "aprof.id", *table_key(&rd->context_id,
	    (size_t)(c - rd->context)));
	if (!parent && c->parent == 0)
		attr_add(&rd->text, "aprof.parent", TEXT("0"));
	cols[CTX_PARENT] = parent ? parent->ctx : NO_ID;
	cols[CTX_FUNC] = routine_of(rd, c->routine)->func;
	cols[CTX_ATTRS] = dict_str(rd->d->dict, buf_as_text(&rd->text));
	c->state = DONE;
	return dict_put(rd->d->dict, rd->d->out, REC_CTX, cols, &c->ctx) < 0 ?
	    LINE_FATAL : LINE_OK;
}

/* The context above: NULL of a root, which may say 0 where there is no context
 * 0. */
static int
find_parent(struct reader *rd, const struct context *c, struct context **parent)
{
	*parent = NULL;
	if (c->parent == NO_PARENT)
		return LINE_OK;
	*parent = context_of(rd, c->parent);
	if ((*parent)->line && (*parent)->state != BROKEN)
		return LINE_OK;
	if (c->parent != 0 || (*parent)->line)
		return BAD("the parent, context %" PRIu64 ", is not there", c->parent);
	*parent = NULL;
	return LINE_OK;
}

/* Those that are to be defined for c: the way up to one that is, or to a root. */
static int
climb(struct reader *rd, struct context *c, struct context **path, size_t *n)
{
	struct context *parent;
	int ret;

	for (*n = 0; c && c->state == UNSEEN; c = parent) {
		c->state = OPEN;
		path[(*n)++] = c;
		rd->d->diag->line = c->line;
		if ((ret = find_parent(rd, c, &parent)))
			return ret;
		if (parent && parent->state == OPEN)
			return BAD("context %" PRIu64 " is among its own callers",
			    *table_key(&rd->context_id,
			    (size_t)(parent - rd->context)));
	}
	return LINE_OK;
}

static int
put_context(struct reader *rd, struct context *c, struct context **path)
{
	struct context *parent;
	size_t n, i;
	int ret = climb(rd, c, path, &n);

	for (i = 0; i < n && ret; i++)
		path[i]->state = BROKEN;
	while (n-- && ret == LINE_OK)
		if ((ret = find_parent(rd, path[n], &parent)) == LINE_OK)
			ret = define_context(rd, path[n], parent);
	return ret;
}

static int
put_contexts(struct reader *rd)
{
	struct context **path = mem_alloc(rd->xs.n + 1, sizeof *path);
	size_t i;
	int ret = 0;

	for (i = 0; i < rd->xs.n && ret == 0; i++)
		if ((ret = put_context(rd, context_of(rd, rd->xs.v[i].id), path)))
			ret = decode_line_done(rd->d, ret);
	free(path);
	return ret;
}

static int
put_point(struct reader *rd, const struct line *l)
{
	struct record r = rec_make(REC_POINT);
	struct text rest = { l->rest.s + 2, l->rest.n - 2 }, word;
	const struct context *c;

	next_word(&rest, &word);
	read_fields(rest, &r, &word);
	if (*l->rest.s == 'p') {
		r.col[POINT_FUNC].n = routine_of(rd, l->id)->func;
	} else {
		c = context_of(rd, l->id);
		if (c->state != DONE)
			return BAD("context %" PRIu64 " is nowhere declared", l->id);
		r.col[POINT_CTX].n = c->ctx;
		r.col[POINT_FUNC].n = routine_of(rd, c->routine)->func;
	}
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

static int
put_points(struct reader *rd)
{
	size_t i;
	int ret;

	for (i = 0; i < rd->points.n; i++) {
		rd->d->diag->line = rd->points.v[i].number;
		if ((ret = put_point(rd, &rd->points.v[i])) &&
		    decode_line_done(rd->d, ret) < 0)
			return -1;
	}
	return 0;
}

/* What only a writer of reports understands: g of a routine, fav. */
static int
put_raws(struct reader *rd)
{
	struct record r = rec_make(REC_RAW);
	size_t i;

	for (i = 0; i < rd->raws.n; i++) {
		const struct line *l = &rd->raws.v[i];

		rd->text.n = 0;
		r.col[0].n = NO_ID;
		if (l->id != NO_PARENT) {
			r.col[0].n = routine_of(rd, l->id)->func;
			buf_puts(&rd->text, "g ");
		}
		buf_text(&rd->text, l->rest);
		r.col[1].t = buf_as_text(&rd->text);
		if (sink_put(rd->d->out, &r) < 0)
			return -1;
	}
	return 0;
}

/* A warning about the first of several lines. */
static void
warn_of(struct reader *rd, uint64_t line, uint64_t lines, const char *what)
{
	struct diag *d = rd->d->diag;

	d->line = line;
	if (lines == 1)
		diag_say(d, DIAG_WARN, "%s", what);
	else if (lines)
		diag_say(d, DIAG_WARN, "%s; and in %" PRIu64 " line%s more", what,
		    lines - 1, lines == 2 ? "" : "s");
}

static void
warn(struct reader *rd)
{
	char what[160];

	snprintf(what, sizeof what, "more numbers than version %" PRIu64 " has",
	    rd->version);
	warn_of(rd, rd->misfit_line, rd->misfits, what);
	snprintf(what, sizeof what, "the numbers contradict each other: %s",
	    rd->odd_what ? rd->odd_what : "");
	warn_of(rd, rd->odd_line, rd->odd, what);
}

static void
reader_free(struct reader *rd)
{
	foreign_events_free(&rd->own_events);
	table_free(&rd->routine_id);
	table_free(&rd->context_id);
	free(rd->routine);
	free(rd->context);
	free(rd->points.v);
	free(rd->raws.v);
	free(rd->xs.v);
	buf_free(&rd->text);
}

/* The lines; 0 or -1. */
static int
read_all(struct reader *rd)
{
	const char *p, *end;
	size_t n;

	if (in_all(rd->d->in, &p, &n) < 0)
		return -1;
	end = n ? last_byte(p, '\n', n) : NULL;
	rd->d->diag->line = 0;
	if (end && block(rd, p, end + 1) < 0)
		return -1;
	if (n && (!end || end + 1 < p + n)) {
		rd->d->diag->line++;
		return decode_cut(rd->d, "the report is cut: its last line has no end");
	}
	return 0;
}

int
aprof_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	int r;

	table_init(&rd.routine_id, 1, 0);
	table_init(&rd.context_id, 1, 0);
	r = put_part(&rd) < 0 || read_all(&rd) < 0 ? -1 : 0;
	if (r == 0) {
		warn(&rd);
		r = put_header(&rd) < 0 || put_routines(&rd) < 0 ||
		    put_contexts(&rd) < 0 || put_points(&rd) < 0 ||
		    put_raws(&rd) < 0 ? -1 : 0;
	}
	reader_free(&rd);
	return r;
}
