/* SPDX-License-Identifier: ISC */
/* Stacks, with their labels, become samples. */
#include "stacks.h"

#include <stdio.h>

void
stacks_add_key(struct reader *rd, struct text value)
{
	char key[24];

	snprintf(key, sizeof key, "key%u", ++rd->keys);
	attr_add(&rd->labels, key, value);
}

void
stacks_set_section(struct reader *rd, struct text name, const char *unit)
{
	rd->section.n = 0;
	buf_text(&rd->section, name);
	rd->unit = unit;
}

void
stacks_drop_line(struct reader *rd, struct text line)
{
	if (!rd->drop[DROP_LINES]++ && !rd->scan)
		diag_say(rd->d->diag, DIAG_WARN, "not a line of a stack: %s (further "
		    "ones are counted)", QUOTE(line));
}

void
stacks_forget(struct reader *rd)
{
	rd->lines.n = rd->labels.n = rd->nframe = 0;
	rd->keys = 0;
	rd->open = rd->has_stack = rd->wraps = false;
}

int
stacks_end(struct reader *rd, struct text value)
{
	struct value v = { .number = value };
	uint32_t ctx;

	v.event = stacks_event(rd, rd->section.n ? buf_as_text(&rd->section) : TEXT("samples"),
	    rd->unit, NULL);
	if (v.event == SIZE_MAX || (!rd->scan && (stacks_context(rd, &ctx) < 0 ||
	    stacks_put(rd, ctx, &v, 1) < 0)))
		return LINE_FATAL;
	stacks_forget(rd);
	return LINE_OK;
}

int
stacks_end_thread(struct reader *rd)
{
	if (rd->lines.n)
		return stacks_end(rd, TEXT("1"));
	rd->drop[DROP_STACKLESS] += rd->open;
	stacks_forget(rd);
	return LINE_OK;
}
