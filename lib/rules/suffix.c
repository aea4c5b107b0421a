/* SPDX-License-Identifier: ISC */
#include "rules/suffix.h"

/* GCC's and LLVM's names of clones: cgraphclones.cc, FunctionImport.cpp */
static const char *const clones[] = { "constprop", "isra", "part", "cold", "lto_priv",
	"llvm", "__uniq" };

#define HASH 16			/* digits */

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
ends_with(struct text t, const char *end)
{
	const size_t n = strlen(end);

	return t.n >= n && memcmp(t.s + t.n - n, end, n) == 0;
}

/* Returns where the number at the end of n bytes begins; n if there is none. */
static size_t
before_digits(const char *s, size_t n)
{
	while (n && is_digit(s[n - 1]))
		n--;
	return n;
}

/* Each of these returns the text's length without one mark of its kind at its end; its
 * whole length if there is none. */

/* f.part.0.1, f.cold */
static size_t
before_plain(struct text t)
{
	struct text rest = t;
	size_t i, n;

	while ((n = before_digits(rest.s, rest.n)) < rest.n && n && rest.s[n - 1] == '.')
		rest.n = n - 1;
	for (i = 0; i < sizeof clones / sizeof *clones; i++) {
		n = rest.n - strlen(clones[i]);
		if (ends_with(rest, clones[i]) && n && rest.s[n - 1] == '.')
			return n - 1;
	}
	return t.n;
}

/* Handles demangled names: GNU's f(int) [clone .isra.0], with any name of the clone, and
 * LLVM's f(int) (.isra.0.cold), where it may be something else. */
static size_t
before_clone(struct text t)
{
	const char close = t.n ? t.s[t.n - 1] : 0;
	const char *p = close == ']' ? last_byte(t.s, '[', t.n) :
	    close == ')' ? last_byte(t.s, '(', t.n) : NULL;
	struct text in;
	size_t n;

	if (!p)
		return before_plain(t);
	in = (struct text){ p + 1, (size_t)(t.s + t.n - p) - 2 };
	if (p == t.s || p[-1] != ' ' || !in.n)
		return t.n;
	if (*p == '[')
		n = in.n > 7 && memcmp(in.s, "clone .", 7) == 0 ? 0 : in.n;
	else
		for (n = in.n; (in.n = before_plain(in)) < n; n = in.n)
			;
	return n ? t.n : (size_t)(p - 1 - t.s);
}

static size_t
before_hash(struct text t)
{
	size_t n = t.n;

	while (n && t.n - n < HASH && (is_digit(t.s[n - 1]) ||
	    (t.s[n - 1] >= 'a' && t.s[n - 1] <= 'f')))
		n--;
	return t.n - n == HASH && ends_with((struct text){ t.s, n }, "::h") ? n - 3 : t.n;
}

static size_t
before_level(struct text t)
{
	const size_t n = before_digits(t.s, t.n);

	return n < t.n && n && t.s[n - 1] == '\'' ? n - 1 : t.n;
}

/* Returns the length without the last mark, and sets its kind; 0 if there is none, or
 * nothing would be left. */
static size_t
before_mark(struct text t, enum suffix *kind)
{
	static size_t (*const before[SUFFIXES])(struct text) = {
		[SUFFIX_CLONE] = before_clone,
		[SUFFIX_RUST] = before_hash,
		[SUFFIX_LEVEL] = before_level,
	};
	size_t n;

	for (*kind = 0; *kind < SUFFIXES; ++*kind)
		if ((n = before[*kind](t)) < t.n)
			return n;
	return 0;
}

struct text
suffix_remove(struct text name, unsigned kinds, struct buf *out)
{
	struct text rest = name;
	enum suffix kind;
	size_t n, at = name.n;
	char *s;

	if (!name.s || !before_mark(name, &kind))
		return name;
	out->n = 0;
	s = buf_room(out, name.n);
	/* Works from the end, so the marks that stay are put at the end of the room. */
	for (; (n = before_mark(rest, &kind)); rest.n = n)
		if (!(kinds & 1u << kind)) {
			at -= rest.n - n;
			memcpy(s + at, rest.s + n, rest.n - n);
		}
	at -= rest.n;
	memcpy(s + at, rest.s, rest.n);
	return at ? (struct text){ s + at, name.n - at } : name;
}
