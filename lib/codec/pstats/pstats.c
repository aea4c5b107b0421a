/* SPDX-License-Identifier: ISC */
#include "pstats.h"

/* Accepts a dict whose first key is a tuple of three that begins with a text. */
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
	.summary = "Profiles of Python's cProfile, as its pstats reads them",
	.synonyms = "cprofile",
	.patterns = "*.pstats",
	.probe = pstats_probe,
	.decode = pstats_decode,
	.encode = pstats_encode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_SOME, [FEATURE_FUNCTIONS] = SUPPORT_YES,
		[FEATURE_FILES] = SUPPORT_YES, [FEATURE_CALLS] = SUPPORT_YES,
		[FEATURE_INCLUSIVE] = SUPPORT_YES, [FEATURE_EVENTS] = SUPPORT_SOME,
		[FEATURE_END] = SUPPORT_YES,
	},
	.needs = "costs or calls",
};
