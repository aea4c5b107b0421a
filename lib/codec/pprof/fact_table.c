/* SPDX-License-Identifier: ISC */
#include "pprof.h"

const struct pprof_fact pprof_fact[PPROF_FACTS] = {
	{ "pprof.time_nanos", PROFILE_TIME_NANOS, false },
	{ "pprof.duration_nanos", PROFILE_DURATION_NANOS, false },
	[PPROF_DEFAULT_TYPE] = { "pprof.default_sample_type", PROFILE_DEFAULT_SAMPLE_TYPE, true },
	{ "pprof.drop_frames", PROFILE_DROP_FRAMES, true },
	{ "pprof.keep_frames", PROFILE_KEEP_FRAMES, true },
	{ "pprof.doc_url", PROFILE_DOC_URL, true },
};

const char *const pprof_has[PPROF_HAS] = { "functions", "files", "lines", "inlines" };
