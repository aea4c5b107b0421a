/* SPDX-License-Identifier: ISC */
/*
 * Names under other names: what prof-diff's --match and the renames of rule files
 * do.
 */
#ifndef PROF_RULES_RENAME_H
#define PROF_RULES_RENAME_H

#include "util/diag.h"

struct rename;

/* A list of named rules, commas between two, each of which takes marks of a kind off the
 * end of names, as suffix.h has them: clones, rust, recursion.  NULL with the diag set:
 * there is no such rule.  `what` is put before the message.  The caller frees it with
 * rename_free(). */
struct rename *rename_named(const char *list, const char *what, struct diag *d);

/* What the first of the patterns (extended regular expressions) that matches finds
 * becomes `to`, in which \0 to \9 are what its groups found, \\ a backslash.  NULL
 * with the diag set: a pattern is none.  The caller frees it, too. */
enum {
	RENAME_ALL = 1,		/* each time it is found, not just the first */
	RENAME_WHOLE = 2,	/* the name becomes `to`, not what was found of it */
	RENAME_NOCASE = 4,
};
struct rename *rename_pattern(const char *const *patterns, size_t n, const char *to,
    unsigned flags, struct diag *d);

void rename_free(struct rename *r);	/* NULL: nothing */

/* A name becomes no longer than it is or than this. */
#define RENAME_LONGEST 65536

/* The new name of one with a NUL after it: the same text if nothing was found, or
 * nothing would be left; absent if it would be too long; else it is in `out`, and
 * what was there is gone.  r may be NULL: no rules. */
struct text rename_apply(const struct rename *r, struct text name, struct buf *out);

#endif
