/* SPDX-License-Identifier: ISC */
#include "filter/filtered_part.h"

/* Are the part's own metadata complete before this record? */
static bool
ends_facts(const struct part *p, enum rec_kind kind)
{
	return p->place == PART_HEADER && !p->events.n && !p->events_known &&
	    kind != REC_META && !part_is_apart(kind);
}

/* Puts the total of a part without one. */
static int
put_total(struct filtered_part *f)
{
	const struct part *p = &f->part;
	struct record r = rec_make(REC_TOTAL);
	struct buf values = { 0 };
	int ret;

	if (!f->drops || !p->number || total_has_whole_run(&p->total))
		return 0;
	total_write(&values, &p->total, p->events.measured);
	r.col[0].t = TEXT("run");
	r.values = buf_as_text(&values);
	ret = sink_put(f->stage->next, &r);
	buf_free(&values);
	return ret;
}

/* Adds self cost; that of a point is of the first event. */
static int
add_cost(struct filtered_part *f, const struct record *r)
{
	struct record self;

	if (rec_kind(r) != REC_POINT)
		return total_add(&f->part.total, r);
	rec_copy(&self, r);
	self.values = r->col[POINT_SELF].t;
	return total_add(&f->part.total, &self);
}

/* Sees a record that may begin or end a part or its header. */
static int
see_other(struct filtered_part *f, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);
	struct sink *next = f->stage->next;

	if (f->text && ends_facts(&f->part, kind) &&
	    meta_put(next, "filter", text_of(f->text)) < 0)
		return -1;
	if (part_ends(&f->part, kind) && (lost_calls_put(&f->lost, next) < 0 ||
	    (kind == REC_PART && put_total(f) < 0)))
		return -1;
	if (part_take(&f->part, r) < 0 && f->drops)
		return diag_too_large(f->diag, "a total");
	if (kind == REC_TOTAL && f->drops && text_is(r->col[0].t, "run") &&
	    total_has_whole_run(&f->part.total))
		return sink_put(next, r);
	return 0;
}

int
filtered_see_other(struct filtered_part *f, const struct record *r)
{
	const enum rec_kind kind = rec_kind(r);

	if (!part_goes_on(&f->part, kind) && see_other(f, r) < 0)
		return -1;
	if (f->drops && !total_has_whole_run(&f->part.total) &&
	    (kind == REC_COST || kind == REC_SAMPLE || kind == REC_POINT) &&
	    add_cost(f, r) < 0)
		return diag_too_large(f->diag, "the sum of costs");
	return 0;
}

int
filtered_end(struct filtered_part *f)
{
	return put_total(f);
}

void
filtered_init(struct filtered_part *f, const struct sink *stage, bool drops,
    struct dict *dict, struct diag *d)
{
	*f = (struct filtered_part){ .stage = stage, .drops = drops, .diag = d };
	lost_calls_init(&f->lost, dict);
}

void
filtered_free(struct filtered_part *f)
{
	part_free(&f->part);
	lost_calls_free(&f->lost);
}
