/* SPDX-License-Identifier: ISC */
/*
 * Patterns over names, with grep(1)'s meaning.
 */
#ifndef PROF_MATCH_H
#define PROF_MATCH_H

#include <regex.h>

#include "diag.h"

enum {
	MATCH_FIXED = 1,	/* -F */
	MATCH_NOCASE = 2,	/* -i */
	MATCH_WORD = 4,		/* -w */
	MATCH_WHOLE = 8,	/* -x; also matches callgrind's "name'2" */
};

struct match;

/* Any of the patterns (POSIX extended regular expressions).  A pattern with
 * newlines is several, as in grep.  NULL with the diag set. */
struct match *match_new(const char *const *patterns, size_t n, unsigned flags,
    struct diag *d);
void match_free(struct match *m);

/* regexec(): does it match?  Want of memory, which GNU's C library takes
 * for none, ends the program. */
bool match_exec(const regex_t *re, const char *s, size_t n, regmatch_t *at, int flags);
/* regcomp(), the same with it: what it returns is wrong with the pattern, for one
 * of more than 100 anchors in a row that it is too big. */
int match_compile(regex_t *re, const char *pattern, int flags);

/* The text must have a NUL after it; absent text matches nothing. */
bool match_text(const struct match *m, struct text t);

#endif
