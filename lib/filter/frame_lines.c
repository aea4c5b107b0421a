/* SPDX-License-Identifier: ISC */
/*
 * Gives frames the lines of their addresses.  If functions were inlined at an address, the
 * line table has the line of the innermost: the frames around it, whose lines are those of
 * calls, get none.
 */
#include "filter/filter.h"

#include <stdlib.h>

#include "filter/frame_code.h"
#include "filter/reframe.h"
#include "stream/sums.h"
#include "util/mem.h"

struct place {
	uint32_t file, line;	/* NO_ID: not known */
};

struct framer {
	struct reframe frames;	/* the filter */
	struct objects *objects;
	struct sums asked;	/* by function and address; a row's number is the place's */
	struct place *place;
	size_t cap;
};

static struct place
find_place(struct framer *f, uint32_t func, uint32_t addr)
{
	struct dict *dict = f->frames.dict;
	struct field file = { 0 }, line = { 0 };
	uint64_t in_file;
	struct symbolizer *s = frame_code(f->objects, dict, func, addr, &in_file);

	if (s)
		symbolize_source(s, in_file, &file, &line);
	if (!line.has)
		return (struct place){ NO_ID, NO_ID };
	return (struct place){ (uint32_t)file.n, dict_line(dict, line.n, 0) };
}

/* Returns the function whose code a frame is in, regardless of functions inlined into
 * it. */
static uint32_t
code_of(const struct dict *dict, struct ctx_def frame)
{
	while (reframe_is_inlined(dict, &frame))
		frame = dict_ctx_def(dict, frame.parent);
	return frame.func;
}

static struct place
place_of(struct framer *f, const struct ctx_def *frame)
{
	const uint32_t func = code_of(f->frames.dict, *frame);
	const uint64_t key[2] = { func, frame->addr };
	const size_t known = f->asked.n, i = sums_row(&f->asked, key);

	if (i == known) {
		f->place = mem_grow(f->place, &f->cap, i + 1, sizeof *f->place);
		f->place[i] = find_place(f, func, frame->addr);
	}
	return f->place[i];
}

/* Takes the line from the frame around an inlined one at the same address, which has it so
 * far. */
static int
take_line(struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	struct ctx_def outer = dict_ctx_def(dict, frame->parent);

	if (outer.line != frame->line || outer.file != frame->file ||
	    outer.addr != frame->addr)
		return 1;
	outer.file = outer.line = NO_ID;
	return dict_put_ctx(dict, next, &outer, &frame->parent) < 0 ? -1 : 1;
}

static int
set_line(void *arg, struct dict *dict, struct sink *next, struct ctx_def *frame)
{
	struct place at;

	if (frame->line != NO_ID || frame->func == NO_ID || frame->addr == NO_ID)
		return 1;
	at = place_of(arg, frame);
	if (at.line == NO_ID)
		return 1;
	frame->file = at.file;
	frame->line = at.line;
	return reframe_is_inlined(dict, frame) ? take_line(dict, next, frame) : 1;
}

/* Costs and jumps have no context. */
static unsigned
framer_takes(const struct sink *s)
{
	return sink_takes(s->next) & ~(unsigned)FORGETS_CONTEXTS;
}

static int
framer_put_lines(struct sink *s, const struct place_lines *l)
{
	return sink_put_lines(s->next, l);
}

static void
framer_free(struct sink *s)
{
	struct framer *f = (struct framer *)s;

	reframe_clear(&f->frames);
	sums_free(&f->asked);
	free(f->place);
	free(f);
}

struct sink *
filter_frame_lines(struct objects *objects, struct dict *dict)
{
	struct framer *f = mem_alloc(1, sizeof *f);

	reframe_init(&f->frames, dict, set_line, f);
	f->frames.sink.free = framer_free;
	f->frames.sink.takes = framer_takes;
	f->frames.sink.put_lines = framer_put_lines;
	f->objects = objects;
	sums_init(&f->asked, 2, 0);
	return &f->frames.sink;
}
