/* SPDX-License-Identifier: ISC */
#include "filter/filter.h"

#include <stdlib.h>

#include "stream/part.h"
#include "stream/sums.h"
#include "util/mem.h"

/* A column of a part. */
struct cell {
	uint64_t parts;		/* parts per whole */
	num rest;		/* remainder of rounding self costs so far */
	bool change;		/* it is the change between old and new: */
	size_t old, new;
};

struct whole {
	struct sink sink;
	struct loss *loss;
	struct diag *diag;
	struct part part;
	bool any;		/* it has fractions of whole numbers */
	struct cell *column;
	size_t capcolumn, capvalue;
	num *value;		/* those of a record */
	struct buf out;
};

/* ---- events ---- */

static int
put_event(struct whole *w, const struct record *r)
{
	const uint64_t parts = event_scale(r) / event_whole(r);
	struct record *whole;
	int ret;

	if (parts == 1)
		return sink_put(w->sink.next, r);
	/* The amount that a sample adds to a value is no longer the same everywhere. */
	whole = event_rescaled(r, event_whole(r), event_whole(r), 0);
	ret = sink_put(w->sink.next, whole);
	free(whole);
	return ret;
}

/* The part's header is complete. */
static void
settle(struct whole *w)
{
	size_t i;

	w->column = mem_grow(w->column, &w->capcolumn, w->part.events.measured + 1,
	    sizeof *w->column);
	w->value = mem_grow(w->value, &w->capvalue, w->part.events.measured + 1,
	    sizeof *w->value);
	w->any = false;
	for (i = 0; i < w->part.events.measured; i++) {
		const struct record *r = events_at(&w->part.events, i);
		struct cell *c = &w->column[i];

		*c = (struct cell){ .parts = event_scale(r) / event_whole(r) };
		c->change = c->parts > 1 && event_is_change(&w->part.events, i, &c->old, &c->new);
		w->any |= c->parts > 1;
	}
}

/* ---- values ---- */

static int
too_large(struct whole *w)
{
	return diag_too_large(w->diag, "a sum");
}

static int
round_value(struct whole *w, struct cell *c, bool self, num *v)
{
	if (*v % (num)c->parts)
		loss_add(w->loss, "fractions (rounded; sums are kept)");
	if (self && num_add(v, c->rest) < 0)
		return too_large(w);
	*v = num_nearest(*v, (num)c->parts, self ? &c->rest : NULL);
	return 0;
}

static int
round_values(struct whole *w, bool self)
{
	size_t i;

	for (i = 0; i < w->part.events.measured; i++)
		if (w->value[i] != NUM_ABSENT && w->column[i].parts > 1 && !w->column[i].change &&
		    round_value(w, &w->column[i], self, &w->value[i]) < 0)
			return -1;
	for (i = 0; i < w->part.events.measured; i++) {
		const struct cell *c = &w->column[i];

		if (!c->change)
			continue;
		w->value[i] = w->value[c->new] == NUM_ABSENT ? 0 : w->value[c->new];
		if (w->value[c->old] != NUM_ABSENT &&
		    num_sub(&w->value[i], w->value[c->old]) < 0)
			return too_large(w);
	}
	return 0;
}

static int
make_values(struct whole *w, struct text values, bool self)
{
	struct sums_run run = { .values = values, .n = w->part.events.measured,
	    .init = NUM_ABSENT };
	size_t i, end = 0;

	for (i = 0; i < run.n; i++)
		w->value[i] = NUM_ABSENT;
	if (sums_add_run(&run, w->value) < 0)
		return too_large(w);
	for (i = run.found; i < run.n; i++)
		w->value[i] = 0;
	if (round_values(w, self) < 0)
		return -1;
	w->out.n = 0;
	for (i = 0; i < run.n; i++) {
		buf_puts(&w->out, i ? "\t" : "");
		if (w->value[i] == NUM_ABSENT)
			buf_putc(&w->out, '-');
		else
			num_add_whole(&w->out, w->value[i]);
		if (w->value[i])
			end = w->out.n;
	}
	w->out.n = end;
	return 0;
}

/* ---- records ---- */

static __attribute__((noinline)) int
put_record(struct whole *w, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);
	struct record out;

	if (!part_goes_on(&w->part, kind) && !part_is_apart(kind)) {
		if (part_ends_events(&w->part, kind))
			settle(w);
		part_take(&w->part, r);
		if (kind == REC_EVENT && !w->part.events_known)
			return put_event(w, r);
		if (kind == REC_PART)
			w->any = false;
	}
	if (!w->any || !(r->def->tail & REC_VALUES))
		return sink_put(w->sink.next, r);
	if (make_values(w, r->values, kind == REC_COST || kind == REC_SAMPLE) < 0)
		return -1;
	rec_copy(&out, r);
	out.values = w->out.n ? buf_as_text(&w->out) : (struct text){ 0 };
	return sink_put(w->sink.next, &out);
}

/* Most profiles are of whole numbers: nearly every record just passes. */
static int
whole_put(struct sink *s, const struct record *r)
{
	struct whole *w = (struct whole *)s;

	return !w->any && part_goes_on(&w->part, rec_kind(r)) ? sink_put(s->next, r) :
	    put_record(w, r);
}

static unsigned
whole_takes(const struct sink *s)
{
	return sink_takes(s->next) & (TAKES_JUMPS | FORGETS_CONTEXTS);
}

static void
whole_free(struct sink *s)
{
	struct whole *w = (struct whole *)s;

	part_free(&w->part);
	free(w->column);
	free(w->value);
	buf_free(&w->out);
	free(w);
}

struct sink *
filter_whole(struct loss *loss, struct diag *d)
{
	struct whole *w = mem_alloc(1, sizeof *w);

	w->sink = (struct sink){ .put = whole_put, .free = whole_free,
	    .takes = whole_takes };
	w->loss = loss;
	w->diag = d;
	return &w->sink;
}
