/* SPDX-License-Identifier: ISC */
#include "util/pattern.h"

#include <errno.h>
#include <stdlib.h>

#include "util/buf.h"
#include "util/mem.h"
#include "util/regex_cost.h"
#include "util/system.h"

/* A compiled expression, in the list of those that are live. */
struct expression {
	struct expression *prev, *next;
	regex_t re;
	char *s;
	int flags;
	size_t size;		/* estimated, in bytes */
	bool used;		/* since it was compiled */
};

struct pattern {
	struct expression *any;	/* matches if there is a match; NULL: as `first` does */
	struct expression *first;	/* finds the first match; NULL if that is never asked */
};

static struct {
	struct expression *list;
	size_t held;		/* estimated, with what others hold for patterns */
	size_t read;		/* bytes since the heap was looked at */
	size_t used;		/* expressions since their states were forgotten */
	size_t heap;		/* the bytes in use then */
} live;

/* ---- memory ---- */

int
pattern_bad(struct text shown, const char *why, struct diag *d)
{
	return diag_fail_plain(d, "bad pattern %s: %s", QUOTE(shown), why);
}

int
pattern_hold(size_t size, struct text shown, struct diag *d)
{
	if (size > PATTERNS_MOST - live.held)
		return pattern_bad(shown, "too many patterns: together they may take more than "
		    "256 MB of memory", d);
	live.held += size;
	return 0;
}

void
pattern_release(size_t size)
{
	live.held -= size;
}

/* Bytes of names, and of memory that may come: in all cases, for each expression that was
 * used, and at most. */
#define READ_MOST 4096
#define GROWN_BASE ((size_t)2 << 20)
#define GROWN_EACH ((size_t)512 << 10)
#define GROWN_MOST ((size_t)256 << 20)

/* glibc keeps all states that an expression was in, some kilobytes each, and looks for the
 * next one in lists that grow with them.  "a.{50}b" can have one for each byte that it has
 * read.  They go when it is compiled again. */
static void
forget_states(size_t n)
{
	size_t now, most = GROWN_BASE + GROWN_EACH * live.used;
	struct expression *e;

	live.read += n;
	if (live.read < READ_MOST)
		return;
	live.read = 0;
	now = system_heap();
	if (now < live.heap)
		live.heap = now;
	if (now - live.heap <= (most < GROWN_MOST ? most : GROWN_MOST))
		return;
	for (e = live.list; e; e = e->next) {
		if (!e->used)
			continue;
		e->used = false;
		regfree(&e->re);
		if (regcomp(&e->re, e->s, e->flags))
			mem_fail(0);
	}
	live.used = 0;
	live.heap = system_heap();
}

/* ---- one expression ---- */

/* Names are bytes: regcomp(3) and regexec(3) run in the C locale.  The caller sets back what
 * this returns, with uselocale(3). */
static locale_t
bytes(void)
{
	static locale_t c_locale;

	if (!c_locale && !(c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)))
		mem_fail(0);
	return uselocale(c_locale);
}

static void
forget(struct expression *e)
{
	if (!e)
		return;
	regfree(&e->re);
	pattern_release(e->size);
	live.used -= e->used;
	if (e->next)
		e->next->prev = e->prev;
	*(e->prev ? &e->prev->next : &live.list) = e->next;
	free(e->s);
	free(e);
}

/* Adds an expression in which ^ and $ are for the beginning and the end of a name alone:
 * to glibc's regexec(3) they match beside a newline, too, if characters come before ^ or
 * after $, as in "(^|.)(^b)". */
static void
add_anchored(struct buf *b, const char *s)
{
	const char *const end = s + strlen(s), *next;

	for (; s < end; s = next) {
		next = *s == '[' ? regex_bracket(s, end) : *s == '\\' && s[1] ? s + 2 : s + 1;
		if (!next)
			next = end;
#ifdef __GLIBC__
		if (*s == '^' || *s == '$') {
			buf_puts(b, *s == '^' ? "\\`" : "\\'");
			continue;
		}
#endif
		buf_add(b, s, (size_t)(next - s));
	}
}

/* NULL with the diag set. */
static struct expression *
compile(const char *expression, int flags, struct text shown, struct diag *d)
{
	struct buf b = { 0 };
	struct expression *e;
	char reason[200];
	size_t size;
	const char *s, *why;
	int err;

	add_anchored(&b, expression);
	s = buf_str(&b);
	why = regex_cost(s, &size);
	if (why)
		pattern_bad(shown, why, d);
	if (why || pattern_hold(size, shown, d) < 0) {
		buf_free(&b);
		return NULL;
	}
	e = mem_alloc(1, sizeof *e);
	err = regcomp(&e->re, s, flags);
	if (err == REG_ESPACE)
		mem_fail(0);
	if (err) {
		regerror(err, &e->re, reason, sizeof reason);
		pattern_bad(shown, reason, d);
		pattern_release(size);
		buf_free(&b);
		free(e);
		return NULL;
	}
	e->s = mem_copy(s, strlen(s));
	buf_free(&b);
	e->flags = flags;
	e->size = size;
	e->next = live.list;
	if (e->next)
		e->next->prev = e;
	live.list = e;
	return e;
}

static bool
exec(struct expression *e, struct text t, size_t from, regmatch_t *at, size_t n)
{
	const locale_t old = bytes();
	bool found;
	int err;

	live.used += !e->used;
	e->used = true;
	errno = 0;
#ifdef REG_STARTEND
	at[0].rm_so = (regoff_t)from;
	at[0].rm_eo = (regoff_t)t.n;
	err = regexec(&e->re, t.s, n, at, REG_STARTEND);
#else
	err = regexec(&e->re, t.s + from, n, at, from ? REG_NOTBOL : 0);
#endif
	if (err && (err != REG_NOMATCH || errno == ENOMEM))
		mem_fail(0);
	found = !err;
	forget_states(t.n - from);
	uselocale(old);
	return found;
}

/* ---- patterns ---- */

bool
pattern_can_be_grouped(const char *s)
{
	const char *const end = s + strlen(s);
	size_t depth = 0;

	while (s < end) {
		if (*s == '[') {
			if (!(s = regex_bracket(s, end)))
				return false;
			continue;
		}
		if (*s == '\\' && s[1] >= '1' && s[1] <= '9')
			return false;
		if (*s == ')' && !depth--)
			return false;
		depth += *s == '(';
		s += *s == '\\' && s[1] ? 2 : 1;
	}
	return true;
}

/* From each byte where a match could begin, regexec(3) reads on until none is possible, so
 * that a name of n bytes takes n * n / 2 steps for "a.*b".  It takes n if there is but one
 * byte to begin at.  NULL: no need, or not possible. */
static struct expression *
from_the_beginning(const char *s, int flags, struct diag *d)
{
	struct expression *e;
	struct buf b = { 0 };
	size_t size;

	if (!strpbrk(s, "*+{") || (*s == '^' && !strchr(s, '|')) || !pattern_can_be_grouped(s))
		return NULL;
	/* A dot does not match the byte 0. */
	buf_printf(&b, "^(.|[^.])*(%s)", s);
	e = regex_cost(buf_str(&b), &size) || size > PATTERNS_MOST - live.held ? NULL :
	    compile(buf_str(&b), flags | REG_NOSUB, text_of(s), d);
	buf_free(&b);
	return e;
}

struct pattern *
pattern_new(const char *s, int flags, struct text shown, struct diag *d)
{
	const locale_t old = bytes();
	struct expression *first = compile(s, flags, shown, d);
	struct pattern *p = NULL;

	if (first) {
		p = mem_alloc(1, sizeof *p);
		p->first = first;
		p->any = from_the_beginning(s, flags, d);
	}
	if (p && p->any && flags & REG_NOSUB) {
		forget(p->first);
		p->first = NULL;
	}
	uselocale(old);
	return p;
}

void
pattern_free(struct pattern *p)
{
	if (!p)
		return;
	forget(p->any);
	forget(p->first);
	free(p);
}

bool
pattern_matches(struct pattern *p, struct text t)
{
	regmatch_t at[1];

	return exec(p->any ? p->any : p->first, t, 0, at, 1);
}

bool
pattern_find(struct pattern *p, struct text t, size_t from, regmatch_t *at, size_t n)
{
	if (!from && p->any && !exec(p->any, t, 0, at, 1))
		return false;
	if (!exec(p->first, t, from, at, n))
		return false;
#ifndef REG_STARTEND
	for (size_t i = 0; i < n && from; i++)
		if (at[i].rm_so >= 0) {
			at[i].rm_so += (regoff_t)from;
			at[i].rm_eo += (regoff_t)from;
		}
#endif
	return true;
}
