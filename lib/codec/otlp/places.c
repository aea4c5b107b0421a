/* SPDX-License-Identifier: ISC */
/* Mappings, functions, locations and stacks, which are defined when a sample needs them. */
#include "reader.h"

#include <inttypes.h>

#include "util/mem.h"

static void
add_number(struct reader *rd, const char *key, uint64_t n, bool hex)
{
	char tmp[NUM_TEXT], *end = hex ? num_put_hex(tmp, n) :
	    num_put_num(tmp, (num)(int64_t)n);

	if (n)
		attr_add(&rd->attrs, key, (struct text){ tmp, (size_t)(end - tmp) });
}

static struct text
attrs_of(const struct reader *rd)
{
	return rd->attrs.n ? buf_as_text(&rd->attrs) : (struct text){ 0 };
}

/* ---- mappings ---- */

/* Attributes with build IDs.  The first of these becomes the object's key, all others
 * attributes. */
static const char *const build_ids[] = {
	"process.executable.build_id.gnu", "process.executable.build_id.go",
	"process.executable.build_id.htlhash",
};

#define BUILD_IDS (sizeof build_ids / sizeof *build_ids)

static int
find_build_id(struct reader *rd, void *arg, struct text key, struct text value,
    struct text unit)
{
	size_t *best = arg, i;

	(void)value;
	(void)unit;
	(void)rd;
	for (i = 0; i < *best; i++)
		if (text_is(key, build_ids[i]))
			*best = i;
	return 0;
}

struct object {
	size_t build_id;	/* the one that is the key */
	uint32_t key;
};

static int
add_object_attribute(struct reader *rd, void *arg, struct text key, struct text value,
    struct text unit)
{
	struct object *o = arg;

	if (o->build_id == BUILD_IDS || !text_is(key, build_ids[o->build_id]))
		return otlp_add_attribute(rd, NULL, key, value, unit);
	o->key = dict_str(rd->d->dict, value);
	return 0;
}

static int
read_mapping(struct reader *rd, struct text message, uint32_t *object)
{
	static const char *const range[] = { "start", "limit", "offset" };
	struct object_def def = NO_OBJECT;
	struct object o = { BUILD_IDS, NO_ID };
	struct pb m = pb_of(message), ids = m;
	struct pb_field f;
	struct text path;
	const char *at;

	while (pb_next(&ids, &f))
		if (f.number == MAPPING_ATTRIBUTE &&
		    otlp_indexed(rd, f, find_build_id, &o.build_id) < 0)
			return -1;
	rd->attrs.n = 0;
	for (at = m.p; pb_next(&m, &f); at = m.p) {
		if (f.number >= MAPPING_START && f.number <= MAPPING_OFFSET)
			add_number(rd, range[f.number - MAPPING_START], f.n, true);
		if (f.number == MAPPING_FILE) {
			if (otlp_string(rd, at, f.n, &path) < 0)
				return -1;
			def.path = dict_str(rd->d->dict, path);
		}
		if (f.number == MAPPING_ATTRIBUTE &&
		    otlp_indexed(rd, f, add_object_attribute, &o) < 0)
			return -1;
	}
	if (m.wrong)
		return otlp_wrong(rd, &m);
	def.key = o.key;
	def.attrs = dict_str(rd->d->dict, attrs_of(rd));
	return decode_object_def(rd->d, &def, object);
}

static int
find_object(struct reader *rd, const char *at, uint64_t i, uint32_t *object)
{
	struct table *t = &rd->table[DICT_MAPPING];
	struct text message;

	*object = NO_ID;
	if (!i)
		return 0;
	if (otlp_entry(rd, at, DICT_MAPPING, i, &message) < 0 ||
	    (t->to[i] == UNPUT && read_mapping(rd, message, &t->to[i]) < 0))
		return -1;
	*object = t->to[i];
	return 0;
}

/* ---- functions ---- */

static int
read_function(struct reader *rd, struct text message, struct frames_func *func)
{
	struct frames_entry entry = { 0 };
	struct pb m = pb_of(message);
	struct pb_field f;
	const char *at;

	rd->attrs.n = 0;
	for (at = m.p; pb_next(&m, &f); at = m.p) {
		struct text *t = f.number == FUNCTION_NAME ? &entry.name :
		    f.number == FUNCTION_SYSTEM_NAME ? &entry.linker :
		    f.number == FUNCTION_FILE ? &entry.path : NULL;

		if (t && otlp_string(rd, at, f.n, t) < 0)
			return -1;
		if (f.number == FUNCTION_START_LINE)
			add_number(rd, "start", frames_number(f.n), false);
	}
	if (m.wrong)
		return otlp_wrong(rd, &m);
	if (!entry.name.s) {
		entry.name = entry.linker;
		entry.linker = (struct text){ 0 };
	}
	entry.attrs = attrs_of(rd);
	return frames_func_make(func, rd->d, &entry);
}

static int
add_line(struct reader *rd, struct text message, uint32_t object)
{
	struct frame *frame = frames_add(&rd->frames);
	struct pb m = pb_of(message);
	struct frames_place at;
	struct frames_func *func;
	struct text entry;

	frames_place_read(&at, &m);
	if (m.wrong)
		return otlp_wrong(rd, &m);
	if ((int64_t)at.line < 0 || (int64_t)at.column < 0)
		return FAIL(rd, message.s, "a line with a negative number");
	if (otlp_entry(rd, message.s, DICT_FUNCTION, at.func, &entry) < 0)
		return -1;
	func = &rd->func[at.func];
	if ((!func->known && read_function(rd, entry, func) < 0) ||
	    frames_func_in(func, rd->d, object) < 0)
		return -1;
	frame->def.func = func->id;
	frame->def.file = func->def.file;
	frame->def.line = dict_line(rd->d->dict, at.line, at.column);
	return 0;
}

/* ---- locations ---- */

/* Adds the location's attributes to its outer frame, which is not inlined. */
static int
add_frame_attributes(struct reader *rd, struct text message, size_t first)
{
	struct pb m = pb_of(message);
	struct pb_field f;

	rd->attrs.n = 0;
	while (pb_next(&m, &f))
		if (f.number == LOCATION_ATTRIBUTE &&
		    otlp_indexed(rd, f, otlp_add_attribute, NULL) < 0)
			return -1;
	rd->frames.v[first].def.attrs = dict_str(rd->d->dict, attrs_of(rd));
	return 0;
}

static int
read_location(struct reader *rd, struct text message, uint32_t *to)
{
	struct pb m = pb_of(message), lines = m;
	const size_t first = rd->frames.n;
	uint64_t addr = 0, mapping = 0;
	struct pb_field f;
	uint32_t object;

	while (pb_next(&m, &f))
		if (f.number == LOCATION_MAPPING)
			mapping = f.n;
		else if (f.number == LOCATION_ADDRESS)
			addr = f.n;
	if (find_object(rd, message.s, mapping, &object) < 0)
		return -1;
	while (pb_next(&lines, &f))
		if (f.number == LOCATION_LINE && add_line(rd, f.bytes, object) < 0)
			return -1;
	if (frames_finish(&rd->frames, rd->d, first, object, addr) < 0)
		return -1;
	*to = (uint32_t)first;
	return add_frame_attributes(rd, message, first);
}

/* ---- stacks ---- */

static int
put_frame(struct reader *rd, const char *at, uint64_t i, uint32_t *ctx)
{
	struct table *t = &rd->table[DICT_LOCATION];
	struct text message;

	if (otlp_entry(rd, at, DICT_LOCATION, i, &message) < 0 ||
	    (t->to[i] == UNPUT && read_location(rd, message, &t->to[i]) < 0))
		return -1;
	return frames_put(&rd->frames, rd->d, t->to[i], ctx);
}

/* Sets rd->location to all locations of a stack, the leaf first. */
static int
take_locations(struct reader *rd, struct text message)
{
	struct pb m = pb_of(message);
	struct pb_field f;
	const char *at;
	long n;

	rd->nlocation = 0;
	for (at = m.p; pb_next(&m, &f); at = m.p) {
		if (f.number != STACK_LOCATION)
			continue;
		if ((n = pb_count(&f)) < 0)
			return FAIL(rd, at, "malformed numbers of locations");
		rd->location = mem_grow(rd->location, &rd->caplocation,
		    rd->nlocation + (size_t)n, sizeof *rd->location);
		for (; n > 0 && pb_take(&f, &rd->location[rd->nlocation]); n--)
			rd->nlocation++;
	}
	return m.wrong ? otlp_wrong(rd, &m) : 0;
}

int
otlp_stack(struct reader *rd, const char *at, uint64_t i, uint32_t *ctx)
{
	struct table *t = &rd->table[DICT_STACK];
	struct text message;
	size_t k;

	*ctx = NO_ID;
	if (!i && !t->n)
		return 0;
	if (otlp_entry(rd, at, DICT_STACK, i, &message) < 0)
		return -1;
	if (t->to[i] == UNPUT) {
		if (take_locations(rd, message) < 0)
			return -1;
		for (k = rd->nlocation; k-- > 0; )
			if (put_frame(rd, message.s, rd->location[k], ctx) < 0)
				return -1;
		t->to[i] = *ctx;
	}
	*ctx = t->to[i];
	return 0;
}
