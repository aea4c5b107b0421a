/* SPDX-License-Identifier: ISC */
#include "xprof.h"

static int
xprof_probe(const char *p, size_t n)
{
	const size_t magic = sizeof XPROF_MAGIC - 1;

	return n >= magic && memcmp(p, XPROF_MAGIC, magic) == 0 ? (int)magic : 0;
}

const struct codec codec_xprof = {
	.name = "xprof",
	.alias = "xprof_text",
	.summary = "Profile feedback of Sun's compilers, xprof_text(4)",
	.probe = xprof_probe,
	.decode = xprof_decode,
	.encode = xprof_encode,
	.supports = {
		[FEATURE_COUNTERS] = SUPPORT_YES, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_KEYS] = SUPPORT_YES,
		[FEATURE_VALUES] = SUPPORT_YES, [FEATURE_END] = SUPPORT_YES,
	},
	.raw = true,
	.needs = "counters of procedures",
};
