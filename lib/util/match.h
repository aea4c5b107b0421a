/* SPDX-License-Identifier: ISC */
/*
 * Patterns over names, with grep(1)'s meaning.
 */
#ifndef PROF_UTIL_MATCH_H
#define PROF_UTIL_MATCH_H

#include <regex.h>

#include "util/diag.h"

enum {
	MATCH_FIXED = 1,	/* -F */
	MATCH_NOCASE = 2,	/* -i */
	MATCH_WORD = 4,		/* -w */
	MATCH_WHOLE = 8,	/* -x; also matches callgrind's "name'2" */
};

struct match;

/* Matches any of the patterns (POSIX extended regular expressions).  A pattern
 * with newlines is several, as in grep.  NULL with the diag set. */
struct match *match_new(const char *const *patterns, size_t n, unsigned flags,
    struct diag *d);
void match_free(struct match *m);

/* The first pattern, as it was given. */
struct text match_pattern(const struct match *m);

/* A compiled pattern.  The memory that regcomp(3) may use is bounded, for each pattern
 * (see regex_cost.h) and for all live patterns together. */
struct pattern {
	regex_t re;
	size_t size;		/* estimated, in bytes */
};

#define MATCH_MOST ((size_t)256 << 20)	/* bytes, for all patterns */

/* regcomp(): 0, or -1 with the diag set, which shows the pattern as `shown`.  The caller
 * frees with pattern_free(), but not after -1. */
int pattern_compile(struct pattern *p, const char *s, int flags, struct text shown,
    struct diag *d);
void pattern_free(struct pattern *p);

/* regexec(): does it match?  Running out of memory, which glibc reports as no
 * match, ends the program. */
bool pattern_exec(const struct pattern *p, const char *s, size_t n, regmatch_t *at,
    int flags);

/* The text must have a NUL after it; absent text matches nothing. */
bool match_text(const struct match *m, struct text t);

#endif
