/* SPDX-License-Identifier: ISC */
#include "util/abbreviate.h"

#include <stdint.h>

#include "util/printable.h"

#define DOTS "\xe2\x80\xa6"

/* The signs of "operator<", "operator->", "operator<<" are no brackets; nor is the pair of
 * operator()(...), which is its name.  In "operator><char>" the second sign is one. */
static size_t
operator_signs(const char *p, const char *end, const char *start)
{
	static const char *const signs[] = {
		"<=>", "<<=", ">>=", "<<", ">>", "<=", ">=", "->", "<", ">", "()"
	};
	const size_t n = 8;	/* of "operator" */
	size_t i, len;

	if (p - start < (ptrdiff_t)n || memcmp(p - n, "operator", n) != 0)
		return 0;
	for (i = 0; i < sizeof signs / sizeof *signs; i++) {
		len = strlen(signs[i]);
		if ((size_t)(end - p) >= len && memcmp(p, signs[i], len) == 0)
			return len;
	}
	return 0;
}

static bool
is_anonymous(const char *p, const char *end)
{
	static const char word[] = "(anonymous";

	return (size_t)(end - p) >= sizeof word - 1 &&
	    memcmp(p, word, sizeof word - 1) == 0;
}

/* Returns the byte after the bracket that closes the one at p; NULL: there is none. */
static const char *
group_end(const char *p, const char *end)
{
	int depth = 0;

	for (; p < end; p++) {
		if (*p == '<' || *p == '(')
			depth++;
		else if ((*p == '>' && p[-1] != '-') || *p == ')')
			if (--depth == 0)
				return p + 1;
	}
	return NULL;
}

/* Replaces the contents of groups that begin with `open` by dots, except a group that the
 * name begins with, as in Rust's "<T as Trait>::method". */
static void
empty_groups(struct buf *to, struct text name, char open)
{
	const char *p = name.s, *end = p + name.n, *close;
	size_t n;

	for (; p < end; p++) {
		if ((n = operator_signs(p, end, name.s))) {
			buf_add(to, p, n);
			p += n - 1;
		} else if (*p == open && p > name.s && p[-1] != '.' &&
		    !is_anonymous(p, end) && (close = group_end(p, end)) && close - p > 5) {
			buf_putc(to, open);
			buf_puts(to, DOTS);
			buf_putc(to, close[-1]);
			p = close - 1;
		} else {
			buf_putc(to, *p);
		}
	}
}

/* Returns where the name itself begins, after the return type: after the last blank outside
 * of groups and before the parameters. */
static size_t
name_begins(struct text name)
{
	const char *p = name.s, *end = p + name.n, *from = p, *close;
	size_t n;

	for (; p < end; p++) {
		if ((n = operator_signs(p, end, name.s)))
			p += n - (p + n == end || p[n] != ' ');
		else if (*p == '(' && !is_anonymous(p, end))
			break;		/* parameters, and maybe "const" */
		else if ((*p == '<' || *p == '(') && (close = group_end(p, end)))
			p = close - 1;
		else if (*p == ' ')
			from = p + 1;
	}
	/* These blanks are part of a name: "operator new", "foo [clone .cold]", Go's "f
	 * (inline)". */
	if (from - name.s >= 9 && memcmp(from - 9, "operator ", 9) == 0)
		return 0;
	return from < end && *from != '[' && *from != '(' ? (size_t)(from - name.s) : 0;
}

/* Returns the byte after the first "::" outside of groups; 0: there is none. */
static size_t
next_scope(struct text name)
{
	const char *p = name.s, *end = p + name.n, *close;
	size_t n;

	for (; p < end; p++) {
		if ((n = operator_signs(p, end, name.s)))
			p += n - 1;
		else if (*p == '(' && !is_anonymous(p, end))
			return 0;
		else if ((*p == '<' || *p == '(') && (close = group_end(p, end)))
			p = close - 1;
		else if (*p == ':' && p + 2 < end && p[1] == ':')
			return (size_t)(p + 2 - name.s);
	}
	return 0;
}

/* Returns the text after the last "::" outside of groups. */
static struct text
last_scope(struct text name)
{
	size_t n;

	while ((n = next_scope(name))) {
		name.s += n;
		name.n -= n;
	}
	return name;
}

/* Adds Rust's "<a::b::T as c::Trait>::method" without modules; false: the name has another
 * form. */
static bool
bare_traits(struct buf *to, struct text name)
{
	const char *end = name.s + name.n, *close, *as;
	struct text t;

	if (!name.n || *name.s != '<' || !(close = group_end(name.s, end)))
		return false;
	buf_putc(to, '<');
	as = memmem(name.s, (size_t)(close - name.s), " as ", 4);
	t = last_scope((struct text){ name.s + 1,
	    (size_t)((as ? as : close - 1) - name.s - 1) });
	buf_text(to, t);
	if (as) {
		buf_puts(to, " as ");
		buf_text(to, last_scope((struct text){ as + 4,
		    (size_t)(close - 1 - as - 4) }));
	}
	buf_add(to, close - 1, (size_t)(end - close + 1));
	return true;
}

static bool
fits(const struct buf *b, size_t width)
{
	return printable_columns(buf_as_text(b)) <= width;
}

/* Leaves out scopes until the rest fits after dots, or has no more. */
static struct text
without_scopes(struct text name, size_t width)
{
	size_t n;

	while ((n = next_scope(name))) {
		name.s += n;
		name.n -= n;
		if (printable_columns(name) + 3 <= width)
			break;
	}
	return name;
}

enum { RETURNED, MODULES, ARGUMENTS, PARAMETERS, CLONE, STEPS };

/* GCC names a part of a function "f() [clone .cold]": drops the word "clone". */
static void
short_clone(struct buf *to, struct text name)
{
	static const char word[] = "[clone ";
	const char *at = memmem(name.s, name.n, word, sizeof word - 1), *after;

	if (at) {
		buf_add(to, name.s, (size_t)(at + 1 - name.s));
		after = at + sizeof word - 1;
		buf_add(to, after, (size_t)(name.s + name.n - after));
	} else {
		buf_text(to, name);
	}
}

/* Adds the name without what this step takes away. */
static void
take_away(struct buf *to, struct text name, size_t step)
{
	const size_t from = step == RETURNED ? name_begins(name) : 0;

	if (step == CLONE)
		short_clone(to, name);
	else if (step == ARGUMENTS || step == PARAMETERS)
		empty_groups(to, name, step == ARGUMENTS ? '<' : '(');
	else if (step != MODULES || !bare_traits(to, name))
		buf_add(to, name.s + from, name.n - from);
}

/* Shortens the name in as few steps as make it fit. */
static struct buf
simplify(struct text name, size_t width)
{
	struct buf seen = { 0 }, less = { 0 };
	size_t i;

	printable_add(&seen, name);
	for (i = 0; i < STEPS && !fits(&seen, width); i++) {
		const struct buf was = seen;

		less.n = 0;
		take_away(&less, buf_as_text(&was), i);
		seen = less;
		less = was;
	}
	buf_free(&less);
	return seen;
}

void
abbreviate_most(struct buf *b, struct text name)
{
	struct buf seen = simplify(name, 0);

	buf_text(b, buf_as_text(&seen));
	buf_free(&seen);
}

/* Takes "<…>" and "(…)" away, unless they are all that there is. */
static void
drop_groups(struct buf *b)
{
	static const char *const group[] = { "<" DOTS ">", "(" DOTS ")" };
	size_t i, n;
	char *at;

	for (i = 0; i < sizeof group / sizeof *group; i++) {
		n = strlen(group[i]);
		while (b->n > n && (at = memmem(b->s, b->n, group[i], n))) {
			memmove(at, at + n, (size_t)(b->s + b->n - at) - n);
			b->n -= n;
		}
	}
	while (b->n && b->s[b->n - 1] == ' ')
		b->n--;
}

void
abbreviate(struct buf *b, struct text name, size_t width)
{
	struct buf seen = simplify(name, width >= 4 ? width : SIZE_MAX), last = { 0 };
	struct text rest = buf_as_text(&seen);

	if (width >= 4 && printable_columns(rest) > width) {
		rest = without_scopes(rest, width);
		if (rest.n < seen.n && printable_columns(rest) + 3 <= width)
			buf_puts(b, DOTS "::");
	}
	buf_text(&last, rest);
	if (width >= 4 && printable_columns(rest) > width)
		drop_groups(&last);
	printable_shortened(b, buf_as_text(&last), width);
	buf_free(&seen);
	buf_free(&last);
}
