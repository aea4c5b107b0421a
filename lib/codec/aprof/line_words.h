/* SPDX-License-Identifier: ISC */
/*
 * The words of a report's lines.
 */
#ifndef PROF_CODEC_APROF_LINE_WORDS_H
#define PROF_CODEC_APROF_LINE_WORDS_H

#include "reader.h"

static inline void
ar_skip_blanks(struct text *t)
{
	while (t->n && *t->s == ' ')
		t->s++, t->n--;
}

static inline void
ar_drop_blanks(struct text *t)
{
	while (t->n && t->s[t->n - 1] == ' ')
		t->n--;
}

/* Takes the next word off; false at the end. */
static inline bool
ar_next_word(struct text *rest, struct text *word)
{
	const char *blank;

	ar_skip_blanks(rest);
	if (!rest->n)
		return false;
	blank = memchr(rest->s, ' ', rest->n);
	*word = (struct text){ rest->s, blank ? (size_t)(blank - rest->s) : rest->n };
	rest->s += word->n;
	rest->n -= word->n;
	return true;
}

/* Takes the last word off; false if there is none. */
static inline bool
ar_last_word(struct text *rest, struct text *word)
{
	const char *blank;

	ar_drop_blanks(rest);
	if (!rest->n)
		return false;
	blank = last_byte(rest->s, ' ', rest->n);
	word->s = blank ? blank + 1 : rest->s;
	word->n = (size_t)(rest->s + rest->n - word->s);
	rest->n -= word->n;
	return true;
}

/* Removes leading zeros from digits: false for anything else. */
static inline bool
ar_get_digits(struct text *t)
{
	size_t i;

	for (i = 0; i < t->n && t->s[i] >= '0' && t->s[i] <= '9'; i++)
		;
	if (!t->n || i < t->n)
		return false;
	while (t->n > 1 && *t->s == '0')
		t->s++, t->n--;
	return true;
}

static inline bool
ar_get_id(struct text t, uint64_t *id)
{
	num n;

	if (!ar_get_digits(&t) || num_get_num(t.s, t.n, &n) < 0 || n >= NO_PARENT)
		return false;
	*id = (uint64_t)n;
	return true;
}

#endif
