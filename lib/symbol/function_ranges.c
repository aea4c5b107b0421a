/* SPDX-License-Identifier: ISC */
#include "symbol/function_ranges.h"

#include <stdlib.h>

#include "util/mem.h"

static void
add(struct function_ranges *s, const struct field *func, const struct field *addr)
{
	struct span *f;

	if (func->n == NO_ID || !(addr->has & HAS_N))
		return;
	s->v = mem_reach(s->v, &s->cap, func->n, sizeof *s->v, 0);
	if (func->n >= s->n)
		s->n = func->n + 1;
	f = &s->v[func->n];
	if (!f->some || addr->n < f->least)
		f->least = addr->n;
	if (!f->some || addr->n > f->most)
		f->most = addr->n;
	f->some = true;
}

/* Notes the address of a frame, unless it is inlined: its address is in another
 * function. */
static void
add_frame(struct function_ranges *s, const struct record *r)
{
	if (!attr_has(r->attrs, "inlined"))
		add(s, &r->col[1 + CTX_FUNC], &r->col[1 + CTX_ADDR]);
}

static int
function_ranges_put(struct sink *sink, const struct record *r)
{
	struct function_ranges *s = (struct function_ranges *)sink;

	switch (rec_kind(r)) {
	case REC_CTX:
		add_frame(s, r);
		break;
	case REC_CALL:
		add(s, &r->col[CALL_CALLEE], &r->col[CALL_TADDR]);
		/* FALLTHROUGH */
	case REC_COST:
		add(s, &r->col[PLACE_FUNC], &r->col[PLACE_ADDR]);
		break;
	default:
		break;
	}
	return sink_put(s->sink.next, r);
}

void
function_ranges_init(struct function_ranges *s)
{
	*s = (struct function_ranges){ .sink.put = function_ranges_put };
}

void
function_ranges_free(struct function_ranges *s)
{
	free(s->v);
}
