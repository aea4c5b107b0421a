/* SPDX-License-Identifier: ISC */
#include "util/regex_need.h"

#include <ctype.h>
#include <string.h>

#include "util/regex_cost.h"

/* The texts of a pattern, between its operators. */
struct texts {
	struct buf *b;
	size_t from;		/* in b: where the current one begins */
	size_t best, n;		/* the longest before it */
};

/* Ends the current text. */
static void
cut(struct texts *t)
{
	if (t->b->n - t->from > t->n) {
		t->best = t->from;
		t->n = t->b->n - t->from;
	}
	t->from = t->b->n;
}

/* Ends the current text before its last character, of whatever many bytes, which is
 * optional. */
static void
cut_before_last(struct texts *t)
{
	while (t->b->n > t->from && (t->b->s[t->b->n - 1] & 0xc0) == 0x80)
		t->b->n--;
	if (t->b->n > t->from)
		t->b->n--;
	cut(t);
}

static void
add_byte(struct texts *t, char c, bool nocase)
{
	if (nocase && !isascii((unsigned char)c))
		cut(t);
	else
		buf_putc(t->b, nocase && c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c);
}

/* Returns the end of what begins at p: a bracket expression, an escaped character, or any
 * other. */
static const char *
after_one(const char *p, const char *end)
{
	const char *bracket_end;

	if (*p == '[')
		return (bracket_end = regex_bracket(p, end)) ? bracket_end : end;
	return *p == '\\' && p + 1 < end ? p + 2 : p + 1;
}

/* Returns the end of the group that begins at p. */
static const char *
after_group(const char *p, const char *end)
{
	size_t depth = 0;

	do {
		depth += *p == '(';
		depth -= *p == ')';
		p = after_one(p, end);
	} while (p < end && depth);
	return p;
}

/* Returns the end of the interval, "{2,3}", that begins at p; NULL: it is none. */
static const char *
after_interval(const char *p, const char *end)
{
	for (p++; p < end && (*p == ',' || (*p >= '0' && *p <= '9')); p++)
		;
	return p < end && *p == '}' ? p + 1 : NULL;
}

/* Takes what begins at p: its end; NULL: nothing is known of what the pattern needs. */
static const char *
take(struct texts *t, const char *p, const char *end, bool nocase)
{
	const char *next = after_one(p, end);

	if (*p == '|')
		return NULL;
	if (*p == '{') {
		cut_before_last(t);
		return after_interval(p, end);
	}
	/* A repetition may be repeated: "+?" is optional. */
	if (*p == '*' || *p == '?' || *p == '+')
		cut_before_last(t);
	else if (*p == '\\' && next == p + 2 && strchr(REGEX_OPERATORS, p[1]))
		add_byte(t, p[1], nocase);
	else if (strchr(REGEX_OPERATORS, *p))
		cut(t);
	else
		add_byte(t, *p, nocase);
	return *p == '(' ? after_group(p, end) : next;
}

struct text
regex_need(struct buf *b, struct text p, bool nocase)
{
	struct texts t = { .b = b };
	const char *at = p.s, *const end = p.s + p.n;

	b->n = 0;
	while (at && at < end)
		at = take(&t, at, end, nocase);
	cut(&t);
	return (struct text){ buf_str(b) + t.best, at ? t.n : 0 };
}
