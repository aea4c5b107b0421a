/* SPDX-License-Identifier: ISC */
/*
 * Extended regular expressions of regcomp(3), in bounded memory and time: names are bytes
 * in every locale, and a search reads a name once.
 */
#ifndef PROF_UTIL_PATTERN_H
#define PROF_UTIL_PATTERN_H

#include <regex.h>

#include "util/diag.h"

struct pattern;

/* The memory that regcomp(3) may use is bounded, for each pattern (see regex_cost.h) and for
 * what all live patterns hold together. */
#define PATTERNS_MOST ((size_t)256 << 20)	/* bytes */

/* Compiles a pattern with flags of regcomp(3); with REG_NOSUB, pattern_matches() may be used,
 * otherwise pattern_find().  NULL with the diag set, which shows the pattern as `shown`.  The
 * caller frees with pattern_free(). */
struct pattern *pattern_new(const char *s, int flags, struct text shown, struct diag *d);
void pattern_free(struct pattern *p);

/* Could an expression stand in a group, beside others?  Not if it has back-references, which
 * count groups, or a parenthesis that would close the group.  It must be one that compiles. */
bool pattern_can_be_grouped(const char *s);

/* Is there a match in the text, which must have a NUL after it? */
bool pattern_matches(struct pattern *p, struct text t);

/* Finds the first match in a text, with a NUL after it, from byte `from` on.  The bytes before
 * count as context, so that ^ and \\< match correctly.  Sets at[0] to its place, and the next
 * ones to those of its groups, -1 for a group without one.  Running out of memory, which glibc
 * reports as no match, ends the program, here and in pattern_matches(). */
bool pattern_find(struct pattern *p, struct text t, size_t from, regmatch_t *at, size_t n);

/* Counts bytes that something else holds for patterns: 0, or -1 with the diag set if all
 * together are too many.  pattern_release() gives them back. */
int pattern_hold(size_t size, struct text shown, struct diag *d);
void pattern_release(size_t size);

/* Reports a pattern that cannot be used, and why; returns -1. */
int pattern_bad(struct text shown, const char *why, struct diag *d);

#endif
