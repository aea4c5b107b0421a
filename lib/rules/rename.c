/* SPDX-License-Identifier: ISC */
#include "rules/rename.h"

#include <stdlib.h>

#include "rules/suffix.h"
#include "util/mem.h"
#include "util/pattern.h"
#include "util/suggest.h"

#define GROUPS 10

static const char *const named[SUFFIXES] = {
	[SUFFIX_CLONE] = "clones",
	[SUFFIX_RUST] = "rust",
	[SUFFIX_LEVEL] = "recursion",
};

struct rename {
	struct pattern **p;
	size_t n;
	char *to;
	unsigned flags;
	unsigned suffixes;	/* the kinds to remove; there are no patterns then */
};

static void
unknown_name(struct text word, const char *what, struct diag *d)
{
	struct buf b = { 0 };
	size_t i;

	for (i = 0; i < SUFFIXES; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", named[i]);
	diag_fail_plain(d, "%s: expected %s, found %s%s", what, buf_str(&b),
	    QUOTE(word), suggest_suffix(suggest_in(word, buf_str(&b), ", ")));
	buf_free(&b);
}

/* Adds a pattern: 0, or -1 with the diag set. */
static int
add(struct rename *r, const char *pattern, struct diag *d)
{
	r->p = mem_resize(r->p, r->n + 1, sizeof *r->p);
	r->p[r->n] = pattern_new(pattern, REG_EXTENDED |
	    (r->flags & RENAME_NOCASE ? REG_ICASE : 0), text_of(pattern), d);
	if (!r->p[r->n])
		return -1;
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

	while (list_next(&list, &word)) {
		for (i = 0; i < SUFFIXES && !text_is(word, named[i]); i++)
			;
		if (i == SUFFIXES) {
			unknown_name(word, what, d);
			rename_free(r);
			return NULL;
		}
		r->suffixes |= 1u << i;
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
		pattern_free(r->p[i]);
	free(r->p);
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

/* Replaces the matches of `p` in t, like sed(1), into `out`, which must be empty; false if
 * there are none.  It may stop after more than `most` bytes. */
static bool
replace(const struct rename *r, struct pattern *p, struct text t, struct buf *out,
    size_t most)
{
	size_t copied = 0, from = 0, so, eo;
	regmatch_t at[GROUPS];
	bool any = false;

	while (from <= t.n && out->n <= most && pattern_find(p, t, from, at, GROUPS)) {
		so = (size_t)at[0].rm_so;
		eo = (size_t)at[0].rm_eo;
		/* An empty match right after the previous match does not count. */
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

struct text
rename_apply(const struct rename *r, struct text name, struct buf *out)
{
	const size_t most = name.n > RENAME_LONGEST ? name.n : RENAME_LONGEST;
	size_t i;

	if (!r || !name.s)
		return name;
	if (r->suffixes)
		return suffix_remove(name, r->suffixes, out);
	for (i = 0; i < r->n; i++) {
		out->n = 0;
		if (!replace(r, r->p[i], name, out, most))
			continue;
		if (!out->n)
			return name;
		return out->n <= most ? buf_as_text(out) : (struct text){ 0 };
	}
	return name;
}
