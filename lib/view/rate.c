/* SPDX-License-Identifier: ISC */
#include "view/rate.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"
#include "view/metric.h"

num
rate_total(const struct rank *r, struct text event)
{
	struct terms terms = { 0 };
	num total = 0;

	if (!event.s || rank_resolve(r, event, (struct text){ 0 }, &terms) != 1 ||
	    terms_sum(&terms, r->total, &total) < 0)
		total = 0;
	terms_free(&terms);
	return total;
}

void
rate_add_time(struct buf *b, uint64_t microseconds)
{
	const uint64_t tenths = microseconds / 100000;

	buf_printf(b, "live %" PRIu64 ".%" PRIu64 " s", tenths / 10, tenths % 10);
}

void
rate_add(struct buf *b, const struct rank *r, struct text event, num change,
    uint64_t microseconds)
{
	struct record *e = event.s ? rank_event(r, event) : NULL;
	struct metric m = { .name = event };
	num per_second;

	if (!e) {
		buf_puts(b, "nothing yet");
		return;
	}
	per_second = num_mul(change, 1000000, &per_second) == 0 ?
	    per_second / (num)(microseconds ? microseconds : 1) : change;
	metric_set_unit(&m, e);
	m.shown.per = m.per;
	metric_scale(&m, e->col[EVENT_UNIT].t, per_second);
	metric_add_amount(b, &m, per_second);
	buf_puts(b, " per second");
	free(e);
}
