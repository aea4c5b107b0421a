/* SPDX-License-Identifier: ISC */
#include "reader.h"

#include "codec/sample_options.h"
#include "stream/codec.h"

/* Has the object `meta` this key? */
static bool
meta_has(const char *p, size_t n, const char *wanted)
{
	struct json_reader j;
	struct text key;
	bool found = false;

	json_read_begin(&j, p, n);
	for (json_read_object(&j); !found && json_read_key(&j, &key); )
		if (text_is(key, "meta") && json_read_kind(&j) == JSON_OBJECT)
			found = json_has_key(j.at, (size_t)(j.end - j.at), wanted);
		else
			json_read_skip(&j);
	buf_free(&j.text);
	return found;
}

/* Is it a processed profile, or one from Firefox before processing, which is rejected by
 * name? */
static bool
is_profile(const char *p, size_t n)
{
	return (json_contains(p, n, "\"" VERSION "\"") && meta_has(p, n, VERSION)) ||
	    (json_contains(p, n, "\"stackwalk\"") && meta_has(p, n, "stackwalk") &&
	    json_has_key(p, n, "threads"));
}

static int
firefox_probe(const char *p, size_t n)
{
	if (is_profile(p, n))
		return (int)sizeof VERSION;
	return json_has_key(p, n, "threads") || json_has_key(p, n, "libs") ||
	    json_has_key(p, n, "meta") || json_has_key(p, n, "shared") ? PROBE_WHOLE : 0;
}

const struct codec codec_firefox = {
	.name = "firefox", .alias = "gecko",
	.summary = "Profiles of profiler.firefox.com, and of samply",
	.patterns = "*.firefox.json",
	.synonyms = "profiler, samply",
	.purpose = PURPOSE_VIEWER,
	.probe = firefox_probe,
	.probe_whole = is_profile,
	.decode = firefox_decode,
	.encode = firefox_encode,
	.read_options = &sample_options,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_OBJECTS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_CONTEXTS] = SUPPORT_YES,
		[FEATURE_SAMPLES] = SUPPORT_YES, [FEATURE_PARTS] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_UNITS] = SUPPORT_SOME,
		[FEATURE_FACTS] = SUPPORT_SOME, [FEATURE_END] = SUPPORT_YES,
	},
	.nameless = true,
	.shows_default = true,
	.needs = "stacks",
};
