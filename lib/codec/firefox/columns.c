/* SPDX-License-Identifier: ISC */
/* The tables of a profile: stacks, frames and functions from their columns. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

#define MOST_ROWS (UINT32_MAX / 2)

/* ---- columns ---- */

/* A whole number; null, and what only says yes or no, is NONE. */
static int
read_cell(struct reader *rd, int64_t *v)
{
	const enum json_kind kind = json_read_kind(&rd->doc.j);
	const char *at = document_at(&rd->doc);
	num n;

	*v = NONE;
	if (kind == JSON_NULL || kind == JSON_TRUE || kind == JSON_FALSE) {
		json_read_skip(&rd->doc.j);
		return 0;
	}
	if (!json_read_int(&rd->doc.j, &n))
		return -1;
	if (n <= INT64_MIN || n > INT64_MAX)
		return FAIL(rd, at, "a number that does not fit 64 bits");
	*v = (int64_t)n;
	return 0;
}

int
firefox_read_column(struct reader *rd, struct cells *c)
{
	c->at = document_at(&rd->doc);
	c->n = 0;
	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); c->n++) {
		c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
		if (read_cell(rd, &c->v[c->n]) < 0)
			return -1;
		if (c->n == MOST_ROWS)
			return FAIL(rd, c->at, "too many rows");
	}
	return rd->doc.j.why ? -1 : 0;
}

static int
read_strings(void *arg)
{
	struct reader *rd = arg;
	struct text t;

	rd->nstrings = 0;
	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); ) {
		rd->string = mem_grow(rd->string, &rd->capstrings, rd->nstrings + 1,
		    sizeof *rd->string);
		if (!json_read_string(&rd->doc.j, &t))
			return -1;
		rd->string[rd->nstrings++] = dict_str(rd->doc.d->dict, t);
	}
	return rd->doc.j.why ? -1 : 0;
}

/* ---- libraries ---- */

/* The build ID is that of the file on systems that have one, else that of its symbols. */
static struct lib
read_lib(struct reader *rd)
{
	enum { PATH, NAME, CODE, BREAKPAD, MEMBERS };
	static const char *const names[MEMBERS] = { "path", "name", "codeId", "breakpadId" };
	struct text t[MEMBERS] = { 0 }, key;
	size_t i;

	for (json_read_object(&rd->doc.j); json_read_key(&rd->doc.j, &key); ) {
		for (i = 0; i < MEMBERS && !text_is(key, names[i]); i++)
			;
		if (i < MEMBERS)
			t[i] = document_text(&rd->doc);
		else
			json_read_skip(&rd->doc.j);
	}
	return (struct lib){ t[PATH].n ? t[PATH] : t[NAME], t[CODE].n ? t[CODE] : t[BREAKPAD] };
}

int
firefox_read_libs(void *arg)
{
	struct reader *rd = arg;

	rd->nlibs = 0;
	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); ) {
		rd->lib = mem_grow(rd->lib, &rd->caplibs, rd->nlibs + 1, sizeof *rd->lib);
		rd->lib[rd->nlibs++] = read_lib(rd);
	}
	return rd->doc.j.why ? -1 : 0;
}

/* ---- tables ---- */

enum table { STACKS, FRAMES, FUNCS, RESOURCES, SOURCES, TABLES };
/* What the numbers of a column are rows of, if that is no table. */
enum { STRINGS = TABLES, LIBS, ROWS, NUMBERS = ROWS };

static const char *const table_name[TABLES] = { "stackTable", "frameTable", "funcTable",
    "resourceTable", "sources" };

enum {
	STACK_FRAME, STACK_PREFIX, STACK_OFFSET,
	FRAME_FUNC, FRAME_ADDRESS, FRAME_DEPTH, FRAME_CATEGORY, FRAME_LINE, FRAME_COLUMN,
	FRAME_LIB, FRAME_ORIGINAL, FRAME_SUBCATEGORY, FRAME_SYMBOL,
	FUNC_TITLE, FUNC_RESOURCE, FUNC_FILE_NAME, FUNC_SOURCE, FUNC_LINE, FUNC_COLUMN,
	FUNC_ORIGINAL,
	RESOURCE_NAME, RESOURCE_LIB, RESOURCE_TYPE,
	SOURCE_NAME, COLUMNS
};

enum need { MUST, MAY, ENDS };	/* MAY: be absent; ENDS: and have fewer rows */

static const struct column_of {
	const char *name;
	enum table in;
	int of;			/* a table, STRINGS, LIBS or NUMBERS */
	unsigned from, to;	/* versions */
	enum need need;
} columns[COLUMNS] = {
	[STACK_FRAME] = { "frame", STACKS, FRAMES, OLDEST, NEWEST, MUST },
	[STACK_PREFIX] = { "prefix", STACKS, STACKS, OLDEST, 65, MUST },
	[STACK_OFFSET] = { "prefixOffset", STACKS, NUMBERS, 66, NEWEST, MUST },
	[FRAME_FUNC] = { "func", FRAMES, FUNCS, OLDEST, NEWEST, MUST },
	[FRAME_ADDRESS] = { "address", FRAMES, NUMBERS, OLDEST, NEWEST, MAY },
	[FRAME_DEPTH] = { "inlineDepth", FRAMES, NUMBERS, 40, NEWEST, MAY },
	[FRAME_CATEGORY] = { "category", FRAMES, NUMBERS, OLDEST, NEWEST, MAY },
	[FRAME_SUBCATEGORY] = { "subcategory", FRAMES, NUMBERS, OLDEST, NEWEST, ENDS },
	[FRAME_SYMBOL] = { "nativeSymbol", FRAMES, NUMBERS, OLDEST, NEWEST, ENDS },
	[FRAME_LINE] = { "line", FRAMES, NUMBERS, OLDEST, NEWEST, MAY },
	[FRAME_COLUMN] = { "column", FRAMES, NUMBERS, OLDEST, NEWEST, MAY },
	[FRAME_LIB] = { "lib", FRAMES, LIBS, 70, NEWEST, MUST },
	[FRAME_ORIGINAL] = { "originalLocation", FRAMES, NUMBERS, 64, NEWEST, MAY },
	[FUNC_TITLE] = { "name", FUNCS, STRINGS, OLDEST, NEWEST, MUST },
	[FUNC_RESOURCE] = { "resource", FUNCS, RESOURCES, OLDEST, NEWEST, MUST },
	[FUNC_FILE_NAME] = { "fileName", FUNCS, STRINGS, OLDEST, 57, MUST },
	[FUNC_SOURCE] = { "source", FUNCS, SOURCES, 58, NEWEST, MUST },
	[FUNC_LINE] = { "lineNumber", FUNCS, NUMBERS, OLDEST, NEWEST, MAY },
	[FUNC_COLUMN] = { "columnNumber", FUNCS, NUMBERS, OLDEST, NEWEST, MAY },
	[FUNC_ORIGINAL] = { "originalLocation", FUNCS, NUMBERS, 64, NEWEST, MAY },
	[RESOURCE_NAME] = { "name", RESOURCES, STRINGS, OLDEST, NEWEST, MUST },
	[RESOURCE_LIB] = { "lib", RESOURCES, LIBS, OLDEST, 69, ENDS },
	[RESOURCE_TYPE] = { "type", RESOURCES, NUMBERS, OLDEST, NEWEST, ENDS },
	[SOURCE_NAME] = { "filename", SOURCES, STRINGS, 58, NEWEST, MUST },
};

struct tables {
	const char *at[TABLES];
	struct cells col[COLUMNS];
	size_t n[ROWS];		/* of tables, strings, libs */
};

static bool
is_of(const struct reader *rd, size_t i, enum table table)
{
	return columns[i].in == table && columns[i].from <= rd->version &&
	    rd->version <= columns[i].to;
}

static int
read_table(struct reader *rd, struct tables *t, enum table table)
{
	struct json_reader *j = &rd->doc.j;
	struct text key;
	uint64_t n = 0;
	size_t i;

	t->at[table] = document_at(&rd->doc);
	for (json_read_object(j); json_read_key(j, &key); ) {
		for (i = 0; i < COLUMNS; i++)
			if (is_of(rd, i, table) && text_is(key, columns[i].name))
				break;
		if (text_is(key, "length"))
			json_read_u64(j, &n);
		else if (i == COLUMNS)
			json_read_skip(j);
		else if (firefox_read_column(rd, &t->col[i]) < 0)
			return -1;
	}
	t->n[table] = n;
	return j->why ? -1 : 0;
}

/* ---- what is in them ---- */

static int64_t
cell(const struct tables *t, size_t column, size_t row)
{
	return row < t->col[column].n ? t->col[column].v[row] : NONE;
}

/* The same, a number that must not be negative: NONE if it is. */
static int64_t
count(const struct tables *t, size_t column, size_t row)
{
	const int64_t v = cell(t, column, row);

	return v < 0 ? NONE : v;
}

static int
check_length(struct reader *rd, const struct tables *t, size_t i)
{
	const struct column_of *of = &columns[i];
	const struct cells *c = &t->col[i];

	if (!t->at[of->in] || !is_of(rd, i, of->in))
		return 0;
	if (!c->at && of->need == MUST)
		return FAIL(rd, t->at[of->in], "%s has no column %s", table_name[of->in],
		    of->name);
	if (c->at && (c->n > t->n[of->in] || (c->n < t->n[of->in] && of->need != ENDS)))
		return FAIL(rd, c->at, "column %s has %zu rows, but %s has %zu", of->name,
		    c->n, table_name[of->in], t->n[of->in]);
	return 0;
}

/* Numbers of rows: -1 and null are none, where there may be none. */
static int
check_rows(struct reader *rd, const struct tables *t, size_t i)
{
	const struct column_of *of = &columns[i];
	const struct cells *c = &t->col[i];
	const bool may = i != STACK_FRAME && i != FRAME_FUNC && i != FUNC_TITLE;
	size_t row;

	for (row = 0; of->of < ROWS && row < c->n; row++)
		if (c->v[row] >= 0 ? (uint64_t)c->v[row] >= t->n[of->of] :
		    !may || c->v[row] < -1)
			if (c->v[row] != NONE || !may)
				return FAIL(rd, c->at, "column %s: row %zu is no row of "
				    "a table of %zu", of->name, row, t->n[of->of]);
	return 0;
}

static int
check_tables(struct reader *rd, const struct tables *t)
{
	size_t i;

	for (i = 0; i < STRINGS; i++)
		if (!t->at[i] && (i != SOURCES || rd->version >= SHARED_TABLES))
			return FAIL(rd, rd->doc.j.at, "there is no %s", table_name[i]);
	for (i = 0; i < COLUMNS; i++)
		if (check_length(rd, t, i) < 0 || check_rows(rd, t, i) < 0)
			return -1;
	return 0;
}

/* ---- functions ---- */

static struct text
string(const struct reader *rd, int64_t i)
{
	return i == NONE ? (struct text){ 0 } : dict_text(rd->doc.d->dict, rd->string[i]);
}

/* A function is in the library, or what else it comes from: a host, an add-on. */
static void
find_object(const struct reader *rd, const struct tables *t, size_t frame, size_t func,
    struct start *f)
{
	const int64_t resource = count(t, FUNC_RESOURCE, func);
	int64_t lib = count(t, FRAME_LIB, frame);

	if (lib == NONE && resource != NONE)
		lib = count(t, RESOURCE_LIB, (size_t)resource);
	if (lib != NONE) {
		f->object = rd->lib[lib].path;
		f->object_key = rd->lib[lib].key;
	} else if (resource != NONE) {
		f->object = string(rd, count(t, RESOURCE_NAME, (size_t)resource));
	}
}

/* Is it in a library, but also of a host or an add-on?  1: the resource is the library
 * (ResourceType of src/types/profile.ts). */
static bool
has_origin(const struct tables *t, size_t frame)
{
	const int64_t resource = count(t, FUNC_RESOURCE, (size_t)cell(t, FRAME_FUNC, frame));

	return count(t, FRAME_LIB, frame) != NONE && resource != NONE &&
	    count(t, RESOURCE_TYPE, (size_t)resource) > 1;
}

static struct text
hex(char *p, uint64_t n)
{
	return (struct text){ p, (size_t)(num_put_hex(p, n) - p) };
}

static void
find_start(const struct reader *rd, const struct tables *t, size_t frame, struct start *f)
{
	const size_t func = (size_t)cell(t, FRAME_FUNC, frame);
	const int64_t source = count(t, FUNC_SOURCE, func), line = count(t, FUNC_LINE, func);
	const int64_t column = count(t, FUNC_COLUMN, func);
	const int64_t address = count(t, FRAME_ADDRESS, frame);
	const int64_t category = count(t, FRAME_CATEGORY, frame);
	char tmp[FIELD_TEXT];

	*f = (struct start){ .name = string(rd, cell(t, FUNC_TITLE, func)) };
	f->file = string(rd, source != NONE ? count(t, SOURCE_NAME, (size_t)source) :
	    count(t, FUNC_FILE_NAME, func));
	f->line = line == NONE ? 0 : (uint64_t)line;
	f->column = column == NONE ? 0 : (uint64_t)column;
	f->kernel = category != NONE && (size_t)category < rd->ncategories &&
	    text_is(dict_text(rd->doc.d->dict, rd->category[category]), "Kernel");
	find_object(rd, t, frame, func, f);
	/* Code without symbols is called by its address. */
	f->nameless = address != NONE && f->object.n &&
	    text_eq(f->name, hex(tmp, (uint64_t)address));
}

/* ---- frames and stacks ---- */

static uint32_t
line_of(struct reader *rd, const struct tables *t, size_t frame)
{
	const int64_t line = count(t, FRAME_LINE, frame);
	const int64_t column = count(t, FRAME_COLUMN, frame);
	struct field f = { .n = (uint64_t)line, .m = (uint64_t)column };
	char tmp[FIELD_TEXT];

	if (line == NONE || (!line && column <= 0))
		return NO_ID;
	f.has = HAS_N | (column > 0 ? HAS_M : 0);
	return dict_str(rd->doc.d->dict, (struct text){ tmp,
	    (size_t)(field_put_line(tmp, &f) - tmp) });
}

/* Those that are inlined have the address of the one around them. */
static void
add_frame(struct reader *rd, const struct tables *t, size_t i)
{
	const int64_t address = count(t, FRAME_ADDRESS, i);
	const int64_t category = count(t, FRAME_CATEGORY, i);
	struct frame_row *f;
	struct start start;
	char tmp[FIELD_TEXT];

	find_start(rd, t, i, &start);
	rd->frame = mem_grow(rd->frame, &rd->capframes, rd->nframes + 1, sizeof *rd->frame);
	f = &rd->frame[rd->nframes++];
	*f = (struct frame_row){ .line = line_of(rd, t, i), .addr = NO_ID, .category = NO_ID,
	    .inlined = cell(t, FRAME_DEPTH, i) > 0 };
	f->start = starts_add(&rd->starts, rd->doc.d->dict, &start);
	if (address != NONE && !f->inlined)
		f->addr = dict_str(rd->doc.d->dict, hex(tmp, (uint64_t)address));
	if (category != NONE && (size_t)category < rd->ncategories)
		f->category = rd->category[category];
	rd->lost[LOST_LOCATIONS] += cell(t, FRAME_ORIGINAL, i) != NONE;
	rd->lost[LOST_SUBCATEGORIES] += cell(t, FRAME_SUBCATEGORY, i) > 0;	/* 0: Other */
	rd->lost[LOST_ORIGINS] += has_origin(t, i);
	rd->lost[LOST_SYMBOLS] += count(t, FRAME_SYMBOL, i) != NONE;
}

/* *parent: the row of the table that is around this one; NONE. */
static int
find_parent(struct reader *rd, const struct tables *t, size_t i, int64_t *parent)
{
	const int64_t offset = cell(t, STACK_OFFSET, i);

	*parent = NONE;
	if (rd->version <= columns[STACK_PREFIX].to) {
		*parent = count(t, STACK_PREFIX, i);
		return *parent == NONE || (size_t)*parent < i ? 0 : FAIL(rd,
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
		s->parent = parent == NONE ? 0 : (uint32_t)(rd->first + (size_t)parent) + 1;
		s->category = rd->frame[s->frame].category;
		if (s->category == NO_ID)
			s->category = s->parent ? rd->stack[s->parent - 1].category : rd->other;
	}
	rd->last = rd->nstacks;
	return rd->nstacks > MOST_ROWS || rd->nframes > MOST_ROWS ?
	    FAIL(rd, t->at[STACKS], "too many stacks") : 0;
}

static int
add_rows(struct reader *rd, const struct tables *t)
{
	const size_t frames = rd->nframes;
	size_t i;

	if (check_tables(rd, t) < 0)
		return -1;
	for (i = 0; i < t->n[FRAMES]; i++)
		add_frame(rd, t, i);
	return add_stacks(rd, t, frames);
}

/* ---- all ---- */

/* Members that have been passed over. */
struct members {
	const char *strings, *libs;
};

static int
read_member(struct reader *rd, struct tables *t, struct text key, struct members *m)
{
	enum table i;

	for (i = 0; i < TABLES && !text_is(key, table_name[i]); i++)
		;
	if (i < TABLES)
		return read_table(rd, t, i);
	if (text_is(key, "stringArray"))
		m->strings = document_at(&rd->doc);
	else if (text_is(key, "libs") && rd->version < SHARED_LIBS)
		m->libs = document_at(&rd->doc);
	json_read_skip(&rd->doc.j);
	return 0;
}

static int
read_tables(struct reader *rd, struct tables *t)
{
	struct members m = { 0 };
	struct text key;

	for (json_read_object(&rd->doc.j); json_read_key(&rd->doc.j, &key); )
		if (read_member(rd, t, key, &m) < 0)
			return -1;
	if (rd->doc.j.why ||
	    (m.strings && document_reread(&rd->doc, m.strings, read_strings, rd) < 0) ||
	    (m.libs && document_reread(&rd->doc, m.libs, firefox_read_libs, rd) < 0))
		return -1;
	t->n[STRINGS] = rd->nstrings;
	t->n[LIBS] = rd->nlibs;
	return 0;
}

/* Of the tables in an object that come again; sources are shared before others are. */
static void
forget_tables(struct tables *t)
{
	size_t i;

	for (i = 0; i < COLUMNS; i++)
		if (columns[i].in != SOURCES) {
			t->col[i].at = NULL;
			t->col[i].n = 0;
		}
	for (i = 0; i < TABLES; i++)
		if (i != SOURCES)
			t->at[i] = NULL;
}

struct tables *
firefox_tables_new(void)
{
	return mem_alloc(1, sizeof (struct tables));
}

void
firefox_tables_free(struct tables *t)
{
	size_t i;

	for (i = 0; t && i < COLUMNS; i++)
		free(t->col[i].v);
	free(t);
}

int
firefox_read_shared(void *arg)
{
	struct reader *rd = arg;

	return read_tables(rd, rd->tables) < 0 ? -1 :
	    rd->version >= SHARED_TABLES ? add_rows(rd, rd->tables) : 0;
}

int
firefox_read_tables(void *arg)
{
	struct reader *rd = arg;

	forget_tables(rd->tables);
	return read_tables(rd, rd->tables) < 0 ? -1 : add_rows(rd, rd->tables);
}
