/* SPDX-License-Identifier: ISC */
/*
 * Writing a report, in aprof's order: the header, each routine and its points, then
 * the contexts.
 */
#include "aprof.h"

#include <stdlib.h>

#include "codec/annotation.h"
#include "stream/loss.h"
#include "util/mem.h"
#include "util/num.h"

int aprof_asked_version = -1;

struct owned {			/* a line of a routine, without tag and id */
	uint32_t func, ctx;	/* ctx NO_ID: a p line or, if raw, a g line */
	bool raw;
	size_t at, n;		/* in writer.text */
};

/* The definitions of a kind to write, and the numbers they get. */
struct numbered {
	uint32_t *def;		/* in their order */
	size_t n, capdef;
	bool *has;		/* is a definition one of them? */
	size_t caphas;
	uint64_t *id;		/* by definition */
	size_t capid;
	uint64_t next;		/* more than all that were given */
	bool has_zero;		/* one has the number 0 */
};

struct writer {
	struct sink sink;
	struct encode e;
	bool any_point, converted;
	/* Of the report; set by the profile or by --aprof-version, which also determines
	 * the numbers of a point. */
	unsigned version;
	bool settled, stated, chosen;
	struct buf fact[APROF_FACTS], comments, metric, total;
	size_t events;
	struct numbered funcs, ctxs;
	bool own;		/* it was read from a report */
	bool nameless;		/* points of no function: definition NO_ID */
	struct owned *line;
	size_t nline, capline;
	struct buf text, tail, scratch;
};

#define NO_NUMBER UINT64_MAX

static const uint32_t *
func_of(struct writer *w, uint32_t func)
{
	return dict_def(w->e.dict, REC_FUNC, func);
}

/* ---- header ---- */

static void
put_comment(struct writer *w, struct text t)
{
	buf_puts(&w->comments, "c ");
	annotation_line(&w->comments, t, w->e.loss);
	buf_putc(&w->comments, '\n');
}

static void
put_own(struct writer *w, const struct record *r)
{
	struct buf b = { 0 };

	if (annotation_fact(&b, r, w->e.loss))
		put_comment(w, buf_as_text(&b));
	buf_free(&b);
}

/* Keeps a fact if the header has a line for it and it is the first such fact. */
static bool
keep_fact(struct writer *w, const struct record *r, struct text v)
{
	size_t i, k;

	for (i = 0; i < APROF_FACTS && !meta_is(r, aprof_fact[i].key); i++)
		;
	if (i == APROF_FACTS || w->fact[i].s || memchr(v.s, '\n', v.n) ||
	    (v.n && v.s[v.n - 1] == '\r'))
		return false;
	for (k = 0; aprof_fact[i].number && k < v.n; k++)
		if (v.s[k] < '0' || v.s[k] > '9')
			return false;
	if (aprof_fact[i].number && !v.n)
		return false;
	buf_text(&w->fact[i], v);
	buf_str(&w->fact[i]);
	return true;
}

static void
put_meta(struct writer *w, const struct record *r)
{
	struct buf scratch = { 0 };
	struct text v = meta_value(r, &scratch);
	bool one = v.s && !memchr(r->attrs.s, '\t', r->attrs.n);

	if (one && meta_is(r, "format"))
		w->converted = !(w->own = text_is(v, "aprof"));
	else if (one && meta_is(r, "comment") && annotation_is_plain(v))
		put_comment(w, v);
	else if (!one || !keep_fact(w, r, v))
		put_own(w, r);
	buf_free(&scratch);
}

/* The event of the points.  A metric is its name; anything more is an annotation. */
static void
put_event(struct writer *w, const struct record *r)
{
	if (r->col[EVENT_ID].n == NO_ID) {
		loss_add(w->e.loss, "derived events");
		return;
	}
	if (w->events++)
		return;		/* refused */
	if (!annotation_word(&w->metric, r->col[EVENT_NAME].t, "") ||
	    r->col[EVENT_UNIT].t.s || r->col[EVENT_FORMULA].t.s ||
	    r->col[EVENT_DESCRIPTION].t.s || r->attrs.s)
		put_own(w, r);
}

static void
put_total(struct writer *w, const struct record *r)
{
	struct text rest = r->values, v = TEXT("0");

	values_next(&rest, &v);
	if (!text_is(r->col[0].t, "run") || w->total.n || *v.s == '-')
		loss_record(w->e.loss, r);
	else
		buf_text(&w->total, v);
}

/* ---- the version ---- */

/* From this version on a point has all its columns, except for the sources of sizes, which
 * not every report has. */
#define WHOLE_POINT 4

/*
 * Chooses the version: the one asked for, or that of the input; an input without one is
 * version 0, whose writer did not state it.  Otherwise it is raised to what must be
 * written.
 */
static void
settle(struct writer *w)
{
	struct text v = buf_as_text(&w->fact[0]);
	num n;

	if (w->settled)
		return;
	w->settled = true;
	w->version = WHOLE_POINT;
	if (v.n && num_get_num(v.s, v.n, &n) == 0 && n <= APROF_VERSION) {
		w->version = (unsigned)n;
		w->stated = true;
	} else if (v.n) {
		loss_add(w->e.loss, "unknown report versions");
		w->own = false;
	} else if (w->own) {
		w->version = 0;
	}
	if (aprof_asked_version >= 0) {
		w->version = (unsigned)aprof_asked_version;
		w->stated = w->chosen = true;
	}
}

static void
raise_version(struct writer *w, unsigned from)
{
	if (!w->stated && !w->own && from > w->version)
		w->version = from;
}

/* A column that a layout has and a point lacks; -1 if there is none. */
static int
missing(const struct aprof_layout *l, const struct record *r)
{
	unsigned i;

	for (i = 0; i < l->n; i++)
		if (!r->col[l->col[i]].t.s && !(l->zero && i >= l->zero &&
		    i <= l->zero + 1))
			return l->col[i];
	return -1;
}

static int
lacks(struct writer *w, const struct record *r, int col)
{
	size_t i;

	for (i = APROF_LAYOUTS - 1; i > 0 && missing(&aprof_layout[i], r) >= 0; i--)
		;
	if (missing(&aprof_layout[i], r) >= 0)
		return diag_fail(w->e.diag, "aprof: a point without %s cannot be "
		    "written", r->def->col[col].name);
	return diag_fail(w->e.diag, "aprof: version %u needs %s of points, which the "
	    "profile lacks: use --aprof-version %u", w->version,
	    r->def->col[col].name, aprof_layout[i].from);
}

/* The largest layout that the point can fill: a report may have others than its
 * version's.  If a version was asked for, its own layout, which must be filled.  NULL
 * with the diag set. */
static const struct aprof_layout *
choose_layout(struct writer *w, const struct record *r)
{
	unsigned most = w->version < WHOLE_POINT ? w->version : WHOLE_POINT;
	const struct aprof_layout *usual = NULL, *best = NULL;
	size_t i;

	for (i = 0; i < APROF_LAYOUTS; i++) {
		const struct aprof_layout *l = &aprof_layout[i];

		if (l->from <= most)
			usual = l;
		if ((l->from <= w->version || !w->chosen) && missing(l, r) < 0)
			best = l;
	}
	if (!best || (w->chosen && best->from < usual->from)) {
		lacks(w, r, missing(usual, r));
		return NULL;
	}
	raise_version(w, best->from);
	return best;
}

/* Version 0 has averages as whole numbers, which its writer rounded down. */
static void
make_average(struct writer *w, struct record *r, char *tmp)
{
	struct text sum = r->col[POINT_SUM].t, occ = r->col[POINT_OCC].t;
	num s, o;

	if (r->col[POINT_AVG].t.s || !sum.s || !occ.s ||
	    num_get_num(sum.s, sum.n, &s) < 0 || num_get_num(occ.s, occ.n, &o) < 0 ||
	    o <= 0 || s < 0)
		return;
	if (s % o)
		loss_add(w->e.loss, "fractions of averages");
	r->col[POINT_AVG].t = (struct text){ tmp,
	    (size_t)(num_put_num(tmp, s / o) - tmp) };
}

static void
lose_columns(struct writer *w, const struct aprof_layout *l, const struct record *r)
{
	bool has[POINT_COLS] = { false };
	unsigned i;

	for (i = 0; i < l->n; i++)
		has[l->col[i]] = true;
	for (i = POINT_OCC; i < POINT_COLS; i++)
		if (r->col[i].t.s && !has[i]) {
			loss_add(w->e.loss, "numbers of points that its version lacks");
			return;
		}
}

/* ---- records ---- */

static void
add_def(struct numbered *d, uint64_t def)
{
	d->has = mem_reach(d->has, &d->caphas, def, sizeof *d->has, 0);
	if (d->has[def])
		return;
	d->has[def] = true;
	d->def = mem_grow(d->def, &d->capdef, d->n + 1, sizeof *d->def);
	d->def[d->n++] = (uint32_t)def;
}

static struct owned *
add_line(struct writer *w, uint64_t func)
{
	struct owned *l;

	if (func == NO_ID) {
		w->nameless = true;
		loss_add(w->e.loss, "points without a function (their routine gets a "
		    "number)");
	}
	w->line = mem_grow(w->line, &w->capline, w->nline + 1, sizeof *w->line);
	l = &w->line[w->nline++];
	*l = (struct owned){ .func = (uint32_t)func, .ctx = NO_ID, .at = w->text.n };
	return l;
}

static int
put_point(struct writer *w, const struct record *r)
{
	const struct aprof_layout *l;
	struct owned *line;
	struct record averaged;
	char tmp[NUM_TEXT];
	uint64_t func = r->col[POINT_FUNC].n, ctx = r->col[POINT_CTX].n;
	unsigned i;

	w->any_point = true;
	settle(w);
	if (!w->version && w->chosen) {
		rec_copy(&averaged, r);
		make_average(w, &averaged, tmp);
		r = &averaged;
	}
	if (!(l = choose_layout(w, r)))
		return -1;
	lose_columns(w, l, r);
	if (r->attrs.s)
		loss_add(w->e.loss, "attributes of points");
	if (ctx != NO_ID) {
		uint32_t of = dict_def(w->e.dict, REC_CTX, (uint32_t)ctx)[CTX_FUNC];

		if (func != NO_ID && func != of)
			loss_add(w->e.loss, "functions of points whose contexts name "
			    "another");
		func = of;
	}
	if (ctx != NO_ID)
		add_def(&w->ctxs, ctx);
	line = add_line(w, func);
	line->ctx = (uint32_t)ctx;
	for (i = 0; i < l->n; i++) {
		struct text t = r->col[l->col[i]].t;

		if (t.s && *t.s == '-')
			return diag_fail(w->e.diag, "aprof: %s of a point is negative: "
			    "%s", r->def->col[l->col[i]].name, diag_quote(t.s, t.n));
		buf_putc(&w->text, ' ');
		buf_text(&w->text, t.s ? t : TEXT("0"));
	}
	line->n = w->text.n - line->at;
	return 0;
}

/* fav comes last, g after its routine. */
static void
put_raw(struct writer *w, const struct record *r)
{
	struct text t = r->col[1].t;
	bool fav = t.n >= 4 && memcmp(t.s, "fav ", 4) == 0;
	bool g = t.n > 2 && memcmp(t.s, "g ", 2) == 0 && !strchr(" \r\n", t.s[2]);
	struct owned *line;

	if (w->converted || !(r->col[0].n == NO_ID ? fav : g)) {
		loss_record(w->e.loss, r);
	} else if (fav) {
		annotation_line(&w->tail, t, w->e.loss);
		buf_putc(&w->tail, '\n');
	} else {
		line = add_line(w, r->col[0].n);
		line->raw = true;
		buf_putc(&w->text, ' ');
		annotation_line(&w->text, (struct text){ t.s + 2, t.n - 2 }, w->e.loss);
		line->n = w->text.n - line->at;
	}
}

/* ---- numbers ---- */

static struct text
attr_of(struct writer *w, uint32_t attrs, const char *key)
{
	w->scratch.n = 0;
	return attrs == NO_ID ? (struct text){ 0 } :
	    attr_get(dict_text(w->e.dict, attrs), key, &w->scratch);
}

static int
by_id(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 :
	    a[1] < b[1] ? -1 : a[1] > b[1];
}

/*
 * Definitions keep their numbers; of two with the same number only the first does.  Those
 * without a number get one after all others.
 */
static void
number(struct writer *w, struct numbered *d, enum rec_kind kind, int attrs)
{
	uint64_t (*had)[2] = mem_alloc(d->n + 1, sizeof *had);
	size_t i, n = 0;
	num v;

	for (i = 0; i < d->n; i++) {
		struct text t = attr_of(w, dict_def(w->e.dict, kind, d->def[i])[attrs],
		    "aprof.id");

		d->id = mem_reach(d->id, &d->capid, d->def[i], sizeof *d->id, 0xff);
		if (t.s && num_is_canonical(t) && *t.s != '-' &&
		    num_get_num(t.s, t.n, &v) == 0 && v < NO_NUMBER - UINT32_MAX) {
			had[n][0] = (uint64_t)v;
			had[n++][1] = i;
		}
	}
	qsort(had, n, sizeof *had, by_id);
	for (i = 0; i < n; i++)
		if (i == 0 || had[i][0] != had[i - 1][0])
			d->id[d->def[had[i][1]]] = had[i][0];
	d->next = n ? had[n - 1][0] + 1 : 0;
	for (i = 0; i < d->n; i++) {
		if (d->id[d->def[i]] == NO_NUMBER)
			d->id[d->def[i]] = d->next++;
		d->has_zero |= d->id[d->def[i]] == 0;
	}
	free(had);
}

static void
add_id(struct writer *w, const struct numbered *d, uint32_t def)
{
	char tmp[24];
	uint64_t id = def == NO_ID ? d->next : d->id[def];

	out_write(w->e.out, tmp, (size_t)(num_put_u64(tmp, id) - tmp));
}

/* ---- the report ---- */

static void
say(struct writer *w, const char *s)
{
	out_write(w->e.out, s, strlen(s));
}

static void
say_text(struct writer *w, struct text t)
{
	struct buf b = { 0 };

	annotation_line(&b, t, w->e.loss);
	out_write(w->e.out, b.s, b.n);
	buf_free(&b);
}

static void
write_header(struct writer *w)
{
	char version[24];
	size_t i;

	out_write(w->e.out, w->comments.s, w->comments.n);
	for (i = 0; i < APROF_FACTS; i++) {
		const struct aprof_fact *f = &aprof_fact[i];
		char key[3] = { f->tag, ' ', '\0' };

		if (i == 0) {
			if (w->stated || !w->own) {
				say(w, "v ");
				out_write(w->e.out, version, (size_t)(num_put_u64(
				    version, w->version) - version));
				say(w, "\n");
			}
			if (w->total.n) {
				say(w, "k ");
				out_write(w->e.out, w->total.s, w->total.n);
				say(w, "\n");
			}
			continue;
		}
		if (w->fact[i].s && w->chosen && f->from > w->version) {
			loss_add(w->e.loss, "facts of later versions");
		} else if (w->fact[i].s) {
			say(w, key);
			out_write(w->e.out, w->fact[i].s, w->fact[i].n);
			say(w, "\n");
		}
		/* The metric comes after e. */
		if (f->tag == 'e' && w->metric.n &&
		    !text_is(buf_as_text(&w->metric), APROF_METRIC)) {
			say(w, "m ");
			out_write(w->e.out, w->metric.s, w->metric.n);
			say(w, "\n");
		}
	}
}

/* Writes a path in quotes, changed if it would end the name before it. */
static void
write_image(struct writer *w, struct text t)
{
	struct buf b = { 0 };
	struct text addr;
	size_t i;

	buf_puts(&b, "\"\" \"");	/* as after an empty name */
	buf_text(&b, t);
	for (i = 4; i < b.n; i++)
		if (aprof_name_end(b.s, i, &addr)) {
			b.s[i] = '\'';
			loss_add(w->e.loss, "quotes in paths of objects (written as "
			    "')");
		}
	say_text(w, (struct text){ b.s + 3, b.n - 3 });
	say(w, "\"");
	buf_free(&b);
}

/* Would it be read back from a line without quotes?  The name ends at the address, the
 * last one in the line. */
static bool
is_plain_name(struct text t)
{
	return t.n && *t.s != '"' && t.s[t.n - 1] != ' ';
}

static bool
is_plain_image(struct text t)
{
	size_t i, n;

	if (!t.n || *t.s == ' ' || t.s[t.n - 1] == ' ')
		return false;
	for (i = 0; i < t.n; i += n + 1) {
		const char *blank = memchr(t.s + i, ' ', t.n - i);

		n = blank ? (size_t)(blank - t.s) - i : t.n - i;
		if (aprof_is_address((struct text){ t.s + i, n }))
			return false;
	}
	return true;
}

/* r NAME ADDRESS IMAGE, of version 0. */
static void
write_plain(struct writer *w, struct text name, struct text addr, struct text image)
{
	if (!is_plain_name(name)) {
		name = TEXT("???");
		loss_add(w->e.loss, "names of routines (written as \?\?\?)");
	}
	if (!is_plain_image(image)) {
		image = TEXT("NONE");
		loss_add(w->e.loss, "objects of routines (written as NONE)");
	}
	if (!addr.s)
		loss_add(w->e.loss, "addresses of routines (written as 0)");
	say(w, "r ");
	say_text(w, name);
	say(w, " ");
	say_text(w, addr.s ? addr : TEXT("0"));
	say(w, " ");
	say_text(w, image);
	say(w, " ");
}

/* r "NAME" [ADDRESS] "IMAGE". */
static void
write_quoted(struct writer *w, struct text name, struct text addr, struct text image)
{
	say(w, "r \"");
	say_text(w, name);
	say(w, "\" ");
	if (addr.s && w->chosen && w->version > 1) {
		loss_add(w->e.loss, "addresses of routines");
	} else if (addr.s) {
		say_text(w, addr);
		say(w, " ");
	}
	write_image(w, image);
	say(w, " ");
}

/* Counts attributes from other formats, which a report cannot hold, as lost. */
static void
lose_attrs(struct writer *w, uint32_t attrs, const char *what)
{
	struct text rest = attrs == NO_ID ? (struct text){ 0 } :
	    dict_text(w->e.dict, attrs), k, v;

	w->scratch.n = 0;
	while (attr_next(&rest, &w->scratch, &k, &v))
		if (k.n < 6 || memcmp(k.s, "aprof.", 6) != 0)
			loss_add(w->e.loss, what);
}

static void
lose_func(struct writer *w, const uint32_t *f)
{
	const uint32_t *o = dict_def(w->e.dict, REC_OBJECT, f[FUNC_OBJECT]);

	if (f[FUNC_FILE] != NO_ID)
		loss_add(w->e.loss, "files of functions");
	if (o[OBJECT_KEY] != NO_ID || o[OBJECT_ATTRS] != NO_ID)
		loss_add(w->e.loss, "keys and attributes of objects");
	lose_attrs(w, f[FUNC_ATTRS], "attributes of functions");
}

/* Was it not declared by any line?  Then its key is its number. */
static bool
is_undeclared(struct writer *w, const uint32_t *f)
{
	struct text key = dict_text(w->e.dict, f[FUNC_KEY]);

	return f[FUNC_NAME] == NO_ID && f[FUNC_OBJECT] == NO_ID &&
	    aprof_is_number(key) && attr_of(w, f[FUNC_ATTRS], "aprof.id").s &&
	    !attr_of(w, f[FUNC_ATTRS], "aprof.tag").s;
}

/* The number of sizes of a routine, which a line without quotes cannot hold. */
static void
write_sizes(struct writer *w, const uint32_t *f, size_t points, bool plain)
{
	struct text t = attr_of(w, f[FUNC_ATTRS], "aprof.sizes");
	char tmp[24];

	if (!t.s)
		return;
	if (plain) {
		loss_add(w->e.loss, "numbers of sizes");
		return;
	}
	if (text_is(t, "counted"))
		t = (struct text){ tmp, (size_t)(num_put_u64(tmp, points) - tmp) };
	else if (!num_is_canonical(t) || *t.s == '-')
		return;
	say(w, " ");
	say_text(w, t);
}

/* Writes r and u, or d as in the input.  Version 0 has no quotes; if it was not asked
 * for, quotes are as in the input. */
static void
write_routine(struct writer *w, uint32_t func, size_t points)
{
	const uint32_t *f = func_of(w, func);
	struct text name = dict_text(w->e.dict, f[FUNC_NAME]);
	struct text key = dict_text(w->e.dict, f[FUNC_KEY]), addr, image;
	bool by_d = text_is(attr_of(w, f[FUNC_ATTRS], "aprof.tag"), "d");
	struct text first = by_d ? key : name, other = by_d ? name : key;
	bool plain;

	lose_func(w, f);
	if (is_undeclared(w, f))
		return;
	image = dict_object_path(w->e.dict, f[FUNC_OBJECT]);
	if (!image.s)
		image = TEXT("NONE");
	if (!first.s)
		first = TEXT("???");
	addr = attr_of(w, f[FUNC_ATTRS], "aprof.addr");
	if (addr.s && !aprof_is_address(addr))
		addr.s = NULL;
	plain = w->version == 0 && (w->chosen || addr.s);
	(plain ? write_plain : write_quoted)(w, first, addr, image);
	add_id(w, &w->funcs, func);
	write_sizes(w, f, points, plain);
	say(w, "\n");
	if (!other.s)
		return;
	say(w, by_d ? "d " : "u ");
	add_id(w, &w->funcs, func);
	say(w, " \"");
	say_text(w, other);
	say(w, "\"\n");
}

static void
write_line(struct writer *w, const struct owned *l)
{
	say(w, l->raw ? "g " : l->ctx == NO_ID ? "p " : "q ");
	if (l->ctx == NO_ID)
		add_id(w, &w->funcs, l->func);
	else
		add_id(w, &w->ctxs, l->ctx);
	out_write(w->e.out, w->text.s + l->at, l->n);
	say(w, "\n");
}

/* Writes lines grouped by function, in the order in which they came: first[func] and
 * next[line] are lines + 1; the entry for no function comes after the last one. */
static void
write_routines(struct writer *w)
{
	size_t funcs = dict_count(w->e.dict, REC_FUNC), i, k, points;
	size_t *first = mem_alloc(funcs + 1, sizeof *first);
	size_t *next = mem_alloc(w->nline + 1, sizeof *next);

	for (i = w->nline; i-- > 0; ) {
		uint32_t f = w->line[i].func;

		next[i] = first[f == NO_ID ? funcs : f];
		first[f == NO_ID ? funcs : f] = i + 1;
	}
	for (i = 0; i < w->funcs.n + w->nameless; i++) {
		uint32_t f = i < w->funcs.n ? w->funcs.def[i] : NO_ID;
		size_t from = first[f == NO_ID ? funcs : f];

		for (k = from, points = 0; k; k = next[k - 1])
			points += !w->line[k - 1].raw && w->line[k - 1].ctx == NO_ID;
		if (f != NO_ID)
			write_routine(w, f, points);
		for (k = from; k; k = next[k - 1])
			write_line(w, &w->line[k - 1]);
	}
	free(first);
	free(next);
}

static void
write_contexts(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->ctxs.n; i++) {
		const uint32_t *c = dict_def(w->e.dict, REC_CTX, w->ctxs.def[i]);
		struct text root = attr_of(w, c[CTX_ATTRS], "aprof.parent");

		say(w, "x ");
		w->nameless |= c[CTX_FUNC] == NO_ID;
		add_id(w, &w->funcs, c[CTX_FUNC]);
		say(w, " ");
		add_id(w, &w->ctxs, w->ctxs.def[i]);
		say(w, " ");
		if (c[CTX_PARENT] != NO_ID)
			add_id(w, &w->ctxs, c[CTX_PARENT]);
		else
			say(w, text_is(root, "0") && !w->ctxs.has_zero ? "0" : "-1");
		say(w, "\n");
		if (c[CTX_FILE] != NO_ID || c[CTX_LINE] != NO_ID || c[CTX_ADDR] != NO_ID)
			loss_add(w->e.loss, "places of frames");
		lose_attrs(w, c[CTX_ATTRS], "attributes of frames");
	}
}

static int
finish(struct writer *w)
{
	size_t i;

	if (!w->any_point && w->events > 1)
		return diag_fail_plain(w->e.diag, "%s needs points (cost against input size), "
		    "but the profile has none", w->e.format);
	settle(w);
	for (i = 0; i < APROF_FACTS; i++)
		if (w->fact[i].s)
			raise_version(w, aprof_fact[i].from);
	number(w, &w->funcs, REC_FUNC, FUNC_ATTRS);
	number(w, &w->ctxs, REC_CTX, CTX_ATTRS);
	write_header(w);
	write_routines(w);
	write_contexts(w);
	out_write(w->e.out, w->tail.s, w->tail.n);
	return 0;
}

static int
put_record(struct writer *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_POINT:
		return put_point(w, r);
	case REC_META:
		put_meta(w, r);
		return 0;
	case REC_EVENT:
		put_event(w, r);
		return 0;
	case REC_TOTAL:
		put_total(w, r);
		return 0;
	case REC_FUNC:
		add_def(&w->funcs, r->col[0].n);
		return 0;
	case REC_CTX:
		add_def(&w->ctxs, r->col[0].n);
		return 0;
	case REC_RAW:
		put_raw(w, r);
		return 0;
	case REC_END:
		return finish(w);
	default:
		return 0;
	}
}

static int
aprof_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (put_record(w, r) < 0)
		return -1;
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static void
aprof_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;
	struct buf *bufs[] = { &w->comments, &w->metric, &w->total, &w->text, &w->tail,
	    &w->scratch };
	size_t i;

	for (i = 0; i < sizeof bufs / sizeof *bufs; i++)
		buf_free(bufs[i]);
	for (i = 0; i < APROF_FACTS; i++)
		buf_free(&w->fact[i]);
	free(w->funcs.def);
	free(w->funcs.has);
	free(w->funcs.id);
	free(w->ctxs.def);
	free(w->ctxs.has);
	free(w->ctxs.id);
	free(w->line);
	free(w);
}

struct sink *
aprof_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = aprof_put, .free = aprof_free };
	w->e = *e;
	return &w->sink;
}
