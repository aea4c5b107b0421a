/* SPDX-License-Identifier: ISC */
/*
 * JSON text.  Bytes that are not UTF-8 become the lone surrogates U+DC80 to
 * U+DCFF, one a byte, as Python's "surrogateescape" has it: no UTF-8 text
 * gives these, so nothing is lost or ambiguous.
 */
#ifndef PROF_UTIL_JSON_H
#define PROF_UTIL_JSON_H

#include "util/num.h"

void json_string(struct buf *b, struct text t);	/* absent: null */

/* Beyond 2^53 a number is written as a string: most readers hold doubles. */
void json_num(struct buf *b, num n);

/* The same for a number that is canonical text, however long. */
void json_int(struct buf *b, struct text t);	/* absent: null */

#endif
