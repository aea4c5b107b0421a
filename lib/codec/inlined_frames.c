/* SPDX-License-Identifier: ISC */
#include "inlined_frames.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "stream/field.h"
#include "stream/stack.h"
#include "util/mem.h"
#include "util/num.h"

void
frames_init(struct frames *f, size_t bytes)
{
	*f = (struct frames){ 0 };
	limit_init(&f->inlined, bytes, 4, 1000000);
}

struct frame *
frames_add(struct frames *f)
{
	struct frame *frame;

	f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	frame = &f->v[f->n++];
	*frame = (struct frame){ .def = NO_CTX, .id = NO_ID };
	return frame;
}

/* Adds a frame of which only the object is known, which may be NO_ID. */
static int
add_nameless(struct frames *f, struct decode *d, uint32_t object)
{
	struct frame *frame = frames_add(f);
	struct func_def func = NO_FUNC;

	func.object = object;
	return object == NO_ID ? 0 : decode_func(d, &func, &frame->def.func);
}

int
frames_finish(struct frames *f, struct decode *d, size_t first, uint32_t object,
    uint64_t addr)
{
	struct frame *a, *b, t;
	size_t i;

	if (f->n == first && add_nameless(f, d, object) < 0)
		return -1;
	for (a = &f->v[first], b = &f->v[f->n - 1]; a < b; a++, b--) {
		t = *a;
		*a = *b;
		*b = t;
	}
	for (i = first; i < f->n; i++) {
		if (addr)
			f->v[i].def.addr = dict_addr(d->dict, addr);
		if (i > first)
			f->v[i].def.attrs = dict_str(d->dict, TEXT("inlined=1"));
	}
	f->v[f->n - 1].last = true;
	return 0;
}

int
frames_put(struct frames *f, struct decode *d, size_t first, uint32_t *ctx)
{
	size_t i = first;

	do {
		struct frame *frame = &f->v[i];

		if (frame->id == NO_ID)
			frame->id = dict_define_frame(d->dict, (const uint32_t *)&frame->def);
		if (stack_put_frame(d->dict, d->out, frame->id, ctx) < 0)
			return -1;
		if (i > first && !limit_add(&f->inlined, 1))
			return diag_fail(d->diag, "more than %" PRIu64 " inlined frames in "
			    "stacks, too many for a file of this size", f->inlined.most);
	} while (!f->v[i++].last);
	return 0;
}

void
frames_free(struct frames *f)
{
	free(f->v);
}

/* ---- places in tables ---- */

int
frames_func_make(struct frames_func *f, struct decode *d, const struct frames_entry *entry)
{
	f->def = NO_FUNC;
	f->object = f->id = NO_ID;
	f->def.name = dict_str(d->dict, entry->name);
	f->def.key = dict_str(d->dict, entry->linker);
	if (f->def.key == f->def.name)
		f->def.key = NO_ID;
	if (decode_file(d, entry->path, &f->def.file) < 0)
		return -1;
	f->def.attrs = dict_str(d->dict, entry->attrs);
	f->known = true;
	return 0;
}

int
frames_func_in(struct frames_func *f, struct decode *d, uint32_t object)
{
	if (f->id != NO_ID && f->object == object)
		return 0;
	f->object = f->def.object = object;
	return decode_func(d, &f->def, &f->id);
}

uint64_t
frames_number(uint64_t n)
{
	return n == UINT64_MAX ? 0 : n;
}

void
frames_place_read(struct frames_place *out, struct pb *m)
{
	struct pb_field f;

	*out = (struct frames_place){ 0 };
	while (pb_next(m, &f))
		switch (f.number) {
		case LINE_FUNCTION: out->func = f.n; break;
		case LINE_LINE: out->line = frames_number(f.n); break;
		case LINE_COLUMN: out->column = frames_number(f.n); break;
		}
}

void
frames_location_see(struct pb *m, uint64_t address, uint64_t line, bool *addrs, bool *lines)
{
	struct frames_place at;
	struct pb_field f;
	struct pb of_line;

	while (pb_next(m, &f)) {
		*addrs |= f.number == address && f.n;
		if (f.number != line || *lines)
			continue;
		of_line = pb_of(f.bytes);
		frames_place_read(&at, &of_line);
		*lines = at.line != 0;
		if (of_line.wrong) {
			*m = of_line;
			return;
		}
	}
}
