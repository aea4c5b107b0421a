/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <stdlib.h>

#include "util/mem.h"

struct writer {
	struct part_sink parts;
	struct encode e;
	const struct svg_options *options;
	struct heading_maker head;
	struct measure measure;
	struct stacks stacks;
	bool counted;		/* the part's costs have begun, as it had a sample */
	uint64_t without;	/* number of parts with samples, but without the event */
};

/* ---- parts ---- */

static int
begin_part(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;

	if (p->number > 1)
		loss_add(w->e.loss, "which part a stack belongs to");
	stacks_part(&w->stacks, p);
	w->counted = false;
	return 0;
}

static int
put_meta(struct part_sink *s, const struct part *p, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	const bool shown = meta_is(r, "cmd") || meta_is(r, "filter") ||
	    meta_is(r, "estimate") || meta_is(r, "lost");

	(void)p;
	if (!meta_is(r, "diff") && !meta_is(r, "format") && (!shown || meta_has_several(r)))
		loss_record(w->e.loss, r);
	return 0;
}

/* Begins the costs of the default event; in a difference it has two sides. */
static int
begin_costs(struct writer *w)
{
	const struct events *e = &w->parts.part.events;
	size_t used;			/* columns; a change also has its sides */

	w->counted = true;
	if (measure_begin(&w->measure, e, *w->e.event) < 0)
		return -1;
	if (!w->measure.available) {
		loss_add(w->e.loss, "parts without the event");
		w->without++;
		return 0;
	}
	stacks_widen(&w->stacks, w->measure.sides);
	used = w->measure.n + (w->measure.sides > 1 ? w->measure.n / SIDES : 0);
	loss_many(w->e.loss, "further events", e->measured - used);
	return 0;
}

static int
put_record(struct part_sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;
	uint32_t node;

	if (rec_kind(r) != REC_SAMPLE)
		return 0;
	if (!w->counted && begin_costs(w) < 0)
		return -1;
	node = stacks_node(&w->stacks, r);
	if (w->measure.available && measure_self(&w->measure, r->values,
	    stacks_self(&w->stacks, node)) < 0)
		return -1;
	if (r->attrs.s)
		loss_add(w->e.loss, "labels of samples");
	return 0;
}

static int
end_part(struct part_sink *s, const struct part *p)
{
	struct writer *w = (struct writer *)s;

	heading_add_part(&w->head, p);
	/* A part without samples still counts in the total. */
	if (!w->counted && p->events.measured) {
		if (measure_begin(&w->measure, &p->events, *w->e.event) < 0)
			return -1;
		if (w->measure.available)
			stacks_widen(&w->stacks, w->measure.sides);
	}
	return measure_end(&w->measure, &p->total);
}

/* Frames are functions: reports other columns as dropped. */
static void
lose_frame(void *arg, const uint32_t *ctx)
{
	struct writer *w = arg;
	const uint32_t *f = dict_def(w->e.dict, REC_FUNC, ctx[CTX_FUNC]);

	if (ctx[CTX_FILE] != NO_ID || ctx[CTX_LINE] != NO_ID || ctx[CTX_ADDR] != NO_ID)
		loss_add(w->e.loss, "places of frames");
	if (ctx[CTX_ATTRS] != NO_ID)
		loss_add(w->e.loss, "attributes of frames");
	if (f[FUNC_FILE] != NO_ID || f[FUNC_KEY] != NO_ID || f[FUNC_ATTRS] != NO_ID)
		loss_add(w->e.loss, "files, keys and attributes of functions");
}

/* ---- the page ---- */

static void
set_title(const struct writer *w, struct picture *p)
{
	const char *title = w->options->title;

	buf_puts(&p->title, title ? title : p->head->diff.n || stacks_sides(&w->stacks) > 1 ?
	    "Difference of two flame graphs" : "Flame graph");
	if (!title) {
		buf_puts(&p->title, ": ");
		buf_text(&p->title, p->metric.name);
	}
}

static void
set_metric(const struct writer *w, struct picture *p)
{
	const struct record *event = w->measure.event;
	const struct text unit = event ? event->col[EVENT_UNIT].t : (struct text){ 0 };
	const num *total = w->measure.total;

	if (event)
		p->metric.name = event->col[EVENT_NAME].t;
	metric_set_unit(&p->metric, event);
	metric_scale(&p->metric, unit, total[total[SIDE_NEW] > total[SIDE_OLD]]);
	p->unit = unit.n ? unit : p->metric.name;
}

static void
draw(const struct writer *w, const struct layout *l)
{
	struct colour colour;
	struct picture p = { .options = w->options, .out = w->e.out, .loss = w->e.loss,
	    .s = &w->stacks, .l = l, .colour = &colour, .head = &w->head.h,
	    .without = w->without, .total = w->measure.total };

	set_metric(w, &p);
	set_title(w, &p);
	colour_init(&colour, w->options->colours, &w->stacks, p.total[0]);
	page_put(&p);
	buf_free(&p.title);
	buf_free(&p.b);
	buf_free(&p.scratch);
}

/* Does the change of each node fit 128 bits?  From then on it is subtracted without
 * checks. */
static bool
changes_fit(const struct stacks *s)
{
	size_t node;

	for (node = 0; node < stacks_size(s); node++)
		if (!sides_fit(stacks_sides(s), stacks_cost(s, node)))
			return false;
	return true;
}

static int
finish(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;
	struct layout l;

	if (w->without && !w->measure.known)
		return encode_fail(&w->e, "the profile has no event, or none "
		    "that --events names");
	if (stacks_finish(&w->stacks) < 0 || !changes_fit(&w->stacks) ||
	    layout_make(&l, &w->stacks, w->options->min) < 0)
		return encode_too_large(&w->e, "a sum");
	if (l.negative)
		loss_add(w->e.loss, "the width of costs below 0");
	draw(w, &l);
	layout_free(&l);
	return 0;
}

/* ---- the sink ---- */

static void
free_writer(struct part_sink *s)
{
	struct writer *w = (struct writer *)s;

	stacks_free(&w->stacks);
	measure_free(&w->measure);
	heading_free(&w->head);
}

static const struct part_methods methods = {
	.begin = begin_part, .put = put_record, .meta = put_meta, .end = end_part,
	.finish = finish, .free = free_writer,
};

struct sink *
svg_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	part_sink_init(&w->parts, &methods, e->diag, e->out);
	w->e = *e;
	w->options = e->options;
	heading_init(&w->head, e->dict);
	measure_init(&w->measure, e->diag);
	stacks_init(&w->stacks, e->dict, w->options->root);
	w->stacks.see = lose_frame;
	w->stacks.arg = w;
	out_set_content(e->out, OUT_ENDS);
	return &w->parts.sink;
}
