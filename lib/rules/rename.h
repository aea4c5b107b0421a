/* SPDX-License-Identifier: ISC */
/*
 * Renaming, for prof-diff's --match and the renames of rule files.
 */
#ifndef PROF_RULES_RENAME_H
#define PROF_RULES_RENAME_H

#include "util/diag.h"

struct rename;

/* A comma-separated list of named rules, each of which removes marks of one kind from the
 * end of names (suffix.h): clones, rust, recursion.  NULL with the diag set if there is no
 * such rule; the message begins with `what`.  The caller frees it with rename_free(). */
struct rename *rename_named(const char *list, const char *what, struct diag *d);

/* Makes a renaming that replaces the match of the first pattern (an extended regular
 * expression) that matches by `to`, in which \0 to \9 are the match and its groups, \\ a
 * backslash.  NULL with the diag set if a pattern is invalid.  The caller frees it
 * likewise. */
enum {
	RENAME_ALL = 1,		/* every match, not just the first */
	RENAME_WHOLE = 2,	/* replace the whole name, not just the match */
	RENAME_NOCASE = 4,
};
struct rename *rename_pattern(const char *const *patterns, size_t n, const char *to,
    unsigned flags, struct diag *d);

void rename_free(struct rename *r);	/* NULL: nothing */

/* The longest new name, unless the old one was longer. */
#define RENAME_LONGEST 65536

/* Returns the new name for `name`, which must have a NUL after it: the same text if nothing
 * matches or nothing would be left; absent if it would be too long; otherwise in `out`,
 * which is overwritten. r may be NULL: no rules. */
struct text rename_apply(const struct rename *r, struct text name, struct buf *out);

#endif
