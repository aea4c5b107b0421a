/* SPDX-License-Identifier: ISC */
/* Words of a line, between blanks: spaces, TABs and carriage returns. */
#ifndef PROF_UTIL_WORDS_H
#define PROF_UTIL_WORDS_H

#include <stdbool.h>

#include "util/buf.h"

static inline bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Returns the text without blanks at its ends. */
static inline struct text
words_trim(struct text t)
{
	while (t.n && is_blank(t.s[t.n - 1]))
		t.n--;
	while (t.n && is_blank(*t.s))
		t.s++, t.n--;
	return t;
}

/* Takes the first word off a text, and the blanks around the rest; empty at the end. */
static inline struct text
words_first(struct text *rest)
{
	struct text word;

	*rest = words_trim(*rest);
	word = (struct text){ rest->s, 0 };
	while (word.n < rest->n && !is_blank(word.s[word.n]))
		word.n++;
	*rest = words_trim((struct text){ rest->s + word.n, rest->n - word.n });
	return word;
}

/* Takes the last word off a text, and the blanks around the rest: for names that may have
 * blanks, and come before numbers. */
static inline struct text
words_last(struct text *rest)
{
	size_t n = 0;
	struct text word;

	*rest = words_trim(*rest);
	while (n < rest->n && !is_blank(rest->s[rest->n - n - 1]))
		n++;
	word = (struct text){ rest->s + rest->n - n, n };
	*rest = words_trim((struct text){ rest->s, rest->n - n });
	return word;
}

#endif
