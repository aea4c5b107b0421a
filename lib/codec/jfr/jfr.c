/* SPDX-License-Identifier: ISC */
#include "jfr.h"

#include "codec/sample_options.h"

static int
jfr_probe(const char *p, size_t n)
{
	return n >= 6 && memcmp(p, CHUNK_MAGIC "\0", 5) == 0 ? 5 : 0;
}

const struct codec codec_jfr = {
	.name = "jfr",
	.summary = "Recordings of Java Flight Recorder",
	.synonyms = "java, flightrecorder, async-profiler",
	.patterns = "*.jfr",
	.probe = jfr_probe,
	.decode = jfr_decode,
	.read_options = &sample_options,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_KEYS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_UNITS] = SUPPORT_YES,
		[FEATURE_FACTS] = SUPPORT_SOME,
	},
};
