/* SPDX-License-Identifier: ISC */
/*
 * Turns functions that were inlined at the address of a frame into frames below it, with
 * its address: costs and calls there are the innermost one's.  Frames that the profile
 * itself marks as inlined stay, so that none occurs twice.
 */
#include "filter/filter.h"

#include <stdlib.h>

#include "filter/frame_code.h"
#include "filter/reframe.h"
#include "stream/sums.h"
#include "util/mem.h"

struct expander {
	struct reframe frames;	/* whose sink it is */
	struct objects *objects;
	bool lines;		/* frames need them */
	uint32_t *innermost;	/* by context: its innermost frame; NO_ID: not looked up
				 * yet */
	size_t cap;
	struct sums asked;	/* by function and address, and by the same number: */
	struct place {
		size_t first;		/* index in v, of the first one */
		int n;
		uint32_t file, line;	/* of the innermost; NO_ID: unknown, or not
					 * needed */
	} *place;
	struct symbolize_inlined *v;
	size_t capplace, n, capv;
};

static int
ask(struct expander *e, struct sink *next, const struct ctx_def *frame, struct place *place)
{
	struct dict *dict = e->frames.dict;
	struct field file = { 0 }, line = { 0 };
	uint64_t in_file;
	struct symbolizer *s = frame_code(e->objects, dict, frame->func, frame->addr, &in_file);
	/* Inlined functions have files if other functions have them. */
	const bool files = e->lines || dict_def(dict, REC_FUNC, frame->func)[FUNC_FILE] != NO_ID;

	e->v = mem_grow(e->v, &e->capv, e->n + ELF_INLINED_MOST, sizeof *e->v);
	if (s && (place->n = symbolize_inlined(s, next, in_file, files, &e->v[e->n],
	    ELF_INLINED_MOST)) < 0)
		return -1;
	if (place->n && e->lines)
		symbolize_source(s, in_file, &file, &line);
	place->line = dict_line(dict, line.n, 0);
	place->file = place->line != NO_ID ? (uint32_t)file.n : NO_ID;
	return 0;
}

/* Looks up the functions at an address once. */
static int
find_place(struct expander *e, struct sink *next, const struct ctx_def *frame,
    struct place *place)
{
	const uint64_t key[2] = { frame->func, frame->addr };
	const size_t known = e->asked.n, i = sums_row(&e->asked, key);
	struct place *p;

	e->place = mem_reach(e->place, &e->capplace, i, sizeof *e->place, 0);
	p = &e->place[i];
	if (i == known) {
		*p = (struct place){ e->n, 0, NO_ID, NO_ID };
		if (ask(e, next, frame, p) < 0)
			return -1;
		e->n += (size_t)p->n;
	}
	*place = *p;
	return 0;
}

/* Sets a frame's line to that of a call in it. */
static void
set_call(struct dict *dict, struct ctx_def *frame, const struct symbolize_inlined *in)
{
	frame->line = dict_line(dict, in->call_line, 0);
	frame->file = frame->line != NO_ID ? in->call_file : NO_ID;
}

/* Puts frames below this one.  Its line, if any, is the instruction's, and so the innermost
 * function's: the other frames have the lines of calls. */
static int
put_frames(struct expander *e, struct sink *next, struct ctx_def frame, struct place place,
    uint32_t *ctx)
{
	const struct symbolize_inlined *in = &e->v[place.first];
	const struct symbolize_inlined *const end = in + place.n;
	const bool lines = e->lines || frame.line != NO_ID;
	const uint32_t line = frame.line != NO_ID ? frame.line : place.line;
	const uint32_t file = frame.line != NO_ID ? frame.file : place.file;
	struct dict *dict = e->frames.dict;

	if (lines) {
		set_call(dict, &frame, in);
		if (dict_put_ctx(dict, next, &frame, ctx) < 0)
			return -1;
	}
	for (; in < end; in++) {
		frame.parent = *ctx;
		frame.func = in->func;
		frame.attrs = dict_str(dict, TEXT("inlined=1"));
		frame.file = in + 1 < end ? NO_ID : file;
		frame.line = in + 1 < end ? NO_ID : line;
		if (lines && in + 1 < end)
			set_call(dict, &frame, in + 1);
		if (dict_put_ctx(dict, next, &frame, ctx) < 0)
			return -1;
	}
	return 0;
}

/* Changes *ctx to the innermost frame at its address. */
static int
go_in(void *arg, struct dict *dict, struct sink *next, uint32_t *ctx)
{
	struct expander *e = arg;
	const struct ctx_def frame = dict_ctx_def(dict, *ctx);
	struct place place = { 0 };
	uint32_t to = *ctx;

	e->innermost = mem_reach(e->innermost, &e->cap, *ctx, sizeof *e->innermost, 0xff);
	if (e->innermost[*ctx] == NO_ID) {
		if (frame.func != NO_ID && frame.addr != NO_ID &&
		    !reframe_is_inlined(dict, &frame) &&
		    (find_place(e, next, &frame, &place) < 0 || (place.n &&
		    put_frames(e, next, frame, place, &to) < 0)))
			return -1;
		e->innermost[*ctx] = to;
	}
	*ctx = e->innermost[*ctx];
	return 0;
}

/* Moves a frame below the innermost one of its caller, unless the profile itself marks it
 * as inlined. */
static int
move_below(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	return frame->parent == NO_ID || reframe_is_inlined(dict, frame) ||
	    go_in(arg, dict, next, &frame->parent) == 0 ? 1 : -1;
}

static unsigned
expander_takes(const struct sink *s)
{
	return sink_takes(s->next) & ~(unsigned)FORGETS_CONTEXTS;
}

static int
expander_put_lines(struct sink *s, const struct place_lines *l)
{
	return sink_put_lines(s->next, l);
}

static void
expander_free(struct sink *s)
{
	struct expander *e = (struct expander *)s;

	reframe_clear(&e->frames);
	sums_free(&e->asked);
	free(e->innermost);
	free(e->place);
	free(e->v);
	free(e);
}

struct sink *
filter_add_inlined(struct objects *objects, struct dict *dict, bool lines)
{
	struct expander *e = mem_alloc(1, sizeof *e);

	reframe_init(&e->frames, dict, move_below, e);
	e->frames.use = go_in;
	e->frames.sink.free = expander_free;
	e->frames.sink.takes = expander_takes;
	e->frames.sink.put_lines = expander_put_lines;
	e->objects = objects;
	e->lines = lines;
	sums_init(&e->asked, 2, 0);
	return &e->frames.sink;
}
