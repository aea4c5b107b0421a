/* SPDX-License-Identifier: ISC */
/* Collects records, and writes the report at the end. */
#include "writer.h"

#include <stdlib.h>

#include "codec/comments.h"
#include "stream/loss.h"
#include "util/mem.h"
#include "util/num.h"

/* ---- header ---- */

static void
put_comment(struct writer *w, struct text t)
{
	buf_puts(&w->comments, "c ");
	comment_line(&w->comments, t, w->e.loss);
	buf_putc(&w->comments, '\n');
}

static void
put_own(struct writer *w, const struct record *r)
{
	struct buf b = { 0 };

	if (comment_fact(&b, r, w->e.loss))
		put_comment(w, buf_as_text(&b));
	buf_free(&b);
}

/* Keeps metadata if the header has a line for it and it is the first such record. */
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

static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	struct buf scratch = { 0 };
	struct text v = meta_only(r, &scratch);

	(void)p;
	if (v.s && meta_is(r, "format"))
		w->converted = !(w->own = text_is(v, "aprof"));
	else if (v.s && meta_is(r, "comment") && comment_is_plain(v))
		put_comment(w, v);
	else if (!v.s || !keep_fact(w, r, v))
		put_own(w, r);
	buf_free(&scratch);
	return 0;
}

/* Puts the event of the points.  Its name is the metric; its other columns go into a
 * comment. */
static int
put_event(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (r->col[EVENT_ID].n == NO_ID)
		loss_add(w->e.loss, "derived events");
	if (r->col[EVENT_ID].n)
		return 0;	/* a second event is rejected */
	if (!comment_word(&w->metric, r->col[EVENT_NAME].t, "") ||
	    r->col[EVENT_UNIT].t.s || r->col[EVENT_FORMULA].t.s ||
	    r->col[EVENT_DESCRIPTION].t.s || r->attrs.s)
		put_own(w, r);
	return 0;
}

static int
put_total(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	struct text rest = r->values, v = TEXT("0");

	values_next(&rest, &v);
	if (!text_is(r->col[0].t, "run") || w->total.n || *v.s == '-')
		loss_record(w->e.loss, r);
	else
		buf_text(&w->total, v);
	return 0;
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
	aprof_settle(w);
	if (!w->version && w->chosen) {
		rec_copy(&averaged, r);
		aprof_make_average(w, &averaged, tmp);
		r = &averaged;
	}
	if (!(l = aprof_choose_layout(w, r)))
		return -1;
	aprof_lose_columns(w, l, r);
	if (r->attrs.s)
		loss_add(w->e.loss, "attributes of points");
	if (ctx != NO_ID) {
		uint32_t of = dict_frame(w->e.dict, (uint32_t)ctx)[CTX_FUNC];

		if (func != NO_ID && func != of)
			loss_add(w->e.loss, "functions of points whose contexts name "
			    "another");
		func = of;
		add_def(&w->ctxs, ctx);
	}
	line = add_line(w, func);
	line->ctx = (uint32_t)ctx;
	for (i = 0; i < l->n; i++) {
		struct text t = r->col[l->col[i]].t;

		if (t.s && *t.s == '-')
			return diag_fail(w->e.diag, "%s: %s of a point is negative: %s",
			    w->e.format, r->def->col[l->col[i]].name, QUOTE(t));
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
		comment_line(&w->tail, t, w->e.loss);
		buf_putc(&w->tail, '\n');
	} else {
		line = add_line(w, r->col[0].n);
		line->raw = true;
		buf_putc(&w->text, ' ');
		comment_line(&w->text, (struct text){ t.s + 2, t.n - 2 }, w->e.loss);
		line->n = w->text.n - line->at;
	}
}

/* ---- the whole ---- */

static int
finish(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	size_t i;

	if (!w->any_point && s->part.events.measured > 1)
		return diag_fail_plain(w->e.diag, "%s needs points (cost against input size), "
		    "but the profile has none", w->e.format);
	aprof_settle(w);
	for (i = 0; i < APROF_FACTS; i++)
		if (w->fact[i].s)
			aprof_raise_version(w, aprof_fact[i].from);
	aprof_number(w, &w->funcs, REC_FUNC, FUNC_ATTRS);
	aprof_number(w, &w->ctxs, REC_CTX, CTX_ATTRS);
	aprof_write_header(w);
	aprof_write_routines(w);
	aprof_write_contexts(w);
	out_write(w->e.out, w->tail.s, w->tail.n);
	return 0;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (rec_kind(r) == REC_RAW)
		put_raw(w, r);
	return rec_kind(r) == REC_POINT ? put_point(w, r) : 0;
}

static int
put_definition(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (rec_kind(r) == REC_FUNC)
		add_def(&w->funcs, r->col[0].n);
	else if (rec_kind(r) == REC_CTX)
		add_def(&w->ctxs, r->col[0].n);
	return 0;
}

static void
free_writer(struct part_sink *s)
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
}

static const struct part_methods methods = {
	.meta = put_meta, .event = put_event, .total = put_total, .put = put_record,
	.define = put_definition, .finish = finish, .free = free_writer,
};

struct sink *
aprof_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->e = *e;
	return &w->parts.sink;
}
