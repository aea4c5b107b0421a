/* SPDX-License-Identifier: ISC */
/* Files with a CPU profile: one object. */
#include "v8.h"

#include "stream/codec.h"

/* ---- recognition ---- */

/* Has it nodes, or a tree of them, of calls?  Graphs also have nodes, and so has nearly
 * everything; a heap profile has a head. */
static bool
has_nodes(const char *p, size_t n)
{
	return (json_has_key(p, n, "nodes") || json_has_key(p, n, "head")) &&
	    json_contains(p, n, "\"functionName\"");
}

static bool
has_times(const char *p, size_t n)
{
	return json_has_key(p, n, "startTime") || json_has_key(p, n, "endTime");
}

/* V8 writes the nodes first, and there may be many. */
static int
cpuprofile_probe(const char *p, size_t n)
{
	if (!has_nodes(p, n))
		return 0;
	return has_times(p, n) ? (int)(sizeof "\"nodes\"\"startTime\"") : PROBE_WHOLE;
}

/* A truncated file may end before its times. */
static bool
cpuprofile_probe_whole(const char *p, size_t n)
{
	return has_nodes(p, n) && (has_times(p, n) || json_is_cut(p, n));
}

/* ---- reading ---- */

/* Reads our own words for the events (write.c). */
static void
read_own(struct v8 *v)
{
	const struct { const char *key; struct text *to; } members[] = {
		{ "event", &v->own.time }, { "unit", &v->own.unit },
		{ "hits", &v->own.hits },
	};
	struct dict *dict = v->doc->d->dict;
	struct text key, t;
	size_t i;

	for (json_read_object(&v->doc->j); json_read_key(&v->doc->j, &key); ) {
		for (i = 0; i < sizeof members / sizeof *members; i++)
			if (text_is(key, members[i].key))
				break;
		if (i == sizeof members / sizeof *members)
			json_read_skip(&v->doc->j);
		else if (json_read_string(&v->doc->j, &t))
			*members[i].to = dict_text(dict, dict_str(dict, t));
	}
}

/* The ends of a profile as text: their unit is only known when everything is read. */
struct ends {
	struct text begin, end;
	bool old;
};

static int
read_member(struct v8 *v, struct text key, struct ends *ends)
{
	if (text_is(key, "nodes"))
		return v8_read_nodes(v);
	if (text_is(key, "head")) {
		ends->old = true;
		return v8_read_head(v);
	}
	if (text_is(key, "samples"))
		return v8_read_samples(v);
	if (text_is(key, "timeDeltas") || text_is(key, "timestamps")) {
		v->absolute = text_is(key, "timestamps");
		return v8_read_times(v);
	}
	if (text_is(key, "startTime"))
		json_read_number(&v->doc->j, &ends->begin);
	else if (text_is(key, "endTime"))
		json_read_number(&v->doc->j, &ends->end);
	else if (text_is(key, "prof"))
		read_own(v);
	else
		json_read_skip(&v->doc->j);
	return 0;
}

/* Reads an end: seconds in the old form, otherwise microseconds. */
static int
read_end(struct v8 *v, const struct ends *ends, struct text t, num *ns)
{
	struct json_reader j;
	bool exact = true;

	if (!t.s)
		return 0;
	json_read_begin(&j, t.s, t.n);
	json_read_fixed(&j, ends->old ? 9 : 3, ns, &exact);
	v->inexact |= !exact;
	return json_read_end(&j) < 0 ? DOCUMENT_FAIL(v->doc, t.s, "%s", j.why) : 0;
}

int
v8_read_profile(struct v8 *v)
{
	struct ends ends = { 0 };
	struct text key;

	for (json_read_object(&v->doc->j); json_read_key(&v->doc->j, &key); )
		if (read_member(v, key, &ends) < 0)
			return -1;
	if (v->doc->j.why)
		return -1;
	v->has_begin = ends.begin.s;
	v->has_end = ends.end.s;
	return read_end(v, &ends, ends.begin, &v->begin) < 0 ? -1 :
	    read_end(v, &ends, ends.end, &v->end);
}

static int
cpuprofile_decode(struct decode *d)
{
	struct document doc;
	struct v8 v;
	int ret;

	ret = document_open(&doc, d);
	v8_init(&v, &doc);
	if (ret == 0)
		ret = v8_read_profile(&v);
	ret = document_close(&doc, ret);
	if (ret == 0 && (v8_finish(&v) < 0 || decode_part(d, "cpuprofile",
	    (struct text){ 0 }) < 0 || v8_put(&v) < 0))
		ret = -1;
	v8_free(&v);
	return ret;
}

const struct codec codec_cpuprofile = {
	.name = "cpuprofile",
	.summary = "V8's CPU profiles: Node, Chrome DevTools, VS Code",
	.patterns = "*.cpuprofile",
	.synonyms = "devtools, chrome, v8, vscode, node",
	.purpose = PURPOSE_VIEWER,
	.probe = cpuprofile_probe,
	.probe_whole = cpuprofile_probe_whole,
	.decode = cpuprofile_decode,
	.encode = cpuprofile_encode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_OBJECTS] = SUPPORT_SOME,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_CONTEXTS] = SUPPORT_YES,
		[FEATURE_SAMPLES] = SUPPORT_YES, [FEATURE_PARTS] = SUPPORT_JOINED,
		[FEATURE_EVENTS] = SUPPORT_SOME, [FEATURE_UNITS] = SUPPORT_SOME,
		[FEATURE_END] = SUPPORT_YES,
	},
	.shows_default = true,
	.needs = "stacks",
};
