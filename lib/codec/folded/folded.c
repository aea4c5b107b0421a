/* SPDX-License-Identifier: ISC */
#include "folded.h"

static bool
blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The beginning of the last word of [p, end), if that is a number. */
static const char *
last_number(const char *p, const char *end)
{
	const char *q = end;

	while (q > p && q[-1] >= '0' && q[-1] <= '9')
		q--;
	if (q == end)
		return NULL;
	if (q > p && q[-1] == '-')
		q--;
	return q == p || blank(q[-1]) ? q : NULL;
}

static const char *
trim(const char *p, const char *end)
{
	while (end > p && (blank(end[-1]) || end[-1] == '\r'))
		end--;
	return end;
}

/* One blank ends the stack, as flamegraph.pl has it: a frame whose name is a
 * blank may stand before it. */
const char *
folded_stack_end(const char *p, const char *end, unsigned counts)
{
	for (; counts; counts--)
		if (!(end = last_number(p, trim(p, end))))
			return NULL;
	return end > p + 1 ? end - 1 : NULL;
}

bool
folded_is_comment(const char *p, const char *end)
{
	return end - p > 1 && p[0] == '#' && p[1] == ' ';
}

static unsigned
count_numbers(const char *p, const char *end)
{
	unsigned n = 0;

	while (n < FOLDED_COUNTS && folded_stack_end(p, end, n + 1))
		n++;
	return n;
}

unsigned
folded_counts(const char *p, size_t n)
{
	const char *end = p + n, *lf;
	unsigned least = 0, here;
	bool any = false;

	for (; p < end && (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		if (trim(p, lf) == p || folded_is_comment(p, lf))
			continue;
		here = count_numbers(p, lf);
		least = any && least < here ? least : here;
		any = true;
		if (!least)
			return 0;
	}
	return least;
}

/* Is the first line that of a stack, though its count may be a fraction? */
static bool
is_stack(const char *p, size_t n)
{
	const char *end = p + n, *lf, *q;

	while ((lf = memchr(p, '\n', (size_t)(end - p))) &&
	    (trim(p, lf) == p || folded_is_comment(p, lf)))
		p = lf + 1;
	if (!lf)
		return false;
	q = trim(p, lf);
	while (q > p && ((q[-1] >= '0' && q[-1] <= '9') || q[-1] == '.'))
		q--;
	return q > p && blank(q[-1]) && q < trim(p, lf) &&
	    memchr(p, ';', (size_t)(q - p));
}

/* Lines that end with a number, and a stack of several frames among them.  If
 * just the first one is such, the decoder has more to say than that nobody knows
 * the format. */
static int
folded_probe(const char *p, size_t n)
{
	return folded_counts(p, n) && memchr(p, ';', n) ? 3 : is_stack(p, n);
}

const struct codec codec_folded = {
	.name = "folded",
	.says = "Folded stacks, as FlameGraph and inferno have them",
	.probe = folded_probe,
	.decode = folded_decode,
	.encode = folded_encode,
};
