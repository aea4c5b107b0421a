/* SPDX-License-Identifier: ISC */
/*
 * Names of functions without what compilers and profilers add to them: named
 * rules, so that builds can be compared whose names differ in that.
 */
#ifndef PROF_RENAME_H
#define PROF_RENAME_H

#include "diag.h"

struct rename;

/* A list of rules, commas between two: clones (foo.constprop.0, .isra, .part,
 * .cold, .llvm.123), rust (foo::h0123456789abcdef), recursion (Callgrind's
 * foo'2).  NULL with the diag set: there is no such rule. */
struct rename *rename_new(const char *list, struct diag *d);
void rename_free(struct rename *r);

/* What is left of a name when no rule finds anything more at its end; a name of
 * which nothing would be left stays.  NULL: no rules. */
struct text rename_apply(const struct rename *r, struct text name);

/* "clones, rust, recursion". */
const char *rename_names(void);

#endif
