/* SPDX-License-Identifier: ISC */
#include "util/match.h"

#include <stdlib.h>

#include "util/literals.h"
#include "util/mem.h"
#include "util/pattern.h"
#include "util/regex_cost.h"
#include "util/regex_need.h"

struct expression {
	char *s;		/* with the flags in it, as regcomp(3) reads it */
	struct text need;	/* a name that it matches has this text; a copy */
	size_t in;		/* the index of its bundle */
};

/* Expressions that are tried together, as one. */
struct bundle {
	struct pattern *p;
	uint64_t tried;		/* on this text, as counted in `texts` */
};

struct match {
	struct expression *e;	/* those that are no plain text, in the order of `need` */
	size_t n, cap;
	size_t needless;	/* they come first: their `need` is empty */
	struct literals needs;	/* of the others, in their order */
	struct bundle *b;
	size_t bundles, capb;
	bool nocase;
	uint64_t *texts;	/* how many were looked at; changes in a match that does not */
	struct literals parts;	/* of patterns that match names with a text in them */
	struct literals wholes;	/* of those that match one name */
	size_t size;		/* of both, of what is held */
	bool recursion;		/* the one name may have a level of recursion after it */
	char *first;		/* as it was given */
};

/* Those that need the same text, if any, are all tried on each name that has it. */
#define MOST_ALIKE 1000

/* How many are a bundle at most, unless these bytes are fewer. */
#define BUNDLE 32
#define BUNDLE_BYTES 4096

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

/* Gets the text that a pattern matches, as the `whole` name or a part of it; false: it is
 * no plain text. */
static bool
literal(struct buf *b, struct text p, unsigned flags, bool *whole)
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

static int
hold(struct match *m, size_t size, struct text shown, struct diag *d)
{
	if (pattern_hold(size, shown, d) < 0)
		return -1;
	m->size += size;
	return 0;
}

static int
add_literal(struct match *m, struct text t, bool whole, struct text shown, struct diag *d)
{
	if (hold(m, literals_size(t.n), shown, d) < 0)
		return -1;
	literals_add(whole ? &m->wholes : &m->parts, t);
	return 0;
}

/* Does it compile? */
static int
check(const char *s, struct text shown, struct diag *d)
{
	struct pattern *p = pattern_new(s, REG_EXTENDED | REG_NOSUB, shown, d);

	pattern_free(p);
	return p ? 0 : -1;
}

/* Gets the expression, in b, of a pattern that is no plain text. */
static int
get_expression(struct buf *b, struct text p, unsigned flags, struct diag *d)
{
	/* The bare pattern comes first, since the group around it must not hide a syntax
	 * error. */
	if (!(flags & MATCH_FIXED) && flags & (MATCH_WORD | MATCH_WHOLE)) {
		build(b, p, 0);
		if (check(buf_str(b), p, d) < 0)
			return -1;
	}
	if (!build(b, p, flags))
		return pattern_bad(p, "-w and -x take groups of their own: too few are left for "
		    "its back-references", d);
	return check(buf_str(b), p, d);
}

/* Returns the text, in b, that a name must have to match. */
static struct text
need_of(struct buf *b, struct text p, unsigned flags)
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

/* Adds a pattern that is no plain text; b: for its expression. */
static int
add_expression(struct match *m, struct buf *b, struct text p, unsigned flags, struct diag *d)
{
	struct expression *e;
	struct text need;

	if (get_expression(b, p, flags, d) < 0)
		return -1;
	m->e = mem_grow(m->e, &m->cap, m->n + 1, sizeof *m->e);
	e = &m->e[m->n++];
	e->s = mem_copy(buf_str(b), b->n);
	need = need_of(b, p, flags);
	e->need = (struct text){ mem_copy(need.s, need.n), need.n };
	m->needless += !need.n;
	return hold(m, strlen(e->s) + literals_size(need.n) + need.n, p, d);
}

static int
add(struct match *m, struct text p, unsigned flags, struct diag *d)
{
	struct buf b = { 0 };
	bool whole;
	int r = literal(&b, p, flags, &whole) ?
	    add_literal(m, (struct text){ buf_str(&b), b.n }, whole, p, d) :
	    add_expression(m, &b, p, flags, d);

	buf_free(&b);
	return r;
}

static int
by_need(const void *a, const void *b)
{
	return text_cmp(((const struct expression *)a)->need, ((const struct expression *)b)->need);
}

/* Makes the expressions ready to be found by what they need. */
static int
index_needs(struct match *m, struct diag *d)
{
	size_t i, alike = 0;

	if (m->n)
		qsort(m->e, m->n, sizeof *m->e, by_need);
	for (i = 0; i < m->n; i++) {
		const struct text need = m->e[i].need;

		alike = i && text_eq(need, m->e[i - 1].need) ? alike + 1 : 1;
		if (alike > MOST_ALIKE && need.n)
			return diag_fail_plain(d, "too many patterns with no fixed text but %s: "
			    "more than %d", QUOTE(need), MOST_ALIKE);
		if (alike > MOST_ALIKE)
			return diag_fail_plain(d, "too many patterns without a fixed text: "
			    "more than %d", MOST_ALIKE);
		if (need.n)
			literals_add(&m->needs, need);
	}
	literals_ready(&m->needs);
	return 0;
}

/* Could expression k be in a bundle that has so many bytes? */
static bool
fits(const struct match *m, size_t k, size_t bytes)
{
	return bytes + strlen(m->e[k].s) < BUNDLE_BYTES && pattern_can_be_grouped(m->e[k].s);
}

/* Returns how many of the expressions from index i to before `to` are one bundle, and its
 * expression in b. */
static size_t
bundle_of(struct buf *b, const struct match *m, size_t i, size_t to)
{
	size_t n, size;

	b->n = 0;
	for (n = 0; i + n < to && n < BUNDLE && fits(m, i + n, b->n); n++)
		buf_printf(b, n ? "|(%s)" : "(%s)", m->e[i + n].s);
	if (n > 1 && !regex_cost(buf_str(b), &size))
		return n;
	b->n = 0;
	buf_puts(b, m->e[i].s);
	return 1;
}

static int
bundle(struct match *m, size_t from, size_t to, int flags, struct diag *d)
{
	struct buf b = { 0 };
	struct pattern *p;
	size_t i, k, n;

	for (i = from; i < to; i += n) {
		n = bundle_of(&b, m, i, to);
		p = pattern_new(buf_str(&b), REG_EXTENDED | REG_NOSUB | flags,
		    text_of(m->e[i].s), d);
		if (!p)
			break;
		m->b = mem_grow(m->b, &m->capb, m->bundles + 1, sizeof *m->b);
		for (k = i; k < i + n; k++)
			m->e[k].in = m->bundles;
		m->b[m->bundles++] = (struct bundle){ .p = p };
	}
	buf_free(&b);
	return i < to ? -1 : 0;
}

struct match *
match_new(const char *const *patterns, size_t n, unsigned flags, struct diag *d)
{
	const int icase = flags & MATCH_NOCASE ? REG_ICASE : 0;
	struct match *m = mem_alloc(1, sizeof *m);
	size_t i;

	m->first = n ? mem_copy(patterns[0], strlen(patterns[0])) : NULL;
	m->recursion = flags & MATCH_WHOLE;
	m->nocase = flags & MATCH_NOCASE;
	m->texts = mem_alloc(1, sizeof *m->texts);
	for (i = 0; i < n; i++) {
		const char *p = patterns[i], *lf;

		do {
			lf = strchr(p, '\n');
			if (add(m, (struct text){ p, lf ? (size_t)(lf - p) :
			    strlen(p) }, flags, d) < 0) {
				match_free(m);
				return NULL;
			}
		} while (lf && (p = lf + 1));
	}
	literals_ready(&m->parts);
	literals_ready(&m->wholes);
	if (index_needs(m, d) < 0 || bundle(m, 0, m->needless, icase, d) < 0 ||
	    bundle(m, m->needless, m->n, icase, d) < 0) {
		match_free(m);
		return NULL;
	}
	return m;
}

void
match_free(struct match *m)
{
	size_t i;

	if (!m)
		return;
	for (i = 0; i < m->n; i++) {
		free(m->e[i].s);
		free((char *)m->e[i].need.s);
	}
	for (i = 0; i < m->bundles; i++)
		pattern_free(m->b[i].p);
	free(m->b);
	free(m->e);
	literals_free(&m->needs);
	literals_free(&m->parts);
	literals_free(&m->wholes);
	pattern_release(m->size);
	free(m->texts);
	free(m->first);
	free(m);
}

struct text
match_pattern(const struct match *m)
{
	return text_of(m->first);
}

/* Returns a name without the level of recursion after it, "'2"; the name if it has none. */
static struct text
without_recursion(struct text t)
{
	size_t n = t.n;

	while (n && t.s[n - 1] >= '0' && t.s[n - 1] <= '9')
		n--;
	return n && n < t.n && t.s[n - 1] == '\'' ? (struct text){ t.s, n - 1 } : t;
}

/* Does one of the expressions from `from` to before `to`, or one of their bundles, match,
 * which was not tried on this text? */
static bool
any_matches(const struct match *m, size_t from, size_t to, struct text t)
{
	size_t i;

	for (i = from; i < to; i++) {
		struct bundle *b = &m->b[m->e[i].in];

		if (b->tried == *m->texts)
			continue;
		b->tried = *m->texts;
		if (pattern_matches(b->p, t))
			return true;
	}
	return false;
}

/* Does one of the expressions match that need what is in the text? */
static bool
any_needed_matches(const struct match *m, struct text t)
{
	struct literals_walk w = { .t = t, .nocase = m->nocase };
	size_t from, to;

	while (literals_next(&m->needs, &w, &from, &to))
		if (any_matches(m, m->needless + from, m->needless + to, t))
			return true;
	return false;
}

bool
match_text(const struct match *m, struct text t)
{
	if (!t.s)
		return false;
	++*m->texts;
	return literals_in(&m->parts, t) || literals_have(&m->wholes, t) ||
	    (m->recursion && literals_have(&m->wholes, without_recursion(t))) ||
	    any_matches(m, 0, m->needless, t) || any_needed_matches(m, t);
}
