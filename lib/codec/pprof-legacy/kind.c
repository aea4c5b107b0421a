/* SPDX-License-Identifier: ISC */
/* Recognises the kind of profile by its first bytes. */
#include "reader.h"

uint64_t
legacy_word(const struct words *w, const char *p)
{
	const unsigned char *s = (const unsigned char *)p;
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < w->size; i++)
		v = v << 8 | s[w->big ? i : w->size - 1 - i];
	return v;
}

/* Reads five words: 0, 3 (words that follow), the version 0 (1 is Java's), the period,
 * 0. */
struct words
legacy_words(const char *p, size_t n)
{
	static const struct words ways[] = {
		{ 4, false, false }, { 4, true, false }, { 8, false, false },
		{ 8, true, false },
	};
	size_t i, k;

	for (i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct words w = ways[i];
		uint64_t word[5];

		if (n < 5 * w.size)
			continue;
		for (k = 0; k < 5; k++)
			word[k] = legacy_word(&w, p + k * w.size);
		if (word[0] || word[1] != 3 || word[2] > 1 || !word[3] || word[4])
			continue;
		w.java = word[2] == 1;
		return w;
	}
	return (struct words){ 0 };
}

/* Is it "NAME profile: total N", and nothing else? */
static bool
is_count(struct text line)
{
	static const char infix[] = " profile: total ";
	const char *p = memchr(line.s, ' ', line.n);
	const char *end = line.s + line.n;

	if (!p || p == line.s || (size_t)(end - p) <= strlen(infix) ||
	    memcmp(p, infix, strlen(infix)) != 0)
		return false;
	for (p += strlen(infix); p < end && *p >= '0' && *p <= '9'; p++)
		;
	return p == end;
}

static enum legacy_kind
kind_of_line(struct text line, int *sure)
{
	static const struct { const char *begins; enum legacy_kind kind; } kinds[] = {
		{ "heap profile:", LEGACY_HEAP },
		{ "heap_v2/", LEGACY_JEMALLOC },
		{ "--- contentionz ", LEGACY_CONTENTION },
		{ "--- mutex:", LEGACY_CONTENTION },
		{ "--- contention:", LEGACY_CONTENTION },
		{ "--- threadz ", LEGACY_THREADS },
		{ "--- Thread ", LEGACY_THREADS },
		{ "--- heapz ", LEGACY_JAVA },
	};
	size_t i;

	*sure = (int)strlen(" profile: total ");
	if (is_count(line))
		return LEGACY_COUNT;
	for (i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!text_begins(line, kinds[i].begins))
			continue;
		*sure = (int)strlen(kinds[i].begins);
		return kinds[i].kind;
	}
	return LEGACY_NONE;
}

enum legacy_kind
legacy_kind_of(const char *p, size_t n, int *sure)
{
	const struct words w = legacy_words(p, n);
	const char *end = p + n, *lf;
	struct text line;

	*sure = 20;
	if (w.size)
		return w.java ? LEGACY_JAVA : LEGACY_CPU;
	/* Skips comments, which may come first. */
	for (; p < end; p = lf + 1) {
		if (!(lf = memchr(p, '\n', (size_t)(end - p))))
			lf = end;
		line = words_trim((struct text){ p, (size_t)(lf - p) });
		if (line.n && *line.s != '#')
			return kind_of_line(line, sure);
	}
	return LEGACY_NONE;
}
