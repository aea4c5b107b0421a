/* SPDX-License-Identifier: ISC */
/*
 * Finds the default event.  Whether events have costs is only known when these come, so
 * parts are held back until one decides.
 */
#include "filter/filter.h"

#include <stdlib.h>

#include "stream/part.h"
#include "util/mem.h"

/* The most records that are held back, of which contexts that follow each other are one: then
 * the costs in them decide. */
#define MOST_HELD 16384

struct chooser {
	struct sink sink;
	struct text *name;	/* to be set */
	struct dict *dict;
	bool decided;
	struct part part;
	struct events all;	/* of all parts so far, once for each name */
	bool *costs;		/* by column of these: does it have a cost? */
	size_t capcosts;
	long *change;		/* by column of the part: the column in `all` to which its
				 * costs belong */
	size_t capchange;
	struct held {
		struct record *r;
		uint32_t ctx, n;	/* if r is NULL: contexts, of which there may be
					 * very many */
	} *held;
	size_t nheld, capheld;
};

static void
hold(struct chooser *c, const struct record *r)
{
	struct held *last = c->nheld ? &c->held[c->nheld - 1] : NULL;
	const bool is_ctx = rec_kind(r) == REC_CTX;

	if (is_ctx && last && !last->r && r->col[0].n == (uint64_t)last->ctx + last->n) {
		last->n++;
		return;
	}
	c->held = mem_grow(c->held, &c->capheld, c->nheld + 1, sizeof *c->held);
	c->held[c->nheld++] = is_ctx ? (struct held){ NULL, (uint32_t)r->col[0].n, 1 } :
	    (struct held){ rec_keep(r), 0, 0 };
}

static int
put_contexts(struct chooser *c, const struct held *h)
{
	struct record r;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < h->n && ret == 0; i++) {
		dict_record(c->dict, REC_CTX, h->ctx + i, &r);
		ret = sink_put(c->sink.next, &r);
	}
	return ret;
}

static int
release(struct chooser *c)
{
	size_t i, n = c->nheld;
	int ret = 0;

	c->nheld = 0;
	for (i = 0; i < n; i++) {
		const struct held *h = &c->held[i];

		ret = ret < 0 ? ret : h->r ? sink_put(c->sink.next, h->r) :
		    put_contexts(c, h);
		free(h->r);
	}
	return ret;
}

static int
decide(struct chooser *c, const struct record *event)
{
	c->decided = true;
	*c->name = dict_text(c->dict, dict_str(c->dict, event->col[EVENT_NAME].t));
	return release(c);
}

/* The part's header is complete: its events are known. */
static int
settle(struct chooser *c)
{
	const struct events *e = &c->part.events;
	const long own = events_own_default(e);
	size_t i;

	if (own >= 0)
		return decide(c, events_at(e, (size_t)own));
	if (!e->measured)	/* another part decides */
		return c->all.measured ? 0 : release(c);
	c->change = mem_grow(c->change, &c->capchange, e->measured, sizeof *c->change);
	for (i = 0; i < e->measured; i++)
		if (events_find(&c->all, events_at(e, i)->col[EVENT_NAME].t) < 0)
			events_add(&c->all, events_at(e, i));
	for (i = 0; i < e->measured; i++) {
		const struct text name = events_at(e, i)->col[EVENT_NAME].t;

		c->change[i] = events_change_of(&c->all, (size_t)events_find(&c->all, name));
	}
	c->costs = mem_reach(c->costs, &c->capcosts, c->all.measured, sizeof *c->costs, 0);
	return 0;
}

static void
see_cost(struct chooser *c, size_t column)
{
	if (column < c->part.events.measured && c->change[column] >= 0)
		c->costs[c->change[column]] = true;
}

/* Notes the events with a cost in the record.  A point's cost is of the first event. */
static void
see(struct chooser *c, const struct record *r)
{
	struct text rest = r->values, v;
	size_t i;

	if (rec_kind(r) == REC_POINT)
		see_cost(c, 0);
	for (i = 0; r->def->tail & REC_VALUES && values_next(&rest, &v); i++)
		if (!text_is(v, "0") && !text_is(v, "-"))
			see_cost(c, i);
}

static __attribute__((noinline)) int
put_undecided(struct chooser *c, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);

	if (!c->nheld && kind != REC_PART && kind != REC_END)
		return sink_put(c->sink.next, r);	/* it belongs to no part yet */
	if (part_ends_events(&c->part, kind) && settle(c) < 0)
		return -1;
	if (!c->nheld && !c->decided && kind != REC_PART && kind != REC_END)
		return sink_put(c->sink.next, r);
	part_take(&c->part, r);
	if (c->part.events_known && !c->decided)
		see(c, r);
	if (!c->decided && c->all.measured &&
	    (c->costs[0] || kind == REC_END || c->nheld >= MOST_HELD) &&
	    decide(c, events_at(&c->all, (size_t)events_default(&c->all, c->costs))) < 0)
		return -1;
	if (c->decided || kind == REC_END)
		return sink_put(c->sink.next, r);
	hold(c, r);
	return 0;
}

static int
chooser_put(struct sink *s, const struct record *r)
{
	struct chooser *c = (struct chooser *)s;

	return c->decided ? sink_put(s->next, r) : put_undecided(c, r);
}

static unsigned
chooser_takes(const struct sink *s)
{
	const struct chooser *c = (const struct chooser *)s;

	return c->decided ? sink_takes(s->next) : 0;
}

static int
chooser_put_lines(struct sink *s, const struct place_lines *l)
{
	return sink_put_lines(s->next, l);
}

static void
chooser_free(struct sink *s)
{
	struct chooser *c = (struct chooser *)s;

	while (c->nheld)
		free(c->held[--c->nheld].r);
	free(c->held);
	part_free(&c->part);
	events_free(&c->all);
	free(c->costs);
	free(c->change);
	free(c);
}

struct sink *
filter_default_event(struct text *name, struct dict *dict)
{
	struct chooser *c = mem_alloc(1, sizeof *c);

	c->sink = (struct sink){ .put = chooser_put, .free = chooser_free,
	    .takes = chooser_takes, .put_lines = chooser_put_lines };
	c->name = name;
	c->dict = dict;
	return &c->sink;
}
