/* SPDX-License-Identifier: ISC */
/* The events of a file, which are known once it was scanned. */
#include "stacks.h"

#define MOST_EVENTS 100		/* each sample has a value of each */

size_t
stacks_event(struct reader *rd, struct text name, const char *unit, const char *attrs)
{
	const size_t at = name_index_add(&rd->events, name, rd->nevent);
	struct event *e;

	if (at < rd->nevent)
		return at;
	if (rd->nevent == MOST_EVENTS) {
		diag_fail(rd->d->diag, "more than %d events", MOST_EVENTS);
		return SIZE_MAX;
	}
	rd->event = mem_grow(rd->event, &rd->capevent, rd->nevent + 1, sizeof *rd->event);
	e = &rd->event[rd->nevent++];
	*e = (struct event){ .unit = unit, .attrs = attrs };
	buf_text(&e->name, name);
	return at;
}

static int
put_event(struct reader *rd, size_t i)
{
	const struct event *e = &rd->event[i];

	return DECODE_EVENT(rd->d, i, .name = buf_as_text(&e->name), .unit = text_of(e->unit),
	    .attrs = text_of(e->attrs));
}

int
stacks_put_part(struct reader *rd)
{
	size_t i;

	if (decode_part(rd->d, "stacks", rd->dialect->lines ? TEXT("positions=line") :
	    (struct text){ 0 }) < 0 ||
	    meta_put(rd->d->out, "creator", text_of(rd->dialect->name)) < 0)
		return -1;
	if (!rd->nevent)
		stacks_event(rd, TEXT("samples"), NULL, NULL);
	for (i = 0; i < rd->nevent; i++)
		if (put_event(rd, i) < 0)
			return -1;
	return 0;
}
