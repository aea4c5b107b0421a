/* SPDX-License-Identifier: ISC */
#include "coverage.h"

#include <stdlib.h>

#include "codec/json_error.h"

#define NAME "coverage"
#define LLVM "llvm.coverage.json.export"

/* ---- records ---- */

static int
put_header(struct coverage *c)
{
	return decode_part(c->d, NAME, TEXT("positions=line")) < 0 ||
	    DECODE_EVENT(c->d, 0, .name = TEXT("executions"),
	    .description = TEXT("executions of the line")) < 0 ? -1 :
	    DECODE_EVENT(c->d, 1, .name = TEXT("entries"),
	    .description = TEXT("entries of the function"));
}

/* ---- documents ---- */

static int
read_text_fact(struct coverage *c, const char *key, const char *before, uint32_t *last)
{
	struct text t;

	if (!json_read_string(&c->json, &t) || !t.s)
		return 0;
	c->text.n = 0;
	buf_puts(&c->text, before);
	buf_text(&c->text, t);
	return coverage_fact(c, key, buf_as_text(&c->text), last);
}

/* Reads the value of a key; *found: it is one that only documents of coverage have. */
static int
read_member(struct coverage *c, struct text key, bool *found)
{
	uint32_t none = NO_ID;

	if (text_is(key, "files")) {
		*found = true;
		return gcov_files(c);
	}
	if (text_is(key, "data")) {
		*found = true;
		return llvm_data(c);
	}
	if (text_is(key, "gcc_version"))
		return read_text_fact(c, "creator", "gcc ", &c->creator);
	if (text_is(key, "version"))
		return read_text_fact(c, "creator", "llvm-cov export ", &c->creator);
	if (text_is(key, "current_working_directory"))
		return read_text_fact(c, NAME ".directory", "", &c->dir);
	if (text_is(key, "data_file"))
		return read_text_fact(c, NAME ".data", "", &none);
	json_read_skip(&c->json);
	return 0;
}

static int
read_document(struct coverage *c)
{
	struct json_reader *j = &c->json;
	struct text key;
	bool found = false;

	for (json_read_object(j); json_read_key(j, &key); )
		if (read_member(c, key, &found) < 0)
			return -1;
	if (!found)
		json_read_fail(j, "expected 'files' (gcov) or 'data' (llvm-cov), found "
		    "neither");
	return 0;
}

/* Reads documents up to the end: gcov --stdout writes one for each of its files. */
static int
read_documents(struct coverage *c)
{
	struct json_reader *j = &c->json;
	const char *const end = c->file.s + c->file.n;
	const char *at = c->file.s;
	struct text rest;

	do {
		rest = (struct text){ at, (size_t)(end - at) };
		json_read_begin(j, rest.s, rest.n);
		if (read_document(c) < 0)
			return -1;
		json_read_kind(j);	/* skips blanks */
		at = j->at;
		if (!j->why)
			j->end = at;
		if (json_read_end(j) < 0)
			return json_error(c->d, c->file, j);
	} while (at < end);
	return 0;
}

static int
read_all(struct coverage *c)
{
	struct decode *d = c->d;

	if (in_all(d->in, &c->file.s, &c->file.n) < 0 || put_header(c) < 0 ||
	    read_documents(c) < 0)
		return -1;
	d->at.line = 0;
	return in_packed_cut(d->in) ? decode_cut(d, "the file is truncated") : 0;
}

static int
coverage_decode(struct decode *d)
{
	struct coverage *c = mem_alloc(1, sizeof *c);
	int ret;

	c->d = d;
	c->creator = c->dir = NO_ID;
	ret = read_all(c);
	buf_free(&c->json.text);
	buf_free(&c->text);
	free(c);
	return ret;
}

/* The keys come in any order, but llvm-cov itself writes its type, which is the last key, far
 * behind a beginning of its own. */
static int
coverage_probe(const char *p, size_t n)
{
	static const char begin[] = "{\"data\":[{\"files\":[{\"";

	if (json_contains(p, n, "\"gcc_version\"") && json_contains(p, n, "\"files\""))
		return (int)strlen("gcc_versionfiles");
	if ((n > sizeof begin && memcmp(p, begin, sizeof begin - 1) == 0) ||
	    json_contains(p, n, "\"" LLVM "\"") ||
	    (json_contains(p, n, "\"segments\"") && json_contains(p, n, "\"expansions\"")))
		return (int)strlen("segmentsexpansions");
	return 0;
}

const struct codec codec_coverage = {
	.name = NAME,
	.summary = "Executions by line: gcov --json-format, llvm-cov export",
	.patterns = "*.gcov.json",
	.probe = coverage_probe,
	.decode = coverage_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_KEYS] = SUPPORT_SOME,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_FACTS] = SUPPORT_SOME,
		[FEATURE_END] = SUPPORT_YES,
	},
};
