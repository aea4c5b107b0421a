/* SPDX-License-Identifier: ISC */
#include "util/match.h"

#include <errno.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/regex_cost.h"

struct match {
	struct pattern *p;
	char **exact;		/* of a pattern "^NAME$", which matches one name: that name;
				 * otherwise NULL */
	size_t n, cap, capexact;
	char *first;		/* as it was given */
};

#define SPECIAL "\\^$.[]|()*+?{}"

/* The bytes of all patterns, since the limit is on the memory of the process. */
static size_t held;

static int
bad_pattern(struct diag *d, struct text shown, const char *why)
{
	return diag_fail_plain(d, "bad pattern %s: %s", QUOTE(shown), why);
}

int
pattern_compile(struct pattern *p, const char *s, int flags, struct text shown,
    struct diag *d)
{
	const char *why = regex_cost(s, &p->size);
	char reason[200];
	int err;

	if (!why && p->size > MATCH_MOST - held)
		why = "too many patterns: together they may take more than 256 MB of "
		    "memory";
	if (why)
		return bad_pattern(d, shown, why);
	err = regcomp(&p->re, s, flags);
	if (err == REG_ESPACE)
		mem_fail(0);
	if (err) {
		regerror(err, &p->re, reason, sizeof reason);
		return bad_pattern(d, shown, reason);
	}
	held += p->size;
	return 0;
}

void
pattern_free(struct pattern *p)
{
	regfree(&p->re);
	held -= p->size;
}

bool
pattern_exec(const struct pattern *p, const char *s, size_t n, regmatch_t *at, int flags)
{
	int err;

	errno = 0;
	err = regexec(&p->re, s, n, at, flags);
	if (err && (err != REG_NOMATCH || errno == ENOMEM))
		mem_fail(0);
	return !err;
}

/* Adds a pattern as one extended regular expression that includes the flags. */
static void
build(struct buf *b, struct text p, unsigned flags)
{
	const int groups = flags & MATCH_WHOLE ? 1 : flags & MATCH_WORD ? 2 : 0;
	size_t i;

	b->n = 0;
	if (flags & MATCH_WHOLE)
		buf_puts(b, "^(");
	else if (flags & MATCH_WORD)
		buf_puts(b, "(^|[^[:alnum:]_])(");
	for (i = 0; i < p.n; i++) {
		bool escaped = !(flags & MATCH_FIXED) && i && p.s[i - 1] == '\\' &&
		    (i < 2 || p.s[i - 2] != '\\');

		if (flags & MATCH_FIXED && strchr(SPECIAL, p.s[i]))
			buf_putc(b, '\\');
		/* "\1" counts groups, and the pattern comes after one or two. */
		buf_putc(b, escaped && p.s[i] >= '1' && p.s[i] <= '7' ?
		    (char)(p.s[i] + groups) : p.s[i]);
	}
	if (flags & MATCH_WHOLE)
		buf_puts(b, ")('[0-9]+)?$");
	else if (flags & MATCH_WORD)
		buf_puts(b, ")($|[^[:alnum:]_])");
}

/* Returns the name that is all that a pattern matches; NULL: it may match others. */
static char *
exact_name(struct text p, unsigned flags)
{
	struct buf b = { 0 };
	size_t i;

	if (flags || p.n < 2 || p.s[0] != '^' || p.s[p.n - 1] != '$')
		return NULL;
	for (i = 1; i + 1 < p.n; i++) {
		const bool escaped = p.s[i] == '\\' && i + 2 < p.n &&
		    memchr(SPECIAL, p.s[i + 1], sizeof SPECIAL - 1);

		i += escaped;
		if (!p.s[i] || (!escaped && memchr(SPECIAL, p.s[i], sizeof SPECIAL - 1))) {
			buf_free(&b);
			return NULL;
		}
		buf_putc(&b, p.s[i]);
	}
	buf_str(&b);
	return b.s;
}

static int
add(struct match *m, struct text p, unsigned flags, struct diag *d)
{
	const int icase = flags & MATCH_NOCASE ? REG_ICASE : 0;
	struct buf b = { 0 };
	int r = 0;

	m->p = mem_grow(m->p, &m->cap, m->n + 1, sizeof *m->p);
	m->exact = mem_grow(m->exact, &m->capexact, m->n + 1, sizeof *m->exact);
	/* Compiles the bare pattern first, since the group around it must not hide a syntax
	 * error. */
	if (!(flags & MATCH_FIXED) && flags & (MATCH_WORD | MATCH_WHOLE)) {
		build(&b, p, 0);
		r = pattern_compile(&m->p[m->n], buf_str(&b), REG_EXTENDED | REG_NOSUB, p, d);
		if (r == 0)
			pattern_free(&m->p[m->n]);
	}
	build(&b, p, flags);
	if (r == 0)
		r = pattern_compile(&m->p[m->n], buf_str(&b), REG_EXTENDED | REG_NOSUB | icase,
		    p, d);
	if (r == 0)
		m->exact[m->n++] = exact_name(p, flags);
	buf_free(&b);
	return r;
}

struct match *
match_new(const char *const *patterns, size_t n, unsigned flags, struct diag *d)
{
	struct match *m = mem_alloc(1, sizeof *m);
	size_t i;

	m->first = n ? mem_copy(patterns[0], strlen(patterns[0])) : NULL;
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
	return m;
}

void
match_free(struct match *m)
{
	if (!m)
		return;
	while (m->n) {
		free(m->exact[m->n - 1]);
		pattern_free(&m->p[--m->n]);
	}
	free(m->p);
	free(m->exact);
	free(m->first);
	free(m);
}

struct text
match_pattern(const struct match *m)
{
	return text_of(m->first);
}

bool
match_text(const struct match *m, struct text t)
{
	size_t i;

	if (!t.s)
		return false;
	for (i = 0; i < m->n; i++) {
		if (m->exact[i]) {
			if (text_is(t, m->exact[i]))
				return true;
			continue;
		}
#ifdef REG_STARTEND
		regmatch_t at = { .rm_so = 0, .rm_eo = (regoff_t)t.n };

		if (pattern_exec(&m->p[i], t.s, 1, &at, REG_STARTEND))
			return true;
#else
		if (pattern_exec(&m->p[i], t.s, 0, NULL, 0))
			return true;
#endif
	}
	return false;
}
