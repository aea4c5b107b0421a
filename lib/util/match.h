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

/* Any of the patterns (POSIX extended regular expressions).  A pattern with
 * newlines is several, as in grep.  NULL with the diag set. */
struct match *match_new(const char *const *patterns, size_t n, unsigned flags,
    struct diag *d);
void match_free(struct match *m);

/* One of them, compiled: what regcomp(3) takes for it is bounded, as weigh.h has it,
 * and so is what all take that there are. */
struct pattern {
	regex_t re;
	size_t size;		/* what it takes, estimated */
};

#define MATCH_MOST ((size_t)256 << 20)	/* all of them */

/* regcomp(): 0, or -1 with the diag set, which shows the pattern as `shown`.  The caller
 * frees with pattern_free(), but not after -1. */
int pattern_compile(struct pattern *p, const char *s, int flags, struct text shown,
    struct diag *d);
void pattern_free(struct pattern *p);

/* regexec(): does it match?  Want of memory, which GNU's C library takes
 * for none, ends the program. */
bool pattern_exec(const struct pattern *p, const char *s, size_t n, regmatch_t *at,
    int flags);

/* The text must have a NUL after it; absent text matches nothing. */
bool match_text(const struct match *m, struct text t);

#endif
