/* SPDX-License-Identifier: ISC */
#include "filter/keep_total.h"

#include "stream/dict.h"

void
keep_total_free(struct keep_total *keep)
{
	total_free(&keep->total);
}

int
keep_total_end(struct keep_total *keep)
{
	struct record r = rec_make(REC_TOTAL);
	struct buf values = { 0 };
	size_t i;
	int ret;

	if (!keep->in_part || keep->total.has_run)
		return 0;
	for (i = 0; i < keep->nevents; i++) {
		if (i)
			buf_putc(&values, '\t');
		num_add_whole(&values, total_of(&keep->total, i));
	}
	r.col[0].t = TEXT("run");
	r.values = buf_as_text(&values);
	ret = sink_put(keep->stage->next, &r);
	buf_free(&values);
	return ret;
}

int
keep_total_part(struct keep_total *keep)
{
	if (keep_total_end(keep) < 0)
		return -1;
	keep->in_part = true;
	keep->nevents = 0;
	total_clear(&keep->total);
	return 0;
}

static int
see_total(struct keep_total *keep, const struct record *r)
{
	if (total_put(&keep->total, r) < 0)
		return diag_fail(keep->diag, "a total does not fit 128 bits");
	return text_is(r->col[0].t, "run") && keep->total.has_run ?
	    sink_put(keep->stage->next, r) : 0;
}

/* Adds self cost; that of a point is of the first event. */
static int
see_cost(struct keep_total *keep, const struct record *r)
{
	struct record self = *r;

	if (keep->total.has_run)
		return 0;
	if (rec_kind(r) == REC_POINT)
		self.values = r->col[POINT_SELF].t;
	return total_add(&keep->total, &self) < 0 ?
	    diag_fail(keep->diag, "the sum of costs does not fit 128 bits") : 0;
}

int
keep_total_see(struct keep_total *keep, const struct record *r)
{
	switch (rec_kind(r)) {
	case REC_EVENT:
		keep->nevents += r->col[EVENT_ID].n != NO_ID;
		return 0;
	case REC_TOTAL:
		return see_total(keep, r);
	case REC_COST: case REC_SAMPLE: case REC_POINT:
		return see_cost(keep, r);
	default:
		return 0;
	}
}
