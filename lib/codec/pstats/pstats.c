/* SPDX-License-Identifier: ISC */
#include "pstats.h"

/* A dict, and in it first a tuple of three that begins with a text. */
static int
pstats_probe(const char *p, size_t n)
{
	size_t at;

	if (n < 7 || (p[0] & 0x7f) != '{')
		return 0;
	if ((p[1] & 0x7f) == ')' && p[2] == 3)
		at = 3;
	else if ((p[1] & 0x7f) == '(' && memcmp(p + 2, "\3\0\0\0", 4) == 0)
		at = 6;
	else
		return 0;
	return memchr("zZaAust", p[at] & 0x7f, 7) ? (int)at + 1 : 0;
}

const struct codec codec_pstats = {
	.name = "pstats",
	.says = "Profiles of Python's cProfile, as its pstats reads them",
	.meant = "cprofile",
	.files = "*.pstats",
	.probe = pstats_probe,
	.decode = pstats_decode,
	.encode = pstats_encode,
	.holds = {
		[HOLDS_LINES] = HELD_SOME, [HOLDS_FUNCTIONS] = HELD_YES,
		[HOLDS_FILES] = HELD_YES, [HOLDS_CALLS] = HELD_YES,
		[HOLDS_INCLUSIVE] = HELD_YES, [HOLDS_EVENTS] = HELD_SOME,
		[HOLDS_END] = HELD_YES,
	},
	.needs = "costs or calls",
};
