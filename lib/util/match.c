/* SPDX-License-Identifier: ISC */
#include "util/match.h"

#include <stdlib.h>

#include "util/literals.h"
#include "util/match_expression.h"
#include "util/mem.h"
#include "util/pattern.h"
#include "util/regex_cost.h"

struct expression {
	char *s;		/* with the flags in it, as regcomp(3) reads it */
	struct text given;	/* without them; a copy */
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

/* Adds a pattern that is no plain text; b: for its expression. */
static int
add_expression(struct match *m, struct buf *b, struct text p, unsigned flags, struct diag *d)
{
	struct expression *e;
	struct text need;

	if (match_expression(b, p, flags, d) < 0)
		return -1;
	m->e = mem_grow(m->e, &m->cap, m->n + 1, sizeof *m->e);
	e = &m->e[m->n++];
	e->s = mem_copy(buf_str(b), b->n);
	e->given = (struct text){ mem_copy(p.s, p.n), p.n };
	need = match_need(b, p, flags);
	e->need = (struct text){ mem_copy(need.s, need.n), need.n };
	m->needless += !need.n;
	return hold(m, strlen(e->s) + p.n + literals_size(need.n) + need.n, p, d);
}

static int
add(struct match *m, struct text p, unsigned flags, struct diag *d)
{
	struct buf b = { 0 };
	bool whole;
	int r = match_literal(&b, p, flags, &whole) ?
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
		p = pattern_new(buf_str(&b), REG_EXTENDED | REG_NOSUB | flags, m->e[i].given, d);
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
		free((char *)m->e[i].given.s);
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
