/* SPDX-License-Identifier: ISC */
/* Writes the tables of a pprof profile: mappings, functions and locations. */
#include "writer.h"

#include <stdlib.h>

#include "codec/inlined_frames.h"
#include "codec/program.h"
#include "util/mem.h"

/* In the message an empty string is not a name. */
static uint64_t
name_of(struct writer *w, struct text t)
{
	if (t.s && !t.n)
		loss_add(w->e.loss, "empty names (written as none)");
	return pprof_string_of(w, t);
}

/* Reports attributes for which the message has no field as dropped; `known` ends with
 * NULL. */
static void
lose_attrs(struct writer *w, uint32_t attrs, const char *const *known, const char *what)
{
	struct text rest = dict_text(w->e.dict, attrs), key, value;
	struct buf scratch = { 0 };
	size_t i;

	for (; rest.n && attr_next(&rest, &scratch, &key, &value); scratch.n = 0) {
		for (i = 0; known[i] && !text_is(key, known[i]); i++)
			;
		if (!known[i])
			loss_add(w->e.loss, what);
	}
	buf_free(&scratch);
}

/* ---- mappings ---- */

uint64_t
pprof_mapping_of(struct writer *w, uint32_t object)
{
	if (object == NO_ID)
		return 0;
	w->mapping = mem_reach(w->mapping, &w->capmapping, object, sizeof *w->mapping, 0);
	if (!w->mapping[object]) {
		w->object = mem_grow(w->object, &w->capobject, w->nmapping + 1,
		    sizeof *w->object);
		w->object[w->nmapping++] = object;
		w->mapping[object] = (uint32_t)w->nmapping;
	}
	return w->mapping[object];
}

static uint32_t
object_of(const struct writer *w, const uint64_t *location)
{
	return location[LOC_FUNC] == NO_ID ? NO_ID :
	    dict_def(w->e.dict, REC_FUNC, (uint32_t)location[LOC_FUNC])[FUNC_OBJECT];
}

/* Returns the object with most locations, of those that may be the program; NO_ID: none. */
static uint32_t
find_program(const struct writer *w)
{
	uint64_t *count = mem_alloc(dict_count(w->e.dict, REC_OBJECT) + 1, sizeof *count);
	uint32_t program = NO_ID;
	size_t i;

	for (i = 0; i < w->locations.n; i++) {
		const uint32_t object = object_of(w, sums_key(&w->locations, i));

		if (object != NO_ID && program_may_be(dict_object_path(w->e.dict, object)) &&
		    ++count[object] > (program == NO_ID ? 0 : count[program]))
			program = object;
	}
	free(count);
	return program;
}

static uint64_t
hex_attr(struct writer *w, struct text attrs, const char *key)
{
	struct field f = { 0 };
	struct text v;

	w->scratch.n = 0;
	v = attr_get(attrs, key, &w->scratch);
	return v.s && field_get_addr(v, &f) && f.has == HAS_N ? f.n : 0;
}

static void
put_mapping(struct writer *w, size_t i)
{
	const uint32_t *cols = dict_def(w->e.dict, REC_OBJECT, w->object[i]);
	struct text attrs = dict_text(w->e.dict, cols[OBJECT_ATTRS]), has;
	const uint32_t path = cols[OBJECT_PATH], key = cols[OBJECT_KEY];
	unsigned k;
	const bool own = pprof_is_own(w);

	lose_attrs(w, cols[OBJECT_ATTRS], (const char *const[]){ "start", "limit", "offset",
	    "has", NULL }, "attributes of objects");
	w->message.n = 0;
	pb_put(&w->message, MAPPING_ID, i + 1);
	pb_put(&w->message, MAPPING_START, hex_attr(w, attrs, "start"));
	pb_put(&w->message, MAPPING_LIMIT, hex_attr(w, attrs, "limit"));
	pb_put(&w->message, MAPPING_OFFSET, hex_attr(w, attrs, "offset"));
	pb_put(&w->message, MAPPING_FILE, name_of(w, dict_text(w->e.dict, path)));
	pb_put(&w->message, MAPPING_BUILD_ID, pprof_string_of_id(w, key));
	w->scratch.n = 0;
	has = attr_get(attrs, "has", &w->scratch);
	for (k = 0; k < PPROF_HAS; k++)
		/* Profiles from other formats have the names: readers need not look for
		 * them. */
		pb_put(&w->message, MAPPING_HAS_FUNCTIONS + k, own ? has.s &&
		    memmem(has.s, has.n, pprof_has[k], strlen(pprof_has[k])) : k < 3);
	pprof_put_message(w, PROFILE_MAPPING, &w->message);
}

/* ---- functions ---- */

static uint64_t
function_of(struct writer *w, uint32_t func, uint32_t file)
{
	const uint64_t key[FN_KEYS] = { func, file };

	return sums_row(&w->functions, key) + 1;
}

static void
put_function(struct writer *w, size_t row)
{
	const uint64_t *key = sums_key(&w->functions, row);
	const uint32_t *cols = dict_def(w->e.dict, REC_FUNC, (uint32_t)key[FN_FUNC]);
	const uint32_t name = cols[FUNC_NAME], system = cols[FUNC_KEY];
	const uint32_t file = key[FN_FILE] != NO_ID ? (uint32_t)key[FN_FILE] : cols[FUNC_FILE];
	const struct text attrs = dict_text(w->e.dict, cols[FUNC_ATTRS]);
	struct text start;
	uint64_t n = 0;

	lose_attrs(w, cols[FUNC_ATTRS], (const char *const[]){ "start", "system", NULL },
	    "attributes of functions");
	if (file != cols[FUNC_FILE] && (uint32_t)key[FN_FUNC] != NO_ID)
		loss_add(w->e.loss, "files of functions whose lines are in another file");
	w->scratch.n = 0;
	start = attr_get(attrs, "start", &w->scratch);
	pprof_get_int(start, &n);
	w->message.n = 0;
	pb_put(&w->message, FUNCTION_ID, row + 1);
	pb_put(&w->message, FUNCTION_NAME, name_of(w, dict_text(w->e.dict, name)));
	if (!attr_has(attrs, "system"))
		pb_put(&w->message, FUNCTION_SYSTEM_NAME,
		    pprof_string_of_id(w, system != NO_ID ? system : name));
	if (file != NO_ID)
		pb_put(&w->message, FUNCTION_FILE, name_of(w, dict_path(w->e.dict, file)));
	pb_put(&w->message, FUNCTION_START_LINE, n);
	pprof_put_message(w, PROFILE_FUNCTION, &w->message);
}

/* ---- locations ---- */

/* Is a frame, alone in its location, a line?  One without names needs none. */
static bool
is_line(struct writer *w, const uint64_t *key)
{
	const uint32_t *func;

	if (key[LOC_FUNC] == NO_ID) {
		if (key[LOC_FILE] != NO_ID || key[LOC_LINE] != NO_ID)
			loss_add(w->e.loss, "lines without a function");
		return false;
	}
	func = dict_def(w->e.dict, REC_FUNC, (uint32_t)key[LOC_FUNC]);
	return func[FUNC_NAME] != NO_ID || func[FUNC_KEY] != NO_ID ||
	    func[FUNC_FILE] != NO_ID || func[FUNC_ATTRS] != NO_ID ||
	    key[LOC_FILE] != NO_ID || key[LOC_LINE] != NO_ID;
}

static void
add_line(struct writer *w, const uint64_t *key, bool alone)
{
	struct field line = { 0 };

	lose_attrs(w, (uint32_t)key[LOC_ATTRS], (const char *const[]){ "inlined", "folded",
	    NULL }, "attributes of frames");
	if (alone && !is_line(w, key))
		return;
	if (key[LOC_LINE] != NO_ID)
		field_get_line(dict_text(w->e.dict, (uint32_t)key[LOC_LINE]), &line);
	w->part.n = 0;
	pb_put(&w->part, LINE_FUNCTION, function_of(w, (uint32_t)key[LOC_FUNC],
	    (uint32_t)key[LOC_FILE]));
	pb_put(&w->part, LINE_LINE, line.has & HAS_N ? line.n : 0);
	pb_put(&w->part, LINE_COLUMN, line.has & HAS_M ? line.m : 0);
	pb_put_bytes(&w->message, LOCATION_LINE, buf_as_text(&w->part));
}

static void
put_location(struct writer *w, size_t row)
{
	const uint64_t *key = sums_key(&w->locations, row), *outer = key;
	const bool alone = key[LOC_PREFIX] == NO_ID;
	struct field addr = { 0 };
	struct text folded;

	if (row >= w->capnumber || !w->number[row])
		return;		/* a part of another one */
	w->message.n = 0;
	pb_put(&w->message, LOCATION_ID, w->number[row]);
	while (outer[LOC_PREFIX] != NO_ID)
		outer = sums_key(&w->locations, outer[LOC_PREFIX]);
	for (; key != outer; key = sums_key(&w->locations, key[LOC_PREFIX])) {
		add_line(w, key, alone);
		if (object_of(w, key) != NO_ID && object_of(w, key) != object_of(w, outer))
			loss_add(w->e.loss, "objects of inlined functions");
		if (key[LOC_ADDR] != NO_ID && key[LOC_ADDR] != outer[LOC_ADDR])
			loss_add(w->e.loss, "addresses of inlined functions");
	}
	add_line(w, key, alone);
	pb_put(&w->message, LOCATION_MAPPING, pprof_mapping_of(w, object_of(w, key)));
	if (key[LOC_ADDR] != NO_ID &&
	    field_get_addr(dict_text(w->e.dict, (uint32_t)key[LOC_ADDR]), &addr) &&
	    addr.has & HAS_N)
		pb_put(&w->message, LOCATION_ADDRESS, addr.n);
	w->scratch.n = 0;
	folded = attr_get(dict_text(w->e.dict, (uint32_t)key[LOC_ATTRS]), "folded",
	    &w->scratch);
	pb_put(&w->message, LOCATION_IS_FOLDED, text_is(folded, "1"));
	pprof_put_message(w, PROFILE_LOCATION, &w->message);
}

/* Locations number the mappings and functions that they are in.  Readers take the first
 * mapping for the program. */
void
pprof_put_tables(struct writer *w)
{
	size_t i;

	if (!pprof_is_own(w))
		pprof_mapping_of(w, find_program(w));
	for (i = 0; i < w->locations.n; i++)
		put_location(w, i);
	for (i = 0; i < w->nmapping; i++)
		put_mapping(w, i);
	for (i = 0; i < w->functions.n; i++)
		put_function(w, i);
}
