/* SPDX-License-Identifier: ISC */
#include "perfdata.h"

#include "codec/times.h"

static const struct opt perfdata_read_options[] = {
	{ "times", 0, OPT_FLAG, NULL, &keep_times,
	    "keep the time and processor of samples, firefox, too", NULL },
	OPT_END
};

static int
perfdata_probe(const char *p, size_t n)
{
	return n >= 8 && (memcmp(p, "PERFILE2", 8) == 0 || memcmp(p, "2ELIFREP", 8) == 0) ? 8 : 0;
}

const struct codec codec_perfdata = {
	.name = "perfdata",
	.alias = "perf.data",
	.says = "What perf record writes, of Linux",
	.files = "perf.data *.perf.data",
	.probe = perfdata_probe,
	.decode = perfdata_decode,
	.read_options = perfdata_read_options,
	.holds = {
		[HOLDS_ADDRS] = HELD_SOME,
		[HOLDS_FUNCTIONS] = HELD_YES, [HOLDS_FILES] = HELD_SOME,
		[HOLDS_OBJECTS] = HELD_YES, [HOLDS_KEYS] = HELD_YES,
		[HOLDS_INCLUSIVE] = HELD_YES,
		[HOLDS_CONTEXTS] = HELD_YES, [HOLDS_SAMPLES] = HELD_YES,
		[HOLDS_EVENTS] = HELD_YES, [HOLDS_UNITS] = HELD_SOME,
		[HOLDS_FACTS] = HELD_SOME,
	},
};
