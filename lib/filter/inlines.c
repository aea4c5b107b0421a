/* SPDX-License-Identifier: ISC */
/*
 * Inlined frames are at the address of the frame around them; a stream may give one only
 * to that.  At the level of instructions they are not calls.
 */
#include "filter/filter.h"

#include "filter/reframe.h"

static int
give_addr(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	(void)arg;
	(void)next;
	if (frame->addr == NO_ID && reframe_is_inlined(dict, frame))
		frame->addr = dict_frame(dict, frame->parent)[CTX_ADDR];
	return 1;
}

static int
leave_out(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	(void)arg;
	(void)next;
	return !reframe_is_inlined(dict, frame);
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
