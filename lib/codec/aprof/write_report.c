/* SPDX-License-Identifier: ISC */
/* Writes the report from the collected records. */
#include "writer.h"

#include <stdlib.h>

#include "codec/comments.h"
#include "stream/loss.h"
#include "util/mem.h"
#include "util/num.h"

#define NO_NUMBER UINT64_MAX

static struct text
attr_of(struct writer *w, uint32_t attrs, const char *key)
{
	w->scratch.n = 0;
	return attrs == NO_ID ? (struct text){ 0 } :
	    attr_get(dict_text(w->e.dict, attrs), key, &w->scratch);
}

/* ---- numbers ---- */

static int
by_id(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 :
	    a[1] < b[1] ? -1 : a[1] > b[1];
}

void
aprof_number(struct writer *w, struct numbered *d, enum rec_kind kind, int attrs)
{
	uint64_t (*had)[2] = mem_alloc(d->n + 1, sizeof *had);
	size_t i, n = 0;
	num v;

	for (i = 0; i < d->n; i++) {
		uint32_t cols[DEF_COLS];
		struct text t;

		dict_cols(w->e.dict, kind, d->def[i], cols);
		t = attr_of(w, cols[attrs], "aprof.id");
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

/* ---- the header ---- */

static void
say(struct writer *w, const char *s)
{
	out_write(w->e.out, s, strlen(s));
}

static void
say_text(struct writer *w, struct text t)
{
	struct buf b = { 0 };

	comment_line(&b, t, w->e.loss);
	out_write(w->e.out, b.s, b.n);
	buf_free(&b);
}

void
aprof_write_header(struct writer *w)
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
			loss_add(w->e.loss, "metadata of later versions");
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

/* ---- routines ---- */

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

/* Would the name be read back from a line without quotes?  It ends at the address, which is
 * the last one in the line. */
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

/* Writes r NAME ADDRESS IMAGE, for version 0. */
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

/* Writes r "NAME" [ADDRESS] "IMAGE". */
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

/* Reports attributes from other formats, which a report cannot hold, as dropped. */
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

/* Had the function no declaration in a report?  Its key is then its number. */
static bool
is_undeclared(struct writer *w, const uint32_t *f)
{
	struct text key = dict_text(w->e.dict, f[FUNC_KEY]);

	return f[FUNC_NAME] == NO_ID && f[FUNC_OBJECT] == NO_ID &&
	    aprof_is_number(key) && attr_of(w, f[FUNC_ATTRS], "aprof.id").s &&
	    !attr_of(w, f[FUNC_ATTRS], "aprof.tag").s;
}

/* Writes the number of sizes of a routine, which a line without quotes cannot hold. */
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
		t = num_text_u64(tmp, points);
	else if (!num_is_canonical(t) || *t.s == '-')
		return;
	say(w, " ");
	say_text(w, t);
}

/* Writes r and u, or d as in the input.  Version 0 has no quotes; if it was not requested,
 * quotes are as in the input. */
static void
write_routine(struct writer *w, uint32_t func, size_t points)
{
	const uint32_t *f = dict_def(w->e.dict, REC_FUNC, func);
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

/* Writes lines by function, in the order in which they came: first[func] and next[line] are
 * lines + 1; the entry for no function comes after the last one. */
void
aprof_write_routines(struct writer *w)
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

/* ---- contexts ---- */

void
aprof_write_contexts(struct writer *w)
{
	size_t i;

	for (i = 0; i < w->ctxs.n; i++) {
		const uint32_t *c = dict_frame(w->e.dict, w->ctxs.def[i]);
		const uint32_t caller = dict_caller(w->e.dict, w->ctxs.def[i]);
		struct text root = attr_of(w, c[CTX_ATTRS], "aprof.parent");

		say(w, "x ");
		w->nameless |= c[CTX_FUNC] == NO_ID;
		add_id(w, &w->funcs, c[CTX_FUNC]);
		say(w, " ");
		add_id(w, &w->ctxs, w->ctxs.def[i]);
		say(w, " ");
		if (caller != NO_ID)
			add_id(w, &w->ctxs, caller);
		else
			say(w, text_is(root, "0") && !w->ctxs.has_zero ? "0" : "-1");
		say(w, "\n");
		if (c[CTX_FILE] != NO_ID || c[CTX_LINE] != NO_ID || c[CTX_ADDR] != NO_ID)
			loss_add(w->e.loss, "places of frames");
		lose_attrs(w, c[CTX_ATTRS], "attributes of frames");
	}
}
