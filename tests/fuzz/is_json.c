/* SPDX-License-Identifier: ISC */
/* By the grammar of RFC 8259, with no code of the library's writers. */
#include "is_json.h"

#include <ctype.h>
#include <string.h>

#define DEEPEST 256

struct reader {
	const char *p, *end;
	unsigned depth;
};

static bool value(struct reader *r);

static int
peek(struct reader *r)
{
	while (r->p < r->end && *r->p && strchr(" \t\r\n", *r->p))
		r->p++;
	return r->p < r->end ? (unsigned char)*r->p : -1;
}

static bool
take(struct reader *r, int c)
{
	if (peek(r) != c)
		return false;
	r->p++;
	return true;
}

static bool
word(struct reader *r, const char *s)
{
	const size_t n = strlen(s);

	if ((size_t)(r->end - r->p) < n || memcmp(r->p, s, n) != 0)
		return false;
	r->p += n;
	return true;
}

static bool
escape(struct reader *r)
{
	int i;

	if (++r->p >= r->end || !*r->p || !strchr("\"\\/bfnrtu", *r->p))
		return false;
	if (*r->p++ != 'u')
		return true;
	for (i = 0; i < 4; i++, r->p++)
		if (r->p >= r->end || !isxdigit((unsigned char)*r->p))
			return false;
	return true;
}

static bool
string(struct reader *r)
{
	if (!take(r, '"'))
		return false;
	while (r->p < r->end && *r->p != '"') {
		if ((unsigned char)*r->p < 0x20)
			return false;
		if (*r->p != '\\')
			r->p++;
		else if (!escape(r))
			return false;
	}
	return take(r, '"');
}

static bool
digits(struct reader *r)
{
	const char *from = r->p;

	while (r->p < r->end && isdigit((unsigned char)*r->p))
		r->p++;
	return r->p > from;
}

static bool
number(struct reader *r)
{
	const char *first;

	(void)word(r, "-");
	first = r->p;
	if (!digits(r) || (*first == '0' && r->p > first + 1))
		return false;
	if (word(r, ".") && !digits(r))
		return false;
	if (!word(r, "e") && !word(r, "E"))
		return true;
	if (!word(r, "+"))
		(void)word(r, "-");
	return digits(r);
}

static bool
members(struct reader *r, int close)
{
	r->p++;
	if (take(r, close))
		return true;
	do {
		if (close == '}' && !(string(r) && take(r, ':')))
			return false;
		if (!value(r))
			return false;
	} while (take(r, ','));
	return take(r, close);
}

static bool
value(struct reader *r)
{
	const int c = peek(r);
	bool ok;

	if (r->depth++ >= DEEPEST)
		return false;
	ok = c == '{' ? members(r, '}') : c == '[' ? members(r, ']') :
	    c == '"' ? string(r) :
	    word(r, "true") || word(r, "false") || word(r, "null") || number(r);
	r->depth--;
	return ok;
}

bool
is_json(struct text t)
{
	struct reader r = { .p = t.s, .end = t.s + t.n };

	do
		if (!value(&r))
			return false;
	while (peek(&r) >= 0);
	return true;
}
