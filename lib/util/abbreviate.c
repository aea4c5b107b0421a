/* SPDX-License-Identifier: ISC */
#include "util/abbreviate.h"

#include <stdint.h>
#include <stdlib.h>

#include "util/mem.h"
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

/* A name with the ends of its groups. */
struct parsed {
	struct text t;
	size_t *end;		/* by the place of an opening bracket: the place after the one
				 * that closes it; 0: there is none */
};

/* Finds the groups of a name; the caller frees `end`. */
static struct parsed
parse(struct text name)
{
	struct parsed p = { name, mem_alloc(name.n + 1, sizeof *p.end) };
	size_t i, inner = 0, outer;	/* the place after the bracket of the innermost group */

	/* As long as a group is open, its end is the one around it. */
	for (i = 0; i < name.n; i++) {
		if (name.s[i] == '<' || name.s[i] == '(') {
			p.end[i] = inner;
			inner = i + 1;
		} else if (inner && (name.s[i] == ')' || (name.s[i] == '>' &&
		    name.s[i - 1] != '-'))) {
			outer = p.end[inner - 1];
			p.end[inner - 1] = i + 1;
			inner = outer;
		}
	}
	for (; inner; inner = outer) {
		outer = p.end[inner - 1];
		p.end[inner - 1] = 0;
	}
	return p;
}

/* Returns the byte after the bracket that closes the one at p; NULL: there is none before
 * `end`. */
static const char *
group_end(const struct parsed *of, const char *p, const char *end)
{
	const size_t at = of->end[p - of->t.s];

	return at && at <= (size_t)(end - of->t.s) ? of->t.s + at : NULL;
}

/* Replaces the contents of groups that begin with `open` by dots, except a group that the
 * name begins with, as in Rust's "<T as Trait>::method". */
static void
empty_groups(struct buf *to, const struct parsed *name, char open)
{
	const char *const start = name->t.s, *const end = start + name->t.n, *p, *close;
	size_t n;

	for (p = start; p < end; p++) {
		if ((n = operator_signs(p, end, start))) {
			buf_add(to, p, n);
			p += n - 1;
		} else if (*p == open && p > start && p[-1] != '.' && !is_anonymous(p, end) &&
		    (close = group_end(name, p, end)) && close - p > 5) {
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
name_begins(const struct parsed *name)
{
	const char *const start = name->t.s, *const end = start + name->t.n;
	const char *p, *from = start, *close;
	size_t n;

	for (p = start; p < end; p++) {
		if ((n = operator_signs(p, end, start)))
			p += n - (p + n == end || p[n] != ' ');
		else if (*p == '(' && !is_anonymous(p, end))
			break;		/* parameters, and maybe "const" */
		else if ((*p == '<' || *p == '(') && (close = group_end(name, p, end)))
			p = close - 1;
		else if (*p == ' ')
			from = p + 1;
	}
	/* These blanks are part of a name: "operator new", "foo [clone .cold]", Go's "f
	 * (inline)". */
	if (from - start >= 9 && memcmp(from - 9, "operator ", 9) == 0)
		return 0;
	return from < end && *from != '[' && *from != '(' ? (size_t)(from - start) : 0;
}

/* Returns the byte after the first "::" outside of groups of a part of a name; 0: there is
 * none. */
static size_t
next_scope(const struct parsed *of, struct text name)
{
	const char *p = name.s, *end = p + name.n, *close;
	size_t n;

	for (; p < end; p++) {
		if ((n = operator_signs(p, end, name.s)))
			p += n - 1;
		else if (*p == '(' && !is_anonymous(p, end))
			return 0;
		else if ((*p == '<' || *p == '(') && (close = group_end(of, p, end)))
			p = close - 1;
		else if (*p == ':' && p + 2 < end && p[1] == ':')
			return (size_t)(p + 2 - name.s);
	}
	return 0;
}

/* Returns the text after the last "::" outside of groups of a part of a name. */
static struct text
last_scope(const struct parsed *of, struct text name)
{
	size_t n;

	while ((n = next_scope(of, name))) {
		name.s += n;
		name.n -= n;
	}
	return name;
}

/* Adds Rust's "<a::b::T as c::Trait>::method" without modules; false: the name has another
 * form. */
static bool
bare_traits(struct buf *to, const struct parsed *name)
{
	const char *const start = name->t.s, *const end = start + name->t.n, *close, *as;

	if (start == end || *start != '<' || !(close = group_end(name, start, end)))
		return false;
	buf_putc(to, '<');
	as = memmem(start, (size_t)(close - start), " as ", 4);
	buf_text(to, last_scope(name, (struct text){ start + 1,
	    (size_t)((as ? as : close - 1) - start - 1) }));
	if (as) {
		buf_puts(to, " as ");
		buf_text(to, last_scope(name, (struct text){ as + 4,
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
	const struct parsed all = parse(name);
	size_t n, columns = printable_columns(name);

	while (columns + 3 > width && (n = next_scope(&all, name))) {
		columns -= printable_columns((struct text){ name.s, n });
		name.s += n;
		name.n -= n;
	}
	free(all.end);
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
	const struct parsed of = parse(name);
	const size_t from = step == RETURNED ? name_begins(&of) : 0;

	if (step == CLONE)
		short_clone(to, name);
	else if (step == ARGUMENTS || step == PARAMETERS)
		empty_groups(to, &of, step == ARGUMENTS ? '<' : '(');
	else if (step != MODULES || !bare_traits(to, &of))
		buf_add(to, name.s + from, name.n - from);
	free(of.end);
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
	size_t i, n, from, to;

	for (i = 0; i < sizeof group / sizeof *group; i++) {
		n = strlen(group[i]);
		for (from = to = 0; from < b->n; from++) {
			b->s[to++] = b->s[from];
			if (to >= n && to + b->n - from - 1 > n &&
			    memcmp(b->s + to - n, group[i], n) == 0)
				to -= n;
		}
		b->n = to;
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
