/* SPDX-License-Identifier: ISC */
#include "util/match_expression.h"

#include "util/match_flags.h"
#include "util/pattern.h"
#include "util/regex_cost.h"
#include "util/regex_need.h"

/* Adds an expression that comes after so many groups, which its back-references then count:
 * false if one would be above \9.  A parenthesis that closes no group is a plain one. */
static bool
add_shifted(struct buf *b, struct text p, char groups)
{
	const char *at = p.s, *const end = p.s + p.n, *next;
	size_t depth = 0;

	for (; at < end; at = next) {
		next = at + 1;
		if (*at == '[' && !(next = regex_bracket(at, end)))
			next = end;
		if (*at == ')' && !depth)
			buf_putc(b, '\\');
		depth = *at == '(' ? depth + 1 : *at == ')' && depth ? depth - 1 : depth;
		buf_add(b, at, (size_t)(next - at));
		if (*at != '\\' || next == end)
			continue;
		if (*next >= '1' && *next > '9' - groups && *next <= '9')
			return false;
		buf_putc(b, *next >= '1' && *next <= '9' ? (char)(*next + groups) : *next);
		next++;
	}
	return true;
}

static void
add_fixed(struct buf *b, struct text p)
{
	size_t i;

	for (i = 0; i < p.n; i++) {
		if (strchr(REGEX_OPERATORS, p.s[i]))
			buf_putc(b, '\\');
		buf_putc(b, p.s[i]);
	}
}

/* Makes a pattern one extended regular expression that includes the flags: false if that is
 * not possible. */
static bool
build(struct buf *b, struct text p, unsigned flags)
{
	const char groups = flags & MATCH_WHOLE ? 1 : flags & MATCH_WORD ? 2 : 0;
	bool can = true;

	b->n = 0;
	if (flags & MATCH_WHOLE)
		buf_puts(b, "^(");
	else if (flags & MATCH_WORD)
		buf_puts(b, "(^|[^[:alnum:]_])(");
	if (flags & MATCH_FIXED)
		add_fixed(b, p);
	else
		can = add_shifted(b, p, groups);
	if (flags & MATCH_WHOLE)
		buf_puts(b, ")('[0-9]+)?$");
	else if (flags & MATCH_WORD)
		buf_puts(b, ")($|[^[:alnum:]_])");
	return can;
}

/* Gets the bytes that a regular expression without operators matches; false: it has some. */
static bool
plain_text(struct buf *b, struct text p)
{
	size_t i;

	for (i = 0; i < p.n; i++) {
		const bool escaped = p.s[i] == '\\' && i + 1 < p.n &&
		    strchr(REGEX_OPERATORS, p.s[i + 1]);

		i += escaped;
		if (!escaped && strchr(REGEX_OPERATORS, p.s[i]))
			return false;
		buf_putc(b, p.s[i]);
	}
	return true;
}

bool
match_literal(struct buf *b, struct text p, unsigned flags, bool *whole)
{
	b->n = 0;
	*whole = flags & MATCH_WHOLE;
	if (flags & (MATCH_NOCASE | MATCH_WORD))
		return false;
	if (flags & MATCH_FIXED) {
		buf_add(b, p.s, p.n);
		return true;
	}
	if (!flags && p.n > 1 && p.s[0] == '^' && p.s[p.n - 1] == '$') {
		*whole = true;
		p.s++;
		p.n -= 2;
	}
	return plain_text(b, p);
}

/* Does it compile? */
static int
check(const char *s, struct text shown, struct diag *d)
{
	struct pattern *p = pattern_new(s, REG_EXTENDED | REG_NOSUB, shown, d);

	pattern_free(p);
	return p ? 0 : -1;
}

int
match_expression(struct buf *b, struct text p, unsigned flags, struct diag *d)
{
	/* The bare pattern, since a group around it must not hide a syntax error. */
	build(b, p, flags & MATCH_FIXED);
	if (check(buf_str(b), p, d) < 0)
		return -1;
	return build(b, p, flags) ? 0 : pattern_bad(p, "-w and -x take groups of their own: too "
	    "few are left for its back-references", d);
}

struct text
match_need(struct buf *b, struct text p, unsigned flags)
{
	struct buf fixed = { 0 };
	struct text need;

	if (flags & MATCH_FIXED) {
		add_fixed(&fixed, p);
		p = (struct text){ buf_str(&fixed), fixed.n };
	}
	need = regex_need(b, p, flags & MATCH_NOCASE);
	buf_free(&fixed);
	return need;
}
