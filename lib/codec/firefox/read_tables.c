/* SPDX-License-Identifier: ISC */
/* The tables of a profile, column by column. */
#include "tables.h"

#include <stdlib.h>

#include "util/mem.h"

static const char *const table_name[TABLES] = { "stackTable", "frameTable", "funcTable",
    "resourceTable", "sources" };

enum need { MUST, MAY, ENDS };	/* MAY: may be absent; ENDS: may also have fewer rows */

static const struct column_of {
	const char *name;
	enum table in;
	int of;			/* a table, STRINGS, LIBS or NUMBERS */
	unsigned from, to;	/* versions */
	enum need need;
} columns[COLUMNS] = {
	[STACK_FRAME] = { "frame", STACKS, FRAMES, OLDEST, NEWEST, MUST },
	[STACK_PREFIX] = { "prefix", STACKS, STACKS, OLDEST, PREFIX_OFFSETS - 1, MUST },
	[STACK_OFFSET] = { "prefixOffset", STACKS, NUMBERS, PREFIX_OFFSETS, NEWEST, MUST },
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

/* ---- checks ---- */

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

/* Checks numbers of rows; -1 and null stand for none, where that is allowed. */
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
			if (c->v[row] != NO_NUMBER || !may)
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
			return FAIL(rd, rd->doc.j.at, "'%s' is missing", table_name[i]);
	for (i = 0; i < COLUMNS; i++)
		if (check_length(rd, t, i) < 0 || check_rows(rd, t, i) < 0)
			return -1;
	return 0;
}

/* ---- all tables ---- */

static int
add_rows(struct reader *rd, const struct tables *t)
{
	return check_tables(rd, t) < 0 ? -1 : firefox_add_rows(rd, t);
}

/* Members that were skipped, to be read later. */
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
	    (m.strings && document_reread(&rd->doc, m.strings, firefox_read_strings, rd) < 0) ||
	    (m.libs && document_reread(&rd->doc, m.libs, firefox_read_libs, rd) < 0))
		return -1;
	t->n[STRINGS] = rd->nstrings;
	t->n[LIBS] = rd->nlibs;
	return 0;
}

/* Forgets the tables of a thread before the next one: all except sources, which are shared
 * from earlier versions on than others, strings and libraries. */
static void
forget_tables(struct reader *rd, struct tables *t)
{
	size_t i;

	if (rd->version < SHARED_STRINGS)
		rd->nstrings = 0;
	if (rd->version < SHARED_LIBS)
		rd->nlibs = 0;
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

	forget_tables(rd, rd->tables);
	return read_tables(rd, rd->tables) < 0 ? -1 : add_rows(rd, rd->tables);
}
