/* SPDX-License-Identifier: ISC */
/*
 * Reading a report line by line into a struct reader.
 */
#include "line_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"

/* ---- words ---- */

/* Takes the id at the beginning of a line. */
static int
take_id(struct reader *rd, struct text *rest, const char *what, uint64_t *id)
{
	struct text word = { 0 };

	if (!ar_next_word(rest, &word) || !ar_get_id(word, id))
		return BAD("expected a %s number, found %s", what, QUOTE(word));
	return LINE_OK;
}

static struct line *
keep_line(struct reader *rd, struct lines *l, uint64_t id, struct text rest)
{
	l->v = mem_grow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n] = (struct line){ rest, id, rd->d->at.line, 0 };
	return &l->v[l->n++];
}

/* ---- the header ---- */

enum fact_type { FACT_TEXT, FACT_NUMBER };

/* Checks that a line occurs once, and has a number if it must. */
static int
check_once(struct reader *rd, char tag, enum fact_type type, struct text was,
    struct text *t)
{
	if (was.s)
		return BAD("a second '%c' line: are there several reports in the "
		    "file?", tag);
	if (type == FACT_NUMBER && !ar_get_digits(t))
		return BAD("%c: expected a number, found %s", tag, QUOTE(*t));
	return LINE_OK;
}

static int
read_version(struct reader *rd, struct text t)
{
	num n;

	if (num_get_num(t.s, t.n, &n) < 0 || n > APROF_VERSION)
		return BAD("report version %.*s is not supported; the latest supported "
		    "is %d", t.n < 20 ? (int)t.n : 20, t.s, APROF_VERSION);
	rd->version = (uint64_t)n;
	return LINE_OK;
}

static int
read_fact(struct reader *rd, size_t i, struct text t)
{
	const struct aprof_fact *f = &aprof_fact[i];
	int ret;

	if ((ret = check_once(rd, f->tag, f->number ? FACT_NUMBER : FACT_TEXT,
	    rd->fact[i], &t)) ||
	    (f->tag == 'v' && (ret = read_version(rd, t))))
		return ret;
	rd->fact[i] = t;
	return LINE_OK;
}

static int
read_total(struct reader *rd, struct text t)
{
	int ret = check_once(rd, 'k', FACT_NUMBER, rd->total, &t);

	if (!ret)
		rd->total = t;
	return ret;
}

static int
read_metric(struct reader *rd, struct text t)
{
	int ret = check_once(rd, 'm', FACT_TEXT, rd->metric, &t);

	if (!ret && !t.n)
		return BAD("m: expected a metric name");
	if (!ret)
		rd->metric = t;
	return ret;
}

static int
read_comment(struct reader *rd, struct text t)
{
	struct record r = rec_make(REC_META);
	struct text key, list;

	r.col[0].t = TEXT("comment");
	if (comment_get(t, &key, &list)) {
		if (text_is(key, "event")) {
			if (!comment_event(&rd->own_events, list, ""))
				return BAD("expected an event, found %s", QUOTE(list));
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

/* r "NAME" [ADDRESS] "IMAGE" ID [SIZES]: nothing is escaped, so a name may contain
 * quotes. */
static bool
split_quoted(struct text t, struct routine *r, struct text *id)
{
	struct text last;
	size_t i, end = 0;

	if (!ar_last_word(&t, id))
		return false;
	ar_drop_blanks(&t);
	if (t.n && t.s[t.n - 1] != '"') {	/* two numbers, then */
		r->sizes = *id;
		if (!ar_last_word(&t, &last))
			return false;
		*id = last;
		ar_drop_blanks(&t);
	}
	if (t.n < 5 || t.s[0] != '"' || t.s[t.n - 1] != '"')
		return false;
	for (i = t.n - 2; i > 0 && !(end = aprof_name_end(t.s, i, &r->addr)); i--)
		;
	if (!i)
		return false;
	r->name = (struct text){ t.s + 1, end - 1 };
	r->image = (struct text){ t.s + i + 1, t.n - i - 2 };
	return !r->sizes.s || ar_get_digits(&r->sizes);
}

/* r NAME ADDRESS IMAGE ID, in version 0: names may contain blanks; addresses are
 * numbers. */
static bool
split_plain(struct text t, struct routine *r, struct text *id)
{
	struct text word, left = t;

	if (!ar_last_word(&t, id))
		return false;
	left = t;
	while (ar_last_word(&left, &word)) {
		if (!left.n || !aprof_is_address(word))
			continue;
		r->addr = word;
		r->image = (struct text){ word.s + word.n,
		    (size_t)(t.s + t.n - word.s - word.n) };
		ar_skip_blanks(&r->image);
		ar_drop_blanks(&r->image);
		ar_drop_blanks(&left);
		r->name = left;
		return r->image.n != 0;
	}
	return false;
}

static int
read_routine(struct reader *rd, struct text t)
{
	struct routine r = { .line = rd->d->at.line }, *was;
	struct text id = { 0 };
	uint64_t n;

	if (!(t.n && *t.s == '"' ? split_quoted(t, &r, &id) : split_plain(t, &r, &id)))
		return BAD("expected a routine: \"NAME\" \"IMAGE\" NUMBER, found %s",
		    QUOTE(t));
	if (!ar_get_id(id, &n))
		return BAD("expected a routine number, found %s", QUOTE(id));
	was = ar_routine(rd, n);
	if (was->line)
		return BAD("routine %" PRIu64 " is already declared in line %" PRIu64, n,
		    was->line);
	r.other = was->other;
	r.by_d = was->by_d;
	r.points = was->points;
	if (text_is(r.image, "NONE"))
		r.image.s = NULL;
	if (text_is(r.name, "???"))
		r.name.s = NULL;
	*was = r;
	return LINE_OK;
}

/* Reads u ID "LINKER NAME" and, in early versions, whose r has the linker's name, d ID
 * "DEMANGLED NAME". */
static int
read_name(struct reader *rd, char tag, struct text t)
{
	struct routine *r;
	uint64_t id;
	int ret;

	if ((ret = take_id(rd, &t, "routine", &id)))
		return ret;
	ar_skip_blanks(&t);
	ar_drop_blanks(&t);
	if (t.n < 2 || t.s[0] != '"' || t.s[t.n - 1] != '"')
		return BAD("expected a quoted name, found %s", QUOTE(t));
	t = (struct text){ t.s + 1, t.n - 2 };
	r = ar_routine(rd, id);
	if (r->other.s)
		return BAD("routine %" PRIu64 " already has a second name", id);
	r->other = t;
	r->by_d = tag == 'd';
	return LINE_OK;
}

static int
read_context(struct reader *rd, struct text t)
{
	struct context c = { .line = rd->d->at.line }, *was;
	struct text word = { 0 };
	uint64_t id;
	int ret;

	if ((ret = take_id(rd, &t, "routine", &c.routine)) ||
	    (ret = take_id(rd, &t, "context", &id)))
		return ret;
	if (!ar_next_word(&t, &word) ||
	    (!text_is(word, "-1") && !ar_get_id(word, &c.parent)))
		return BAD("expected a context number or -1, found %s", QUOTE(word));
	if (text_is(word, "-1"))
		c.parent = NO_PARENT;
	ar_skip_blanks(&t);
	if (t.n)
		return BAD("expected the end of the line, found %s", QUOTE(t));
	ar_routine(rd, c.routine);
	if (c.parent != NO_PARENT)
		ar_context(rd, c.parent);
	was = ar_context(rd, id);
	if (was->line)
		return BAD("context %" PRIu64 " is already declared in line %" PRIu64, id,
		    was->line);
	*was = c;
	keep_line(rd, &rd->xs, id, t);
	return LINE_OK;
}

/* ---- points ---- */

/*
 * Returns the contradiction in a point's statistics, or NULL.  The point is kept, since the
 * specification's own example has one.
 */
static const char *
contradiction(const struct record *r)
{
	static const struct { unsigned char less, more; const char *text; } rule[] = {
		{ POINT_MIN, POINT_MAX, "the smallest cost exceeds the largest" },
		{ POINT_MAX, POINT_SUM, "the largest cost exceeds the sum" },
		{ POINT_REAL, POINT_SUM, "real exceeds the sum" },
		{ POINT_SELF, POINT_SUM, "self cost exceeds the sum" },
		{ POINT_SELFMIN, POINT_SELFMAX,
		    "the smallest self cost exceeds the largest" },
		{ POINT_SELFMAX, POINT_SELF,
		    "the largest self cost exceeds its sum" },
	};
	size_t i;
	num a, b;

	for (i = 0; i < sizeof rule / sizeof *rule; i++) {
		struct text less = r->col[rule[i].less].t, more = r->col[rule[i].more].t;

		if (less.s && more.s && num_get_num(less.s, less.n, &a) == 0 &&
		    num_get_num(more.s, more.n, &b) == 0 && a > b)
			return rule[i].text;
	}
	return NULL;
}

static int
read_point(struct reader *rd, bool in_context, struct text t)
{
	struct record r = rec_make(REC_POINT);
	const struct aprof_layout *l;
	const char *text;
	struct text rest = t, bad;
	uint64_t id;
	int ret;

	if ((ret = take_id(rd, &rest, in_context ? "context" : "routine", &id)))
		return ret;
	if (!(l = ar_fields(rest, &r, &bad)))
		return bad.s ? BAD("expected a number, found %s", QUOTE(bad)) :
		    BAD("expected 3, 6, 7, 9, 11, 13, 15 or 17 numbers after the first "
		    "one, found %s", QUOTE(t));
	if (rd->fact[0].s && l->from > rd->version && !rd->misfits++)
		rd->misfit_line = rd->d->at.line;
	if ((text = contradiction(&r)) && !rd->odd++) {
		rd->odd_line = rd->d->at.line;
		rd->odd_what = text;
	}
	if (in_context)
		ar_context(rd, id);
	else
		ar_routine(rd, id)->points++;
	keep_line(rd, &rd->points, id, rest)->in_context = in_context;
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

/* Reads g DAYS, or g ROUTINE SIZE CALLS, whose purpose is not documented. */
static int
read_g(struct reader *rd, struct text t)
{
	struct text word, rest = t;
	uint64_t id;

	if (!ar_next_word(&rest, &word) || !ar_get_id(word, &id))
		return BAD("g: expected a number, found %s", QUOTE(t));
	ar_skip_blanks(&rest);
	if (!rest.n)
		return read_fact(rd, fact_of('g'), word);
	ar_routine(rd, id);
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
	ar_skip_blanks(&rest);
	if (!rest.n)
		return LINE_OK;
	if (t.n >= 4 && memcmp(t.s, "fav ", 4) == 0) {
		keep_line(rd, &rd->raws, NO_PARENT, t);
		return LINE_OK;
	}
	if (t.n > 1 && t.s[1] != ' ')
		return BAD("expected a tag and a blank, found %s", QUOTE(t));
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
		return read_point(rd, t.s[0] == 'q', rest);
	case 'g':
		return read_g(rd, rest);
	}
	if (fact_of(t.s[0]) < APROF_FACTS)
		return read_fact(rd, fact_of(t.s[0]), rest);
	return BAD("unknown tag '%c': %s", t.s[0], QUOTE(t));
}

static int
block(void *arg, const char *p, const char *end)
{
	struct reader *rd = arg;

	return decode_each_line(rd->d, p, end, read_line, rd);
}

/* Warns of the first of several lines. */
static void
warn_of(struct reader *rd, uint64_t line, uint64_t lines, const char *what)
{
	struct diag *d = rd->d->diag;

	rd->d->at.line = line;
	if (lines == 1)
		diag_say(d, DIAG_WARN, "%s", what);
	else if (lines)
		diag_say(d, DIAG_WARN, "%s; also in %" PRIu64 " more line%s", what,
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
	comment_events_free(&rd->own_events);
	sums_free(&rd->routine_id);
	sums_free(&rd->context_id);
	free(rd->routine);
	free(rd->context);
	free(rd->points.v);
	free(rd->raws.v);
	free(rd->xs.v);
	buf_free(&rd->text);
}

/* Reads all lines; 0 or -1. */
static int
read_all(struct reader *rd)
{
	struct decode *d = rd->d;
	const char *p, *last;
	size_t n;
	int given;

	if (in_all(d->in, &p, &n) < 0)
		return -1;
	last = last_byte(p, '\n', n);
	last = last ? last + 1 : p;
	d->at.line = 0;
	if (block(rd, p, last) < 0)
		return -1;
	if (last == p + n)
		return 0;
	if ((given = decode_last_line(d, "report", LAST_MAY_END)) <= 0)
		return given;
	in_end_line(d->in);
	return block(rd, last, p + n + 1) < 0 ? -1 :
	    decode_unended(d, "report", END_UNPROVED);
}

int
aprof_decode(struct decode *d)
{
	struct reader rd = { .d = d };
	int r;

	sums_init(&rd.routine_id, 1, 0);
	sums_init(&rd.context_id, 1, 0);
	if ((r = decode_part(d, "aprof", (struct text){ 0 })) == 0 &&
	    (r = read_all(&rd)) == 0) {
		warn(&rd);
		r = ar_put_all(&rd);
	}
	reader_free(&rd);
	return r;
}
