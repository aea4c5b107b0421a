/* SPDX-License-Identifier: ISC */
/* Words of perf script's lines. */
#ifndef PROF_CODEC_PERF_LINE_WORDS_H
#define PROF_CODEC_PERF_LINE_WORDS_H

#include "perf.h"

static inline bool
perf_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
perf_hex(char c)
{
	return perf_digit(c) || (c >= 'a' && c <= 'f');
}

static inline bool
perf_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline const char *
perf_skip_blanks(const char *p, const char *end)
{
	while (p < end && perf_blank(*p))
		p++;
	return p;
}

static inline const char *
perf_word_end(const char *p, const char *end)
{
	while (p < end && !perf_blank(*p))
		p++;
	return p;
}

/* Returns the end without blanks and a carriage return before it. */
static inline const char *
perf_trim(const char *p, const char *end)
{
	while (end > p && (perf_blank(end[-1]) || end[-1] == '\r'))
		end--;
	return end;
}

/* Returns the text without blanks, and a carriage return, at its ends. */
static inline struct text
perf_trimmed(const char *p, const char *end)
{
	p = perf_skip_blanks(p, end);
	return (struct text){ p, (size_t)(perf_trim(p, end) - p) };
}

static inline const char *
perf_digits_end(const char *p, const char *end)
{
	while (p < end && perf_digit(*p))
		p++;
	return p;
}

static inline bool
perf_begins(const char *p, const char *end, const char *with)
{
	const size_t n = strlen(with);

	return (size_t)(end - p) >= n && memcmp(p, with, n) == 0;
}

static inline struct text
perf_between(const char *p, const char *end)
{
	return (struct text){ p, (size_t)(end - p) };
}

/* Returns the end without "+0x1f". */
static inline const char *
perf_strip_offset(const char *p, const char *end)
{
	const char *q = end;

	while (q > p && perf_hex(q[-1]))
		q--;
	return q < end && q - p >= 3 && memcmp(q - 3, "+0x", 3) == 0 ? q - 3 : end;
}

/* Returns the text; absent if it is empty or "[unknown]". */
static inline struct text
perf_known(const char *p, const char *end)
{
	const struct text t = perf_between(p, end);

	return t.n == 0 || text_is(t, "[unknown]") ? (struct text){ 0 } : t;
}

#endif
