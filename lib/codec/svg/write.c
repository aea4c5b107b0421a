/* SPDX-License-Identifier: ISC */
#include "svg.h"

#include <stdlib.h>

#include "stream/root.h"
#include "stream/total.h"
#include "util/mem.h"

struct writer {
	struct sink sink;
	struct encode e;
	const struct svg_options *options;
	struct tree tree;
	struct caption caption;
	struct root root;
	bool any;		/* a part had costs, so that the event is known */
	struct metric metric;	/* of it */

	/* Of the part: */
	bool began;		/* it had one */
	struct events events;
	long *column;		/* of its measured events: the side, or -1 */
	size_t capcolumn, ncolumn;	/* ncolumn: up to the last that is one */
	size_t of[SIDES];	/* by side: its column */
	struct total total;
	num self[SIDES];
	unsigned __int128 below[SIDES];	/* what is negative of all costs */
	struct num_extent totals[SIDES];

	num sum[SIDES];		/* of all parts: what percentages are of */
};

static int
too_large(struct writer *w)
{
	return encode_fail(&w->e, "a sum does not fit 128 bits");
}

/* ---- parts ---- */

/* The event is the default; a difference has two sides of it.  0: the part lacks it. */
static int
choose_event(struct writer *w)
{
	const long column = events_find(&w->events, *w->e.event);
	const struct record *event;
	size_t old, new;

	if (column < 0)
		return 0;
	event = events_at(&w->events, (size_t)column);

	w->any = true;
	buf_text(&w->caption.event, event->col[EVENT_NAME].t);
	buf_text(&w->caption.unit, event->col[EVENT_UNIT].t);
	w->metric.name = buf_as_text(&w->caption.event);
	metric_set_unit(&w->metric, event);
	if (w->metric.unit.s)
		w->metric.unit = buf_as_text(&w->caption.unit);
	if (event_is_change(&w->events, (size_t)column, &old, &new))
		sums_widen(&w->tree.stacks.nodes, SIDES);
	return 1;
}

static void
set_column(struct writer *w, size_t column, long side)
{
	w->of[side] = column;
	w->column[column] = side;
	if (w->ncolumn <= column)
		w->ncolumn = column + 1;
}

/* The part's costs begin. */
static int
begin_costs(struct writer *w)
{
	const bool difference = tree_sides(&w->tree) > 1;
	size_t i, column, old, new;
	bool change;
	long found;

	w->began = true;
	if (!w->events.measured)
		return encode_fail(&w->e, "the profile has no event, or none of --events");
	if (!w->any && choose_event(w))
		return begin_costs(w);
	w->column = mem_grow(w->column, &w->capcolumn, w->events.measured, sizeof *w->column);
	for (i = 0; i < w->events.measured; i++)
		w->column[i] = -1;
	if ((found = events_find(&w->events, *w->e.event)) < 0) {
		loss_add(w->e.loss, "parts without the event");
		w->caption.without++;
		return 0;
	}
	column = (size_t)found;
	change = event_is_change(&w->events, column, &old, &new);
	if (!change && event_has_role(events_at(&w->events, column), "delta"))
		return encode_fail(&w->e, "the change of %.*s has no sides: choose events with "
		    "--events of prof-diff", (int)w->caption.event.n, w->caption.event.s);
	if (change != difference)
		return encode_fail(&w->e, "some parts are differences, and others are not: "
		    "choose with --where");
	if (w->events.measured > (change ? SIDES + 1 : 1))
		loss_add(w->e.loss, "further events");
	set_column(w, change ? old : column, SIDE_OLD);
	if (change)
		set_column(w, new, SIDE_NEW);
	return 0;
}

/* What the part's percentages are of. */
static int
end_part(struct writer *w)
{
	size_t side;
	num n;

	for (side = 0; w->ncolumn && side < tree_sides(&w->tree); side++) {
		if (!total_stated(&w->total, w->of[side], &n))
			n = w->self[side];
		num_see(&w->totals[side], n);
		if (!num_fits(&w->totals[side]) || num_add(&w->sum[side], n) < 0)
			return too_large(w);
	}
	memset(w->self, 0, sizeof w->self);
	w->ncolumn = 0;
	return 0;
}

static int
begin_part(struct writer *w)
{
	if (end_part(w) < 0)
		return -1;
	if (w->caption.parts++)
		loss_add(w->e.loss, "which part a stack belongs to");
	events_clear(&w->events);
	total_clear(&w->total);
	root_begin(&w->root);
	tree_below(&w->tree, (struct text){ 0 });
	w->began = false;
	return 0;
}

static int
put_sample(struct writer *w, const struct record *r)
{
	struct sums_run run = { .values = r->values, .below = w->below };

	if (!w->began && begin_costs(w) < 0)
		return -1;
	if (root_see(&w->root, r->attrs))
		tree_below(&w->tree, buf_as_text(&w->root.name));
	run.n = w->ncolumn;
	if (sums_add_columns(&run, w->column, tree_self(&w->tree, r->col[0].n), w->self) < 0)
		return too_large(w);
	if (r->attrs.s)
		loss_add(w->e.loss, "labels of samples");
	return 0;
}

/* ---- the page ---- */

static void
set_title(struct writer *w)
{
	struct caption *c = &w->caption;
	const char *title = w->options->title;

	buf_puts(&c->title, title ? title : c->diff.n || tree_sides(&w->tree) > 1 ?
	    "Difference of two flame graphs" : "Flame graph");
	if (!title) {
		buf_puts(&c->title, ": ");
		buf_text(&c->title, buf_as_text(&c->event));
	}
}

static void
draw(struct writer *w)
{
	struct layout l;
	struct colour colour;
	const struct text unit = buf_as_text(&w->caption.unit);
	struct page p = { .options = w->options, .out = w->e.out, .loss = w->e.loss, .t = &w->tree, .l = &l,
	    .colour = &colour, .caption = &w->caption,
	    .total = { w->sum[SIDE_OLD], w->sum[SIDE_NEW] },
	    .unit = unit.n ? unit : w->metric.name, .metric = w->metric };

	metric_scale(&p.metric, unit, w->sum[w->sum[SIDE_NEW] > w->sum[SIDE_OLD]]);
	layout_make(&l, &w->tree, w->options->min);
	colour_init(&colour, w->options->colours, &w->tree, w->sum[0]);
	page_put(&p);
	layout_free(&l);
	buf_free(&p.b);
	buf_free(&p.scratch);
}

static int
end(struct writer *w)
{
	size_t side;

	if (end_part(w) < 0)
		return -1;
	for (side = 0; side < tree_sides(&w->tree); side++) {
		struct num_extent rows = { 0 };

		sums_see(&w->tree.stacks.nodes, side, &rows);
		if (!sums_fit_in_any_order(rows, w->below[side]))
			return too_large(w);
	}
	if (tree_finish(&w->tree) < 0)
		return too_large(w);
	if (w->tree.negative)
		loss_add(w->e.loss, "the width of costs below 0");
	set_title(w);
	draw(w);
	return 0;
}

static int
put_record(struct writer *w, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_SAMPLE:
		return put_sample(w, r);
	case REC_PART:
		return begin_part(w);
	case REC_EVENT:
		events_add(&w->events, r);
		return 0;
	case REC_META:
		root_meta(&w->root, r);
		if (!caption_meta(&w->caption, r))
			loss_record(w->e.loss, r);
		return 0;
	case REC_TOTAL:
		return total_put(&w->total, r) < 0 ? too_large(w) : 0;
	case REC_END:
		return end(w);
	default:
		return 0;
	}
}

static int
svg_put(struct sink *s, const struct record *r)
{
	struct writer *w = (struct writer *)s;

	if (put_record(w, r) < 0)
		return -1;
	return w->e.out->error ? out_check(w->e.out) : 0;
}

static void
svg_free(struct sink *s)
{
	struct writer *w = (struct writer *)s;

	tree_free(&w->tree);
	caption_free(&w->caption);
	root_free(&w->root);
	events_free(&w->events);
	free(w->column);
	total_free(&w->total);
	free(w);
}

struct sink *
svg_encode(const struct encode *e)
{
	struct writer *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = svg_put, .free = svg_free };
	metric_set_unit(&w->metric, NULL);
	w->e = *e;
	w->options = e->options;
	w->root.label = w->options->root;
	tree_init(&w->tree, e->dict, e->loss);
	out_holds(e->out, OUT_ENDS);
	return &w->sink;
}
