/* SPDX-License-Identifier: ISC */
/*
 * The chosen functions keep their lines.  All others move to one file without lines, so
 * that lines shared by several functions have only the cost of the chosen ones.
 */
#include "filter/filter.h"

#include <stdlib.h>

#include "filter/reframe.h"
#include "util/mem.h"

struct places {
	struct reframe frames;	/* the filter */
	struct dict *dict;
	bool (*keeps)(void *arg, uint64_t func);
	void *arg;
	uint32_t file;		/* of all others; NO_ID: not known yet */
};

static int
find_nowhere(struct places *p)
{
	if (p->file != NO_ID)
		return 0;
	return dict_put_path(p->dict, p->frames.sink.next, REC_FILE,
	    dict_str(p->dict, TEXT("")), &p->file);
}

static int
move_frame(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	struct places *p = arg;

	(void)dict;
	(void)next;
	if (p->keeps(p->arg, frame->func))
		return 1;
	if (find_nowhere(p) < 0)
		return -1;
	frame->file = p->file;
	frame->line = NO_ID;
	return 1;
}

static int
places_put(struct sink *s, const struct record *r)
{
	struct places *p = (struct places *)s;
	const enum rec_kind kind = rec_kind(r);
	struct record out;

	if ((kind != REC_COST && kind != REC_CALL) || p->keeps(p->arg, r->col[PLACE_FUNC].n))
		return reframe_put(s, r);
	if (find_nowhere(p) < 0)
		return -1;
	rec_copy(&out, r);
	out.col[PLACE_FILE] = (struct field){ .has = HAS_N, .n = p->file };
	out.col[PLACE_LINE] = (struct field){ .has = 0 };
	return reframe_put(s, &out);
}

static void
places_free(struct sink *s)
{
	reframe_clear((struct reframe *)s);
	free(s);
}

struct sink *
filter_only_places(struct dict *dict, bool (*keeps)(void *arg, uint64_t func), void *arg)
{
	struct places *p = mem_alloc(1, sizeof *p);

	reframe_init(&p->frames, dict, move_frame, p);
	p->frames.sink.put = places_put;
	p->frames.sink.free = places_free;
	p->dict = dict;
	p->keeps = keeps;
	p->arg = arg;
	p->file = NO_ID;
	return &p->frames.sink;
}
