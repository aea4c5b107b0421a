/* SPDX-License-Identifier: ISC */
#include "rename.h"

#include <regex.h>
#include <stdlib.h>

#include "match.h"
#include "mem.h"
#include "near.h"

#define GROUPS 10

static const struct {
	const char *name, *end;	/* what the end of a name matches */
} named[] = {
	/* GCC's and LLVM's suffixes of clones: cgraphclones.cc,
	 * FunctionImport.cpp */
	{ "clones",
	    "((\\.| \\[clone \\.)(constprop|isra|part|cold|lto_priv|llvm|__uniq)(\\.[0-9]+)*\\]?)+$" },
	/* Rust's legacy mangling: the hash of an instance */
	{ "rust", "::h[0-9a-f]{16}$" },
	/* --separate-recs of Callgrind */
	{ "recursion", "'[0-9]+$" },
};

#define LONGEST 255		/* bytes of such an end, that is looked for at once */

#define NAMED (sizeof named / sizeof *named)

struct rename {
	regex_t *re;
	size_t n;
	char *to;
	unsigned flags;
	bool again;		/* ends, until nothing is found; else the first that is */
};

static int
unknown_name(struct text word, const char *what, struct diag *d)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < NAMED; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", named[i].name);
	diag_fail_plain(d, "%s: expected %s, found %s%s", what, buf_str(&b),
	    diag_quote(word.s, word.n), near_say(near_in(word, buf_str(&b), ", ")));
	buf_free(&b);
	return -1;
}

/* 0, or -1 with the diag set. */
static int
add(struct rename *r, const char *pattern, struct diag *d)
{
	char why[200];
	int err;

	r->re = mem_resize(r->re, r->n + 1, sizeof *r->re);
	err = match_compile(&r->re[r->n], pattern, REG_EXTENDED |
	    (r->flags & RENAME_NOCASE ? REG_ICASE : 0));
	if (err) {
		regerror(err, &r->re[r->n], why, sizeof why);
		return diag_fail_plain(d, "bad pattern %s: %s",
		    diag_quote(pattern, strlen(pattern)), why);
	}
	r->n++;
	return 0;
}

static struct rename *
make(const char *to, unsigned flags)
{
	struct rename *r = mem_alloc(1, sizeof *r);

	r->to = mem_copy(to, strlen(to));
	r->flags = flags;
	return r;
}

struct rename *
rename_named(const char *list, const char *what, struct diag *d)
{
	struct rename *r = make("", 0);
	struct text word;
	size_t i;

	r->again = true;
	while (list_next(&list, &word)) {
		for (i = 0; i < NAMED && !text_is(word, named[i].name); i++)
			;
		if (i == NAMED ? unknown_name(word, what, d) :
		    add(r, named[i].end, d)) {
			rename_free(r);
			return NULL;
		}
	}
	return r;
}

struct rename *
rename_pattern(const char *const *patterns, size_t n, const char *to, unsigned flags,
    struct diag *d)
{
	struct rename *r = make(to, flags);
	size_t i;

	for (i = 0; i < n; i++)
		if (add(r, patterns[i], d) < 0) {
			rename_free(r);
			return NULL;
		}
	return r;
}

void
rename_free(struct rename *r)
{
	size_t i;

	if (!r)
		return;
	for (i = 0; i < r->n; i++)
		regfree(&r->re[i]);
	free(r->re);
	free(r->to);
	free(r);
}

static void
add_template(struct buf *out, const char *to, const char *s, const regmatch_t *at,
    size_t most)
{
	for (; *to && out->n <= most; to++) {
		if (*to != '\\' || !to[1]) {
			buf_putc(out, *to);
			continue;
		}
		to++;
		if (*to < '0' || *to > '9')
			buf_putc(out, *to);
		else if (at[*to - '0'].rm_so >= 0)
			buf_add(out, s + at[*to - '0'].rm_so,
			    (size_t)(at[*to - '0'].rm_eo - at[*to - '0'].rm_so));
	}
}

/* From byte `from` on of a text with a NUL after it.  What stands before is seen, so
 * that ^ and \\< mean what they say. */
static bool
find(const regex_t *re, struct text t, size_t from, regmatch_t at[GROUPS])
{
#ifdef REG_STARTEND
	at[0].rm_so = (regoff_t)from;
	at[0].rm_eo = (regoff_t)t.n;
	return match_exec(re, t.s, GROUPS, at, REG_STARTEND);
#else
	size_t i;

	if (!match_exec(re, t.s + from, GROUPS, at, from ? REG_NOTBOL : 0))
		return false;
	for (i = 0; i < GROUPS && from; i++)
		if (at[i].rm_so >= 0) {
			at[i].rm_so += (regoff_t)from;
			at[i].rm_eo += (regoff_t)from;
		}
	return true;
#endif
}

/* t with what `re` finds replaced, as sed(1) does it, into `out`, which is empty:
 * false if it finds nothing.  It may end where there are more than `most` bytes. */
static bool
replace(const struct rename *r, const regex_t *re, struct text t, struct buf *out,
    size_t most)
{
	size_t copied = 0, from = 0, so, eo;
	regmatch_t at[GROUPS];
	bool any = false;

	while (from <= t.n && out->n <= most && find(re, t, from, at)) {
		so = (size_t)at[0].rm_so;
		eo = (size_t)at[0].rm_eo;
		/* Nothing, just behind what was found before, is part of that. */
		if (!any || eo > so || so > copied) {
			if (!(r->flags & RENAME_WHOLE))
				buf_add(out, t.s + copied, so - copied);
			add_template(out, r->to, t.s, at, most);
			copied = eo;
			any = true;
			if (r->flags & RENAME_WHOLE)
				return true;
		}
		if (!(r->flags & RENAME_ALL))
			break;
		from = eo > so ? eo : eo + 1;
	}
	buf_add(out, t.s + copied, t.n - copied);
	return any;
}

/* Takes off the ends of a name for as long as there are any.  There may be thousands:
 * each is looked for at the end alone. */
static struct text
strip(const struct rename *r, struct text name, struct buf *out)
{
	regmatch_t at[GROUPS];
	bool found;
	size_t i;

	out->n = 0;
	buf_text(out, name);
	do {
		found = false;
		for (i = 0; i < r->n; i++) {
			buf_str(out);		/* puts a NUL behind it */
			if (!find(&r->re[i], buf_as_text(out),
			    out->n > LONGEST ? out->n - LONGEST : 0, at) || !at[0].rm_so)
				continue;	/* of a name something is left */
			out->n = (size_t)at[0].rm_so;
			found = true;
		}
	} while (found);
	return out->n < name.n ? buf_as_text(out) : name;
}

struct text
rename_apply(const struct rename *r, struct text name, struct buf *out)
{
	const size_t most = name.n > RENAME_LONGEST ? name.n : RENAME_LONGEST;
	struct buf from = { 0 };
	bool any = false;
	size_t i;

	if (!r || !name.s)
		return name;
	if (r->again)
		return strip(r, name, out);
	buf_text(&from, name);
	buf_str(&from);		/* puts a NUL behind it */
	for (i = 0; i < r->n && !any; i++) {
		out->n = 0;
		any = replace(r, &r->re[i], buf_as_text(&from), out, most);
	}
	buf_free(&from);
	if (!any || !out->n)
		return name;
	return out->n <= most ? buf_as_text(out) : (struct text){ 0 };
}
