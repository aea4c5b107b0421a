/* SPDX-License-Identifier: ISC */
#include "filter/keep_total.h"

#include "stream/dict.h"

void
keep_total_free(struct keep_total *b)
{
	total_free(&b->total);
}

int
keep_total_end(struct keep_total *b)
{
	struct record r = rec_make(REC_TOTAL);
	struct buf values = { 0 };
	char tmp[NUM_TEXT];
	size_t i;
	int ret;

	if (!b->in_part || b->total.has_run)
		return 0;
	for (i = 0; i < b->nevents; i++) {
		if (i)
			buf_putc(&values, '\t');
		buf_add(&values, tmp,
		    (size_t)(num_put_num(tmp, total_base(&b->total, i)) - tmp));
	}
	r.col[0].t = TEXT("run");
	r.values = buf_as_text(&values);
	ret = sink_put(b->stage->next, &r);
	buf_free(&values);
	return ret;
}

int
keep_total_part(struct keep_total *b)
{
	if (keep_total_end(b) < 0)
		return -1;
	b->in_part = true;
	b->nevents = 0;
	total_clear(&b->total);
	return 0;
}

static int
see_total(struct keep_total *b, const struct record *r)
{
	if (total_put(&b->total, r) < 0)
		return diag_fail(b->diag, "a total does not fit 128 bits");
	return text_is(r->col[0].t, "run") && b->total.has_run ?
	    sink_put(b->stage->next, r) : 0;
}

/* Self cost; that of a point is of the first event. */
static int
see_cost(struct keep_total *b, const struct record *r)
{
	struct record self = *r;

	if (b->total.has_run)
		return 0;
	if (rec_kind(r) == REC_POINT)
		self.values = r->col[POINT_SELF].t;
	return total_add(&b->total, &self) < 0 ?
	    diag_fail(b->diag, "the sum of costs does not fit 128 bits") : 0;
}

int
keep_total_see(struct keep_total *b, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_EVENT:
		b->nevents += r->col[EVENT_ID].n != NO_ID;
		return 0;
	case REC_TOTAL:
		return see_total(b, r);
	case REC_COST: case REC_SAMPLE: case REC_POINT:
		return see_cost(b, r);
	default:
		return 0;
	}
}
