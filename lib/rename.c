/* SPDX-License-Identifier: ISC */
#include "rename.h"

#include <regex.h>
#include <stdlib.h>

#include "by.h"
#include "mem.h"

static const struct {
	const char *name, *end;	/* what the end of a name matches */
} rules[] = {
	/* GCC's and LLVM's suffixes of clones: cgraphclones.cc,
	 * FunctionImport.cpp */
	{ "clones", "\\.(constprop|isra|part|cold|lto_priv|llvm|__uniq)(\\.[0-9]+)*$" },
	/* Rust's legacy mangling: the hash of an instance */
	{ "rust", "::h[0-9a-f]{16}$" },
	/* --separate-recs of Callgrind */
	{ "recursion", "'[0-9]+$" },
};

#define RULES (sizeof rules / sizeof *rules)

struct rename {
	regex_t re[RULES];
	bool on[RULES];
};

const char *
rename_names(void)
{
	static struct buf b;
	size_t i;

	b.n = 0;
	for (i = 0; i < RULES; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", rules[i].name);
	return buf_str(&b);
}

struct rename *
rename_new(const char *list, struct diag *d)
{
	struct rename *r = mem_alloc(1, sizeof *r);
	struct text word;
	size_t i;

	while (list_next(&list, &word)) {
		for (i = 0; i < RULES && !text_is(word, rules[i].name); i++)
			;
		if (i == RULES) {
			diag_fail_plain(d, "--match: expected %s, found %s",
			    rename_names(), diag_quote(word.s, word.n));
			rename_free(r);
			return NULL;
		}
		if (r->on[i])
			continue;
		if (regcomp(&r->re[i], rules[i].end, REG_EXTENDED))
			mem_fail(0);	/* they are all well-formed */
		r->on[i] = true;
	}
	return r;
}

void
rename_free(struct rename *r)
{
	size_t i;

	for (i = 0; r && i < RULES; i++)
		if (r->on[i])
			regfree(&r->re[i]);
	free(r);
}

struct text
rename_apply(const struct rename *r, struct text name)
{
	struct buf b = { 0 };
	regmatch_t at;
	size_t i;
	bool again;

	if (!r || !name.s || memchr(name.s, '\0', name.n))
		return name;
	do {
		again = false;
		for (i = 0; i < RULES; i++) {
			b.n = 0;
			buf_text(&b, name);
			if (r->on[i] && regexec(&r->re[i], buf_str(&b), 1, &at, 0) == 0 &&
			    at.rm_so > 0) {
				name.n = (size_t)at.rm_so;
				again = true;
			}
		}
	} while (again);
	buf_free(&b);
	return name;
}
