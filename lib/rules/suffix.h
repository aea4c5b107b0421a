/* SPDX-License-Identifier: ISC */
/*
 * Suffixes that compilers and profilers append to a function's name: marks of clones, of
 * instances, of levels of recursion, in any number and order.
 */
#ifndef PROF_RULES_SUFFIX_H
#define PROF_RULES_SUFFIX_H

#include "util/buf.h"

enum suffix {
	SUFFIX_CLONE,		/* .constprop.0, [clone .isra.1], (.llvm.123) */
	SUFFIX_RUST,		/* ::h0123456789abcdef */
	SUFFIX_LEVEL,		/* '2 */
	SUFFIXES
};

/* Returns the name without the marks of some kinds, bits 1 << SUFFIX_..., anywhere among
 * the marks: f.isra.0'2 without those of clones is f'2.  Returns the same text if there are
 * none, otherwise a text in `out`, which is overwritten.  A name never becomes empty. */
struct text suffix_remove(struct text name, unsigned kinds, struct buf *out);

#endif
