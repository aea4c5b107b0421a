/* SPDX-License-Identifier: ISC */
/* A speedscope file: frames that all profiles share, and profiles. */
#include "reader.h"

#include <stdlib.h>

#include "stream/codec.h"
#include "util/mem.h"

#define SCHEMA "www.speedscope.app/file-format-schema.json"

/* ---- recognition ---- */

static bool
has_schema(const char *p, size_t n)
{
	return json_contains(p, n, SCHEMA) && json_has_key(p, n, "$schema");
}

static int
speedscope_probe(const char *p, size_t n)
{
	if (has_schema(p, n))
		return (int)sizeof SCHEMA;
	return json_has_key(p, n, "shared") || json_has_key(p, n, "profiles") ?
	    PROBE_WHOLE : 0;
}

/* ---- reading ---- */

/* Reads a line or column; null, or a number that cannot be one, stands for none. */
static uint64_t
read_place(struct reader *rd)
{
	bool exact = true;
	num n = 0;

	if (json_read_kind(&rd->doc.j) != JSON_NUMBER)
		json_read_skip(&rd->doc.j);
	else
		json_read_fixed(&rd->doc.j, 0, &n, &exact);
	return n > 0 && n <= UINT32_MAX ? (uint64_t)n : 0;
}

static void
read_frame(struct reader *rd)
{
	struct json_reader *j = &rd->doc.j;
	struct js_function f = { 0 };
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "name"))
			f.name = document_text(&rd->doc);
		else if (text_is(key, "file"))
			f.file = document_text(&rd->doc);
		else if (text_is(key, "line"))
			f.line = read_place(rd);
		else if (text_is(key, "col"))
			f.column = read_place(rd);
		else
			json_read_skip(j);
	if (j->why)
		return;
	rd->frame = mem_grow(rd->frame, &rd->capframes, rd->nframes + 1, sizeof *rd->frame);
	rd->frame[rd->nframes++] = js_functions_add(&rd->starts, rd->doc.d->dict, &f);
}

static void
read_shared(struct reader *rd)
{
	struct json_reader *j = &rd->doc.j;
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "frames"))
			for (json_read_array(j); json_read_item(j); )
				read_frame(rd);
		else
			json_read_skip(j);
}

static int
read_profiles(void *arg)
{
	struct reader *rd = arg;

	for (json_read_array(&rd->doc.j); json_read_item(&rd->doc.j); )
		if (speedscope_read_profile(rd) < 0)
			return -1;
	return 0;
}

/* Reads the file; frames may come after the profiles. */
static int
read_file(struct reader *rd)
{
	struct json_reader *j = &rd->doc.j;
	struct text key;

	for (json_read_object(j); json_read_key(j, &key); )
		if (text_is(key, "shared")) {
			read_shared(rd);
		} else if (text_is(key, "name")) {
			rd->name = document_text(&rd->doc);
		} else {
			if (text_is(key, "profiles"))
				rd->at_profiles = document_at(&rd->doc);
			json_read_skip(j);
		}
	if (j->why)
		return -1;
	return rd->at_profiles ? document_reread(&rd->doc, rd->at_profiles, read_profiles, rd) :
	    FAIL(rd, j->begin, "the file has no profiles");
}

static void
reader_free(struct reader *rd)
{
	profiles_free(&rd->profiles);
	free(rd->frame);
	free(rd->ctx);
	free(rd->path);
	sums_free(&rd->stacks);
	js_functions_free(&rd->starts);
}

static int
speedscope_decode(struct decode *d)
{
	struct reader rd = { 0 };
	int ret = document_open(&rd.doc, d);

	js_functions_init(&rd.starts);
	sums_init(&rd.stacks, 2, 0);
	if (ret == 0)
		ret = read_file(&rd);
	ret = document_close(&rd.doc, ret);
	if (ret == 0)
		ret = speedscope_put_all(&rd);
	if (ret == 0 && rd.inexact)
		diag_say(d->diag, DIAG_WARN, "fractions of nanoseconds or bytes are "
		    "rounded");
	reader_free(&rd);
	return ret;
}

const struct codec codec_speedscope = {
	.name = "speedscope",
	.summary = "Stacks of speedscope, its own JSON",
	.purpose = PURPOSE_VIEWER,
	.patterns = "*.speedscope.json",
	.probe = speedscope_probe,
	.probe_whole = has_schema,
	.decode = speedscope_decode,
	.encode = speedscope_encode,
	.supports = {
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_SOME, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_PARTS] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_YES,
		[FEATURE_UNITS] = SUPPORT_SOME, [FEATURE_FACTS] = SUPPORT_SOME,
		[FEATURE_END] = SUPPORT_YES,
	},
	.shows_default = true,
	.needs = "stacks",
};
