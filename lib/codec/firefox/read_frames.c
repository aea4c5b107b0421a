/* SPDX-License-Identifier: ISC */
/* Stacks, frames and functions from the tables. */
#include "tables.h"

#include "util/mem.h"

/* ---- functions ---- */

static struct text
string(const struct reader *rd, int64_t i)
{
	return i == NO_NUMBER ? (struct text){ 0 } : dict_text(rd->doc.d->dict, rd->string[i]);
}

/* Finds the object of a function: its library, or another source, such as a host or an
 * add-on. */
static void
find_object(const struct reader *rd, const struct tables *t, size_t frame, size_t func,
    struct js_function *f)
{
	const int64_t resource = count(t, FUNC_RESOURCE, func);
	int64_t lib = count(t, FRAME_LIB, frame);

	if (lib == NO_NUMBER && resource != NO_NUMBER)
		lib = count(t, RESOURCE_LIB, (size_t)resource);
	if (lib != NO_NUMBER) {
		f->object = rd->lib[lib].path;
		f->object_key = rd->lib[lib].key;
	} else if (resource != NO_NUMBER) {
		f->object = string(rd, count(t, RESOURCE_NAME, (size_t)resource));
	}
}

/* Is it in a library, but also from a host or an add-on?  1: the resource is the library
 * (ResourceType of src/types/profile.ts). */
static bool
has_origin(const struct tables *t, size_t frame)
{
	const int64_t resource = count(t, FUNC_RESOURCE, (size_t)cell(t, FRAME_FUNC, frame));

	return count(t, FRAME_LIB, frame) != NO_NUMBER && resource != NO_NUMBER &&
	    count(t, RESOURCE_TYPE, (size_t)resource) > 1;
}

static void
find_start(const struct reader *rd, const struct tables *t, size_t frame, struct js_function *f)
{
	const size_t func = (size_t)cell(t, FRAME_FUNC, frame);
	const int64_t source = count(t, FUNC_SOURCE, func), line = count(t, FUNC_LINE, func);
	const int64_t column = count(t, FUNC_COLUMN, func);
	const int64_t address = count(t, FRAME_ADDRESS, frame);
	const int64_t category = count(t, FRAME_CATEGORY, frame);
	char tmp[FIELD_TEXT];

	*f = (struct js_function){ .name = string(rd, cell(t, FUNC_TITLE, func)) };
	f->file = string(rd, source != NO_NUMBER ? count(t, SOURCE_NAME, (size_t)source) :
	    count(t, FUNC_FILE_NAME, func));
	f->line = line == NO_NUMBER ? 0 : (uint64_t)line;
	f->column = column == NO_NUMBER ? 0 : (uint64_t)column;
	f->kernel = category != NO_NUMBER && (size_t)category < rd->ncategories &&
	    text_is(dict_text(rd->doc.d->dict, rd->category[category]), "Kernel");
	find_object(rd, t, frame, func, f);
	/* Code without symbols is named by its address. */
	f->nameless = address != NO_NUMBER && f->object.n &&
	    text_eq(f->name, num_text_hex(tmp, (uint64_t)address));
}

/* ---- frames and stacks ---- */

static uint32_t
line_of(struct reader *rd, const struct tables *t, size_t frame)
{
	const int64_t line = count(t, FRAME_LINE, frame);
	const int64_t column = count(t, FRAME_COLUMN, frame);

	return line == NO_NUMBER ? NO_ID :
	    dict_line(rd->doc.d->dict, (uint64_t)line, column > 0 ? (uint64_t)column : 0);
}

/* Adds a frame.  Inlined frames have the address of the one around them. */
static void
add_frame(struct reader *rd, const struct tables *t, size_t i)
{
	const int64_t address = count(t, FRAME_ADDRESS, i);
	const int64_t category = count(t, FRAME_CATEGORY, i);
	struct frame_row *f;
	struct js_function start;

	find_start(rd, t, i, &start);
	rd->frame = mem_grow(rd->frame, &rd->capframes, rd->nframes + 1, sizeof *rd->frame);
	f = &rd->frame[rd->nframes++];
	*f = (struct frame_row){ .line = line_of(rd, t, i), .addr = NO_ID, .category = NO_ID,
	    .inlined = cell(t, FRAME_DEPTH, i) > 0 };
	f->start = js_functions_add(&rd->starts, rd->doc.d->dict, &start);
	if (address != NO_NUMBER)
		f->addr = dict_addr(rd->doc.d->dict, (uint64_t)address);
	if (category != NO_NUMBER && (size_t)category < rd->ncategories)
		f->category = rd->category[category];
	rd->lost[LOST_LOCATIONS] += cell(t, FRAME_ORIGINAL, i) != NO_NUMBER;
	rd->lost[LOST_SUBCATEGORIES] += cell(t, FRAME_SUBCATEGORY, i) > 0;	/* 0: Other */
	rd->lost[LOST_ORIGINS] += has_origin(t, i);
	rd->lost[LOST_SYMBOLS] += count(t, FRAME_SYMBOL, i) != NO_NUMBER;
}

/* *parent: the row of the table that is around this one; NO_NUMBER. */
static int
find_parent(struct reader *rd, const struct tables *t, size_t i, int64_t *parent)
{
	const int64_t offset = cell(t, STACK_OFFSET, i);

	*parent = NO_NUMBER;
	if (rd->version < PREFIX_OFFSETS) {
		*parent = count(t, STACK_PREFIX, i);
		return *parent == NO_NUMBER || (size_t)*parent < i ? 0 : FAIL(rd,
		    t->col[STACK_PREFIX].at, "stack %zu comes before its caller", i);
	}
	if (offset < 0 || (uint64_t)offset > i)
		return FAIL(rd, t->col[STACK_OFFSET].at, "stack %zu has no such prefixOffset",
		    i);
	if (offset)
		*parent = (int64_t)i - offset;
	return 0;
}

static int
add_stacks(struct reader *rd, const struct tables *t, size_t frames)
{
	struct stack_row *s;
	int64_t parent;
	size_t i;

	rd->first = rd->nstacks;
	for (i = 0; i < t->n[STACKS]; i++) {
		if (find_parent(rd, t, i, &parent) < 0)
			return -1;
		rd->stack = mem_grow(rd->stack, &rd->capstacks, rd->nstacks + 1,
		    sizeof *rd->stack);
		s = &rd->stack[rd->nstacks++];
		*s = (struct stack_row){ .frame = (uint32_t)(frames +
		    (size_t)cell(t, STACK_FRAME, i)), .ctx = NO_ID };
		s->parent = parent == NO_NUMBER ? 0 : (uint32_t)(rd->first + (size_t)parent) + 1;
		s->category = rd->frame[s->frame].category;
		if (s->category == NO_ID)
			s->category = s->parent ? rd->stack[s->parent - 1].category : rd->other;
	}
	rd->last = rd->nstacks;
	return rd->nstacks > MOST_ROWS || rd->nframes > MOST_ROWS ?
	    FAIL(rd, t->at[STACKS], "too many stacks") : 0;
}

int
firefox_add_rows(struct reader *rd, const struct tables *t)
{
	const size_t frames = rd->nframes;
	size_t i;

	for (i = 0; i < t->n[FRAMES]; i++)
		add_frame(rd, t, i);
	for (i = 0; i < t->n[FUNCS]; i++)
		rd->lost[LOST_FUNCTION_LOCATIONS] += cell(t, FUNC_ORIGINAL, i) != NO_NUMBER;
	return add_stacks(rd, t, frames);
}
