/* SPDX-License-Identifier: ISC */
/*
 * Patterns over names, with grep(1)'s meaning.
 */
#ifndef PROF_UTIL_MATCH_H
#define PROF_UTIL_MATCH_H

#include "util/diag.h"
#include "util/match_flags.h"

struct match;

/* Matches any of the patterns (POSIX extended regular expressions).  A pattern
 * with newlines is several, as in grep.  NULL with the diag set. */
struct match *match_new(const char *const *patterns, size_t n, unsigned flags,
    struct diag *d);
void match_free(struct match *m);

/* The first pattern, as it was given. */
struct text match_pattern(const struct match *m);

/* The text must have a NUL after it; absent text matches nothing. */
bool match_text(const struct match *m, struct text t);

#endif
