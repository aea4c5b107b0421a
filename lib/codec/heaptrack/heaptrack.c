/* SPDX-License-Identifier: ISC */
#include "reader.h"

#include "util/num.h"

/* Returns the line after "v 10400 3"; NULL: there is no such line. */
static const char *
after_version(const char *p, const char *end)
{
	const char *lf = memchr(p, '\n', (size_t)(end - p));
	struct fields f = { p + 2, lf, p };
	uint64_t n;

	if (end - p < 4 || !lf || lf - p < 3 || p[0] != 'v' || p[1] != ' ' ||
	    !heaptrack_number(&f, &n))
		return NULL;
	return heaptrack_ended(&f) || (heaptrack_number(&f, &n) && heaptrack_ended(&f)) ?
	    lf + 1 : NULL;
}

static bool
has_letter(const char *p, size_t n, char letter)
{
	const char *q = after_version(p, p + n);

	return q && p + n - q >= 2 && q[0] == letter && q[1] == ' ';
}

static int
heaptrack_probe(const char *p, size_t n)
{
	return has_letter(p, n, 'X') ? (int)strlen("v 10400 3.X ") : 0;
}

/* What was recorded with --raw has the name of the program first, and no functions. */
static const char *
heaptrack_near_miss(const char *p, size_t n)
{
	return has_letter(p, n, 'x') ? "raw data of heaptrack: run 'heaptrack --interpret' on "
	    "them, or pipe them through heaptrack_interpret" : NULL;
}

const struct codec codec_heaptrack = {
	.name = "heaptrack",
	.summary = "Allocations recorded by heaptrack",
	.patterns = "heaptrack.*",
	.probe = heaptrack_probe,
	.near_miss = heaptrack_near_miss,
	.decode = heaptrack_decode,
	.supports = {
		[FEATURE_LINES] = SUPPORT_YES, [FEATURE_ADDRS] = SUPPORT_YES,
		[FEATURE_FUNCTIONS] = SUPPORT_YES, [FEATURE_FILES] = SUPPORT_YES,
		[FEATURE_OBJECTS] = SUPPORT_YES, [FEATURE_INCLUSIVE] = SUPPORT_YES,
		[FEATURE_CONTEXTS] = SUPPORT_YES, [FEATURE_SAMPLES] = SUPPORT_YES,
		[FEATURE_EVENTS] = SUPPORT_YES, [FEATURE_UNITS] = SUPPORT_YES,
		[FEATURE_FACTS] = SUPPORT_SOME, [FEATURE_END] = SUPPORT_YES,
	},
	.lines_from = "compile the program with -g",
};
