/* SPDX-License-Identifier: ISC */
/* Words of lines. */
#ifndef PROF_CODEC_STACKS_WORDS_H
#define PROF_CODEC_STACKS_WORDS_H

#include "util/words.h"

static inline bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static inline struct text
text_between(const char *p, const char *end)
{
	return (struct text){ p, (size_t)(end - p) };
}

/* Returns the text without its first n bytes. */
static inline struct text
text_after(struct text t, size_t n)
{
	return (struct text){ t.s + n, t.n - n };
}

/* Returns the number of blanks that it begins with. */
static inline size_t
count_blanks(struct text t)
{
	size_t n = 0;

	while (n < t.n && is_blank(t.s[n]))
		n++;
	return n;
}

static inline bool
text_ends(struct text t, const char *with)
{
	const size_t n = strlen(with);

	return t.n >= n && memcmp(t.s + t.n - n, with, n) == 0;
}

/* Takes `with` off the beginning of a text: was it there? */
static inline bool
take(struct text *t, const char *with)
{
	if (!text_begins(*t, with))
		return false;
	*t = text_after(*t, strlen(with));
	return true;
}

/* Takes a number in base 10 or 16 off the beginning of a text, which may be the end of the
 * file: false if there is none, or if it has more than 64 bits. */
static inline bool
take_digits(struct text *t, unsigned base, uint64_t *n)
{
	size_t i;

	*n = 0;
	for (i = 0; i < t->n && (base == 16 ? is_hex : is_digit)(t->s[i]); i++) {
		const unsigned char c = (unsigned char)t->s[i];

		if (__builtin_mul_overflow(*n, base, n) ||
		    __builtin_add_overflow(*n, c <= '9' ? c - '0' : (c | 32) - 'a' + 10, n))
			return false;
	}
	*t = text_after(*t, i);
	return i;
}

/* Returns the last place of `what`, which is not empty; NULL: it is not there. */
static inline const char *
find_last(struct text t, const char *what)
{
	const size_t n = strlen(what);
	size_t i;

	for (i = t.n; i >= n; i--)
		if (t.s[i - 1] == what[n - 1] && memcmp(t.s + i - n, what, n) == 0)
			return t.s + i - n;
	return NULL;
}

/* Is it a whole number, which may be negative? */
static inline bool
is_number(struct text t)
{
	size_t i;

	if (t.n && *t.s == '-')
		t = text_after(t, 1);
	for (i = 0; i < t.n && is_digit(t.s[i]); i++)
		;
	return t.n && i == t.n;
}

/* Is it "0x1f"? */
static inline bool
is_address(struct text t)
{
	size_t i;

	if (!take(&t, "0x"))
		return false;
	for (i = 0; i < t.n && is_hex(t.s[i]); i++)
		;
	return t.n && i == t.n;
}

/* Returns the text without the offset that it ends with: `sign`, then digits. */
static inline struct text
without_offset(struct text t, const char *sign, bool (*digit)(char))
{
	const size_t n = strlen(sign);
	struct text name = t;

	while (name.n && digit(name.s[name.n - 1]))
		name.n--;
	if (name.n == t.n || !text_ends(name, sign) || name.n == n)
		return t;
	name.n -= n;
	return name;
}

/* Returns the text; absent if it is empty. */
static inline struct text
if_any(struct text t)
{
	return t.n ? t : (struct text){ 0 };
}

/* Splits "file:12" into file and line, of which 0 is none; without a number all of it is the
 * file. */
static inline void
split_line(struct text place, struct text *file, struct text *line)
{
	const char *colon = find_last(place, ":");
	struct text number;
	bool positive;

	*file = if_any(place);
	*line = (struct text){ 0 };
	if (!colon || colon == place.s)
		return;
	number = text_between(colon + 1, place.s + place.n);
	positive = number.n && number.n <= 18 && is_number(number) && *number.s != '-' &&
	    *number.s != '0';
	if (positive)
		*line = number;
	if (positive || text_is(number, "0"))
		*file = text_between(place.s, colon);
}

#endif
