/* SPDX-License-Identifier: ISC */
/*
 * Inlined frames are at the address of the frame that they are in; pprof gives an address
 * to that frame only.  At the level of instructions they are not calls.
 */
#include "filter/filter.h"

#include "filter/reframe.h"

/* A frame that is inlined into another one. */
static bool
is_inlined(const struct dict *dict, const struct ctx_def *frame)
{
	struct buf scratch = { 0 };
	const bool yes = frame->parent != NO_ID && attr_get(dict_text(dict, frame->attrs),
	    "inlined", &scratch).s;

	buf_free(&scratch);
	return yes;
}

static int
give_addr(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	(void)arg;
	(void)next;
	if (frame->addr == NO_ID && is_inlined(dict, frame))
		frame->addr = dict_def(dict, REC_CTX, frame->parent)[CTX_ADDR];
	return 1;
}

static int
leave_out(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	(void)arg;
	(void)next;
	return !is_inlined(dict, frame);
}

struct sink *
filter_inline_addrs(struct dict *dict)
{
	return reframe_new(dict, give_addr, NULL);
}

struct sink *
filter_without_inlined(struct dict *dict)
{
	return reframe_new(dict, leave_out, NULL);
}
