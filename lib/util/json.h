/* SPDX-License-Identifier: ISC */
/*
 * JSON text.  Each byte that is not UTF-8 becomes a lone surrogate, U+DC80 to
 * U+DCFF, as in Python's "surrogateescape": UTF-8 text cannot contain these, so
 * nothing is lost or ambiguous.
 */
#ifndef PROF_UTIL_JSON_H
#define PROF_UTIL_JSON_H

#include "util/num.h"

void json_string(struct buf *b, struct text t);	/* absent: null */

/* A number beyond 2^53 is written as a string, since most readers use doubles. */
void json_num(struct buf *b, num n);

/* The same for a number in canonical text, of any length. */
void json_int(struct buf *b, struct text t);	/* absent: null */

/* Writes a number that is never a string, with the decimal point moved `decimals` digits to
 * the left and no zeros at the end of the fraction. */
void json_decimal(struct buf *b, num n, unsigned decimals);

/* Adds what goes before the i-th number of an array: a comma, and now and then a newline,
 * so that lines stay short. */
void json_comma(struct buf *b, size_t i);

#endif
