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
	.says = "Profile feedback of Sun's compilers, xprof_text(4)",
	.probe = xprof_probe,
	.decode = xprof_decode,
	.encode = xprof_encode,
	.holds = {
		[HOLDS_COUNTERS] = HELD_YES, [HOLDS_FUNCTIONS] = HELD_YES,
		[HOLDS_OBJECTS] = HELD_YES, [HOLDS_KEYS] = HELD_YES,
		[HOLDS_VALUES] = HELD_YES, [HOLDS_END] = HELD_YES,
	},
	.raw = true,
	.needs = "counters of procedures",
};
