/* SPDX-License-Identifier: ISC */
/*
 * What a pattern with flags of match_flags.h means: a text, or one extended regular expression
 * that includes the flags but for MATCH_NOCASE.  Each function sets b.
 */
#ifndef PROF_UTIL_MATCH_EXPRESSION_H
#define PROF_UTIL_MATCH_EXPRESSION_H

#include "util/buf.h"
#include "util/diag.h"

/* Gets the text that a pattern matches, as the `whole` name or a part of it; false: it is
 * no plain text. */
bool match_literal(struct buf *b, struct text p, unsigned flags, bool *whole);

/* Gets the expression of any other pattern: 0, or -1 with the diag set if the pattern alone does
 * not compile, or if its back-references cannot count the groups of -w or -x. */
int match_expression(struct buf *b, struct text p, unsigned flags, struct diag *d);

/* Returns the text, in b, that a name must have to match, in lower case with MATCH_NOCASE;
 * empty if there is none. */
struct text match_need(struct buf *b, struct text p, unsigned flags);

#endif
