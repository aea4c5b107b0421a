/* SPDX-License-Identifier: ISC */
/* The routines, contexts and lines of points of a report, by their ids. */
#include "line_words.h"

#include "util/mem.h"

struct routine *
ar_routine(struct reader *rd, uint64_t id)
{
	size_t i = sums_row(&rd->routine_id, &id);

	rd->routine = mem_reach(rd->routine, &rd->caproutine, i,
	    sizeof *rd->routine, 0);
	return &rd->routine[i];
}

struct context *
ar_context(struct reader *rd, uint64_t id)
{
	size_t i = sums_row(&rd->context_id, &id);

	rd->context = mem_reach(rd->context, &rd->capcontext, i,
	    sizeof *rd->context, 0);
	return &rd->context[i];
}

static const struct aprof_layout *
layout_of(unsigned fields)
{
	size_t i;

	for (i = 0; i < APROF_LAYOUTS && aprof_layout[i].n != fields; i++)
		;
	return i < APROF_LAYOUTS ? &aprof_layout[i] : NULL;
}

const struct aprof_layout *
ar_fields(struct text t, struct record *r, struct text *bad)
{
	const struct aprof_layout *l;
	struct text field[18];
	unsigned n = 0, i;

	*bad = (struct text){ 0 };
	while (n < 18 && ar_next_word(&t, &field[n]))
		if (!ar_get_digits(&field[n++])) {
			*bad = field[n - 1];
			return NULL;
		}
	if (!(l = layout_of(n)))
		return NULL;
	for (i = 0; i < n; i++)
		if (!l->zero || i < l->zero || i > l->zero + 1 ||
		    !text_is(field[i], "0"))
			r->col[l->col[i]].t = field[i];
	return l;
}
