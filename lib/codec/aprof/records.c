/* SPDX-License-Identifier: ISC */
/*
 * The records of a report: routines and contexts, then their points.
 */
#include "reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"

/* ---- the header ---- */

static int
put_header(struct reader *rd)
{
	struct text metric = rd->metric.s ? rd->metric : TEXT(APROF_METRIC);
	const struct record *own = comment_event_of(&rd->own_events, 0, metric);
	struct record event = own ? rec_copy_of(own) : rec_make(REC_EVENT);
	struct record total = rec_make(REC_TOTAL);
	size_t i;

	for (i = 0; i < APROF_FACTS; i++)
		if (rd->fact[i].s && meta_put(rd->d->out, aprof_fact[i].key,
		    rd->fact[i]) < 0)
			return -1;
	event.col[EVENT_ID].n = 0;
	if (!own)
		event.col[EVENT_NAME].t = metric;
	if (decode_put_event(rd->d, &event) < 0)
		return -1;
	total.col[0].t = TEXT("run");
	total.values = rd->total;
	return rd->total.s ? sink_put(rd->d->out, &total) : 0;
}

/* ---- routines ---- */

static void
add_number(struct buf *b, const char *key, uint64_t n)
{
	char tmp[24];

	attr_add(b, key, num_text_u64(tmp, n));
}

/* Adds the number of sizes that a routine's line states; "counted" if it equals the number
 * of its points. */
static void
add_sizes(struct reader *rd, const struct routine *r)
{
	char tmp[24];
	struct text n = num_text_u64(tmp, r->points);

	if (r->sizes.s)
		attr_add(&rd->text, "aprof.sizes", text_eq(n, r->sizes) ?
		    TEXT("counted") : r->sizes);
}

/*
 * Names a routine.  One that points or contexts refer to, but that no line declares, has
 * its number as its key; aprof.tag distinguishes a declared one with such a key.
 */
static void
name_routine(struct reader *rd, const struct routine *r, uint64_t id,
    struct func_def *f)
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
	f->name = dict_str(rd->d->dict, name);
	f->key = dict_str(rd->d->dict, key);
}

static int
put_routine(struct reader *rd, struct routine *r, uint64_t id)
{
	struct func_def f = NO_FUNC;

	if (decode_object(rd->d, r->image, &f.object) < 0)
		return -1;
	rd->text.n = 0;
	add_number(&rd->text, "aprof.id", id);
	if (r->addr.s)
		attr_add(&rd->text, "aprof.addr", r->addr);
	name_routine(rd, r, id, &f);
	add_sizes(rd, r);
	f.attrs = dict_str(rd->d->dict, buf_as_text(&rd->text));
	return decode_func(rd->d, &f, &r->func);
}

static int
put_routines(struct reader *rd)
{
	size_t i;

	for (i = 0; i < rd->routine_id.n; i++)
		if (put_routine(rd, &rd->routine[i], *sums_key(&rd->routine_id, i)) < 0)
			return -1;
	if (rd->undeclared) {
		rd->d->at.line = 0;
		diag_say(rd->d->diag, DIAG_WARN, "%" PRIu64 " routine%s used but not "
		    "declared: no name is known", rd->undeclared,
		    rd->undeclared == 1 ? " is" : "s are");
	}
	return 0;
}

/* ---- contexts ---- */

static int
define_context(struct reader *rd, struct context *c, const struct context *parent)
{
	struct ctx_def def = NO_CTX;

	rd->text.n = 0;
	add_number(&rd->text, "aprof.id", *sums_key(&rd->context_id,
	    (size_t)(c - rd->context)));
	if (!parent && c->parent == 0)
		attr_add(&rd->text, "aprof.parent", TEXT("0"));
	def.parent = parent ? parent->ctx : NO_ID;
	def.func = ar_routine(rd, c->routine)->func;
	def.attrs = dict_str(rd->d->dict, buf_as_text(&rd->text));
	c->state = DONE;
	return decode_ctx(rd->d, &def, &c->ctx) < 0 ? LINE_FATAL : LINE_OK;
}

/* Finds the parent context; NULL for a root, which may refer to context 0 if there is
 * none. */
static int
find_parent(struct reader *rd, const struct context *c, struct context **parent)
{
	*parent = NULL;
	if (c->parent == NO_PARENT)
		return LINE_OK;
	*parent = ar_context(rd, c->parent);
	if ((*parent)->line && (*parent)->state != BROKEN)
		return LINE_OK;
	if (c->parent != 0 || (*parent)->line)
		return BAD("the parent, context %" PRIu64 ", is not declared",
		    c->parent);
	*parent = NULL;
	return LINE_OK;
}

/* Collects the contexts to define for c, up to one that is defined, or a root. */
static int
climb(struct reader *rd, struct context *c, struct context **path, size_t *n)
{
	struct context *parent;
	int ret;

	for (*n = 0; c && c->state == UNSEEN; c = parent) {
		c->state = OPEN;
		path[(*n)++] = c;
		rd->d->at.line = c->line;
		if ((ret = find_parent(rd, c, &parent)))
			return ret;
		if (parent && parent->state == OPEN)
			return BAD("context %" PRIu64 " is one of its own callers",
			    *sums_key(&rd->context_id,
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
		if ((ret = put_context(rd, ar_context(rd, rd->xs.v[i].id), path)))
			ret = decode_line_done(rd->d, ret);
	free(path);
	return ret;
}

/* ---- points ---- */

static int
put_point(struct reader *rd, const struct line *l)
{
	struct record r = rec_make(REC_POINT);
	const struct context *c;
	struct text bad;

	ar_fields(l->rest, &r, &bad);
	if (!l->in_context) {
		r.col[POINT_FUNC].n = ar_routine(rd, l->id)->func;
	} else {
		c = ar_context(rd, l->id);
		if (c->state != DONE)
			return BAD("context %" PRIu64 " is not declared", l->id);
		r.col[POINT_CTX].n = c->ctx;
		r.col[POINT_FUNC].n = ar_routine(rd, c->routine)->func;
	}
	return sink_put(rd->d->out, &r) < 0 ? LINE_FATAL : LINE_OK;
}

static int
put_points(struct reader *rd)
{
	size_t i;
	int ret;

	for (i = 0; i < rd->points.n; i++) {
		rd->d->at.line = rd->points.v[i].number;
		if ((ret = put_point(rd, &rd->points.v[i])) &&
		    decode_line_done(rd->d, ret) < 0)
			return -1;
	}
	return 0;
}

/* ---- the rest ---- */

/* Puts lines that only a writer of reports uses: g of a routine, fav. */
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
			r.col[0].n = ar_routine(rd, l->id)->func;
			buf_puts(&rd->text, "g ");
		}
		buf_text(&rd->text, l->rest);
		r.col[1].t = buf_as_text(&rd->text);
		if (sink_put(rd->d->out, &r) < 0)
			return -1;
	}
	return 0;
}

int
ar_put_all(struct reader *rd)
{
	return put_header(rd) < 0 || put_routines(rd) < 0 || put_contexts(rd) < 0 ||
	    put_points(rd) < 0 || put_raws(rd) < 0 ? -1 : 0;
}
