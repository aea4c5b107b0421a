/* SPDX-License-Identifier: ISC */
#include "match.h"

#include <errno.h>
#include <stdlib.h>

#include "mem.h"

struct match {
	regex_t *re;
	size_t n, cap;
};

#define ANCHORS 100
#ifndef REG_ESIZE		/* glibc's */
#define REG_ESIZE REG_BADPAT
#endif

/* More anchors in a row than anybody has a use for?  What glibc's regcomp(3) takes
 * goes by their square: 64 MB for 340. */
static bool
has_anchors(const char *p)
{
	size_t n;

	for (n = 0; *p && n <= ANCHORS; p++) {
		bool escape = *p == '\\' && p[1];

		n = escape ? strchr("bB<>`'", p[1]) ? n + 1 : 0 :
		    *p == '^' || *p == '$' ? n + 1 : 0;
		p += escape;
	}
	return n > ANCHORS;
}

int
match_compile(regex_t *re, const char *pattern, int flags)
{
	int err = has_anchors(pattern) ? REG_ESIZE : regcomp(re, pattern, flags);

	if (err == REG_ESPACE)
		mem_fail(0);
	return err;
}

/* A pattern as one extended regular expression, flags and all. */
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

		if (flags & MATCH_FIXED && strchr("\\^$.[]|()*+?{}", p.s[i]))
			buf_putc(b, '\\');
		/* "\1" counts groups, and one or two stand before the pattern. */
		buf_putc(b, escaped && p.s[i] >= '1' && p.s[i] <= '7' ?
		    (char)(p.s[i] + groups) : p.s[i]);
	}
	if (flags & MATCH_WHOLE)
		buf_puts(b, ")('[0-9]+)?$");
	else if (flags & MATCH_WORD)
		buf_puts(b, ")($|[^[:alnum:]_])");
}

static int
add(struct match *m, struct text p, unsigned flags, struct diag *d)
{
	struct buf b = { 0 };
	char why[200];
	int err;

	m->re = mem_grow(m->re, &m->cap, m->n + 1, sizeof *m->re);
	/* First as it stands: what is put around it must not mend it. */
	build(&b, p, flags & MATCH_FIXED);
	err = match_compile(&m->re[m->n], buf_str(&b), REG_EXTENDED | REG_NOSUB);
	if (!err) {
		regfree(&m->re[m->n]);
		build(&b, p, flags);
		err = match_compile(&m->re[m->n], buf_str(&b), REG_EXTENDED | REG_NOSUB |
		    (flags & MATCH_NOCASE ? REG_ICASE : 0));
	}
	buf_free(&b);
	if (err) {
		regerror(err, &m->re[m->n], why, sizeof why);
		return diag_fail_plain(d, "bad pattern %s: %s",
		    diag_quote(p.s, p.n), why);
	}
	m->n++;
	return 0;
}

struct match *
match_new(const char *const *patterns, size_t n, unsigned flags, struct diag *d)
{
	struct match *m = mem_alloc(1, sizeof *m);
	size_t i;

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
	while (m->n)
		regfree(&m->re[--m->n]);
	free(m->re);
	free(m);
}

bool
match_exec(const regex_t *re, const char *s, size_t n, regmatch_t *at, int flags)
{
	int err;

	errno = 0;
	err = regexec(re, s, n, at, flags);
	if (err && (err != REG_NOMATCH || errno == ENOMEM))
		mem_fail(0);
	return !err;
}

bool
match_text(const struct match *m, struct text t)
{
	size_t i;

	if (!t.s)
		return false;
	for (i = 0; i < m->n; i++) {
#ifdef REG_STARTEND
		regmatch_t at = { .rm_so = 0, .rm_eo = (regoff_t)t.n };

		if (match_exec(&m->re[i], t.s, 1, &at, REG_STARTEND))
			return true;
#else
		if (match_exec(&m->re[i], t.s, 0, NULL, 0))
			return true;
#endif
	}
	return false;
}
