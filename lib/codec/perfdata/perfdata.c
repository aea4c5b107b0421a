/* SPDX-License-Identifier: ISC */
#include "perfdata.h"

#include "codec/sample_options.h"

static int
perfdata_probe(const char *p, size_t n)
{
	return n >= 8 && perf_is_magic(p) ? 8 : 0;
}

const struct codec codec_perfdata = {
	.name = "perfdata",
	.alias = "perf.data",
	.summary = "Recordings of Linux's perf record, perf.data",
	.patterns = "perf.data *.perf.data",
	.dir_file = "data",
	.probe = perfdata_probe,
	.decode = perfdata_decode,
	.read_options = &sample_options,
	.supports = {
		[FEATURE_ADDRS] = SUPPORT_SOME,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_SOME,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_KEYS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_UNITS] = SUPPORT_SOME,
		[FEATURE_FACTS] = SUPPORT_SOME,
	},
};
