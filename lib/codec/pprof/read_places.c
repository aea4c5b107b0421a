/* SPDX-License-Identifier: ISC */
/* Mappings, functions and locations of a pprof profile, from the places that the first pass
 * found. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

static struct text
message_of(const struct reader *rd, const struct entry *e)
{
	return (struct text){ rd->file.s + e->at, e->n };
}

static uint32_t
attrs_of(struct reader *rd)
{
	return rd->attrs.n ? dict_str(rd->d->dict, buf_as_text(&rd->attrs)) : NO_ID;
}

/* ---- mappings ---- */

static void
add_hex(struct buf *b, const char *key, uint64_t n)
{
	char tmp[FIELD_TEXT];

	if (n)
		attr_add(b, key, num_text_hex(tmp, n));
}

static int
by_place(const void *a, const void *b)
{
	const struct entry *const *x = a, *const *y = b;

	return ((*x)->at > (*y)->at) - ((*x)->at < (*y)->at);
}

static int
put_mapping(struct reader *rd, struct entry *e)
{
	static const char *const range[] = { "start", "limit", "offset" };
	struct object_def object = NO_OBJECT;
	struct pb m = pb_of(message_of(rd, e));
	struct pb_field f;

	rd->attrs.n = rd->text.n = 0;
	while (pb_next(&m, &f)) {
		if (f.number >= MAPPING_START && f.number <= MAPPING_OFFSET)
			add_hex(&rd->attrs, range[f.number - MAPPING_START], f.n);
		else if (f.number == MAPPING_FILE || f.number == MAPPING_BUILD_ID) {
			if (pprof_str(rd, m.p, f.n, f.number == MAPPING_FILE ?
			    &object.path : &object.key) < 0)
				return -1;
		} else if (f.number >= MAPPING_HAS_FUNCTIONS &&
		    f.number <= MAPPING_HAS_INLINES && f.n)
			buf_printf(&rd->text, "%s%s", rd->text.n ? "," : "",
			    pprof_has[f.number - MAPPING_HAS_FUNCTIONS]);
	}
	if (rd->text.n)
		attr_add(&rd->attrs, "has", buf_as_text(&rd->text));
	object.attrs = attrs_of(rd);
	return decode_object_def(rd->d, &object, &e->to);
}

/* Puts mappings in the order of the file: the first one is the main program. */
int
pprof_put_mappings(struct reader *rd)
{
	const struct table *t = &rd->mapping;
	struct entry **order = mem_alloc(t->n + 1, sizeof *order);
	size_t i;
	int ret = 0;

	for (i = 0; i < t->n; i++)
		order[i] = &t->v[i];
	qsort(order, t->n, sizeof *order, by_place);
	for (i = 0; i < t->n && ret == 0; i++)
		ret = put_mapping(rd, order[i]);
	free(order);
	return ret;
}

/* ---- functions ---- */

static int
read_function(struct reader *rd, const struct entry *e, struct frames_func *func)
{
	struct pb m = pb_of(message_of(rd, e));
	uint64_t name = 0, system = 0, path = 0, start = 0;
	struct frames_entry entry = { 0 };
	char tmp[FIELD_TEXT];
	struct pb_field f;

	while (pb_next(&m, &f))
		switch (f.number) {
		case FUNCTION_NAME: name = f.n; break;
		case FUNCTION_SYSTEM_NAME: system = f.n; break;
		case FUNCTION_FILE: path = f.n; break;
		case FUNCTION_START_LINE: start = frames_number(f.n); break;
		}
	if (pprof_string(rd, m.p, name, &entry.name) < 0 ||
	    pprof_string(rd, m.p, system, &entry.linker) < 0 ||
	    pprof_string(rd, m.p, path, &entry.path) < 0)
		return -1;
	rd->attrs.n = 0;
	if (start)
		attr_add(&rd->attrs, "start", (struct text){ tmp,
		    (size_t)(pprof_put_signed(tmp, (int64_t)start) - tmp) });
	if (entry.name.s && !entry.linker.s)
		attr_add(&rd->attrs, "system", TEXT("none"));
	if (rd->attrs.n)
		entry.attrs = buf_as_text(&rd->attrs);
	return frames_func_make(func, rd->d, &entry);
}

/* Finds the function of a line, in the object of its location. */
static int
find_func(struct reader *rd, const char *at, uint64_t id, uint32_t object,
    const struct frames_func **out)
{
	struct entry *e = pprof_find(&rd->function, id);
	struct frames_func *func;

	if (!e)
		return FAIL(rd, at, "function %" PRIu64 " is not defined", id);
	func = &rd->func[e - rd->function.v];
	*out = func;
	if (!func->known && read_function(rd, e, func) < 0)
		return -1;
	return frames_func_in(func, rd->d, object);
}

/* ---- locations ---- */

static int
add_line(struct reader *rd, struct text message, uint32_t object)
{
	struct pb m = pb_of(message);
	struct frame *frame = frames_add(&rd->frames);
	const struct frames_func *func = NULL;
	struct frames_place at;

	frames_place_read(&at, &m);
	if (m.wrong)
		return pprof_wrong(rd, &m);
	if (find_func(rd, message.s, at.func, object, &func) < 0)
		return -1;
	frame->def.func = func->id;
	frame->def.file = func->def.file;
	if ((int64_t)at.line < 0 || (int64_t)at.column < 0)
		return FAIL(rd, message.s, "a line with a negative number");
	frame->def.line = dict_line(rd->d->dict, at.line, at.column);
	return 0;
}

static int
read_location(struct reader *rd, struct entry *e)
{
	struct pb m = pb_of(message_of(rd, e)), lines;
	const size_t first = rd->frames.n;
	uint32_t object = NO_ID;
	uint64_t addr = 0;
	bool folded = false;
	const struct entry *mapping;
	struct pb_field f;

	lines = m;
	while (pb_next(&m, &f)) {
		if (f.number == LOCATION_MAPPING && f.n) {
			if (!(mapping = pprof_find(&rd->mapping, f.n)))
				return FAIL(rd, m.p, "mapping %" PRIu64 " is not defined",
				    f.n);
			object = mapping->to;
		}
		if (f.number == LOCATION_ADDRESS)
			addr = f.n;
		if (f.number == LOCATION_IS_FOLDED)
			folded = f.n;
	}
	while (pb_next(&lines, &f))
		if (f.number == LOCATION_LINE && add_line(rd, f.bytes, object) < 0)
			return -1;
	if (frames_finish(&rd->frames, rd->d, first, object, addr) < 0)
		return -1;
	if (folded)
		rd->frames.v[first].def.attrs = dict_str(rd->d->dict, TEXT("folded=1"));
	e->to = (uint32_t)first;
	return 0;
}

int
pprof_read_locations(struct reader *rd)
{
	size_t i;

	rd->func = mem_alloc(rd->function.n + 1, sizeof *rd->func);
	for (i = 0; i < rd->location.n; i++)
		if (read_location(rd, &rd->location.v[i]) < 0)
			return -1;
	return 0;
}
