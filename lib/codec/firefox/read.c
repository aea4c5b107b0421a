/* SPDX-License-Identifier: ISC */
/* Reads the file: metadata, shared tables, and threads. */
#include "reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

/* ---- metadata ---- */

static void
read_units(struct reader *rd)
{
	struct text key;

	for (json_read_object(&rd->doc.j); json_read_key(&rd->doc.j, &key); )
		if (text_is(key, "threadCPUDelta"))
			rd->cpu_unit = document_text(&rd->doc);
		else if (text_is(key, "time"))
			rd->offsets = text_is(document_text(&rd->doc), "bytes");
		else
			json_read_skip(&rd->doc.j);
}

/* Frames without a category get the first grey one. */
static void
read_category(struct reader *rd)
{
	struct text key, name = { 0 }, color = { 0 };
	uint32_t *to;

	for (json_read_object(&rd->doc.j); json_read_key(&rd->doc.j, &key); )
		if (text_is(key, "name"))
			name = document_text(&rd->doc);
		else if (text_is(key, "color"))
			color = document_text(&rd->doc);
		else
			json_read_skip(&rd->doc.j);
	rd->category = mem_grow(rd->category, &rd->capcategories, rd->ncategories + 1,
	    sizeof *rd->category);
	to = &rd->category[rd->ncategories++];
	*to = dict_str(rd->doc.d->dict, name);
	if (rd->other == NO_ID && text_is(color, "grey"))
		rd->other = *to;
}

static int
read_meta(void *arg)
{
	struct reader *rd = arg;
	struct json_reader *j = &rd->doc.j;
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, VERSION) && json_read_kind(j) == JSON_NUMBER)
			rd->processed = json_read_u64(j, &rd->version);
		else if (text_is(key, "version") && json_read_kind(j) == JSON_NUMBER)
			json_read_u64(j, &rd->gecko);
		else if (text_is(key, "product"))
			rd->product = document_text(&rd->doc);
		else if (text_is(key, "sampleUnits") && json_read_kind(j) == JSON_OBJECT)
			read_units(rd);
		else if (text_is(key, "categories") && json_read_kind(j) == JSON_ARRAY)
			for (json_read_array(j); json_read_item(j); )
				read_category(rd);
		else
			json_read_skip(j);
	return j->why ? -1 : 0;
}

static int
check_version(struct reader *rd)
{
	if (!rd->processed)
		return FAIL(rd, rd->at.meta, "a raw profile of Firefox, version "
		    "%" PRIu64 " of Gecko's format, cannot be read: open it on "
		    "profiler.firefox.com, and save it there", rd->gecko);
	if (rd->version < OLDEST)
		return FAIL(rd, rd->at.meta, "version %" PRIu64 " of the processed "
		    "format is older than %d, the oldest supported: open it on "
		    "profiler.firefox.com, and save it there", rd->version, OLDEST);
	if (rd->version > NEWEST)
		return FAIL(rd, rd->at.meta, "version %" PRIu64 " of the processed "
		    "format is newer than %d, the latest supported", rd->version, NEWEST);
	return 0;
}

/* ---- reading ---- */

/* Reads the members in the order of their dependencies, after all were found. */
static int
read_members(struct reader *rd)
{
	const struct { const char *key; const char **to; } members[] = {
		{ "meta", &rd->at.meta }, { "libs", &rd->at.libs },
		{ "shared", &rd->at.shared }, { "threads", &rd->at.threads },
	};
	struct json_reader *j = &rd->doc.j;
	struct text key;
	size_t i;

	for (json_read_object(j); json_read_key(j, &key); ) {
		for (i = 0; i < sizeof members / sizeof *members; i++)
			if (text_is(key, members[i].key))
				*members[i].to = document_at(&rd->doc);
		if (text_is(key, "counters") && json_read_kind(j) == JSON_ARRAY)
			for (json_read_array(j); json_read_item(j); rd->lost[LOST_COUNTERS]++)
				json_read_skip(j);
		else
			json_read_skip(j);
	}
	if (j->why)
		return -1;
	for (i = 0; i < sizeof members / sizeof *members; i++)
		if (!*members[i].to && members[i].to != &rd->at.libs &&
		    members[i].to != &rd->at.shared)
			return FAIL(rd, j->begin, "'%s' is missing", members[i].key);
	return 0;
}

static int
read_threads(void *arg)
{
	struct reader *rd = arg;

	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); )
		if (firefox_read_thread(rd) < 0)
			return -1;
	return rd->doc.j.why ? -1 : 0;
}

static int
read_file(struct reader *rd)
{
	struct document *doc = &rd->doc;

	if (read_members(rd) < 0 || document_reread(doc, rd->at.meta, read_meta, rd) < 0 ||
	    check_version(rd) < 0)
		return -1;
	if (rd->at.libs && rd->version >= SHARED_LIBS &&
	    document_reread(doc, rd->at.libs, firefox_read_libs, rd) < 0)
		return -1;
	if (rd->version >= SHARED_STRINGS && (!rd->at.shared ?
	    FAIL(rd, doc->j.begin, "'shared' is missing") :
	    document_reread(doc, rd->at.shared, firefox_read_shared, rd)) < 0)
		return -1;
	return document_reread(doc, rd->at.threads, read_threads, rd);
}

static void
reader_free(struct reader *rd)
{
	profiles_free(&rd->profiles);
	firefox_tables_free(rd->tables);
	js_functions_free(&rd->starts);
	free(rd->category);
	free(rd->lib);
	free(rd->string);
	free(rd->frame);
	free(rd->stack);
	free(rd->path);
}

int
firefox_decode(struct decode *d)
{
	struct reader rd = { .other = NO_ID, .tables = firefox_tables_new() };
	int ret = document_open(&rd.doc, d);

	js_functions_init(&rd.starts);
	if (ret == 0)
		ret = read_file(&rd);
	ret = document_close(&rd.doc, ret);
	if (ret == 0)
		ret = firefox_put_all(&rd);
	reader_free(&rd);
	return ret;
}
