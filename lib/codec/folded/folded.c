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

const char *
folded_stack_end(const char *p, const char *end, unsigned counts)
{
	end = trim(p, end);
	while (counts--) {
		if (!(end = last_number(p, end)))
			return NULL;
		end = trim(p, end);
	}
	return end > p ? end : NULL;
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
		if (trim(p, lf) == p)
			continue;
		here = count_numbers(p, lf);
		least = any && least < here ? least : here;
		any = true;
		if (!least)
			return 0;
	}
	return least;
}

/* Lines that end with a number, and a stack of several frames among them. */
static int
folded_probe(const char *p, size_t n)
{
	return folded_counts(p, n) && memchr(p, ';', n) ? 3 : 0;
}

const struct codec codec_folded = {
	.name = "folded",
	.says = "Folded stacks, as FlameGraph and inferno have them",
	.probe = folded_probe,
	.decode = folded_decode,
	.encode = folded_encode,
};
