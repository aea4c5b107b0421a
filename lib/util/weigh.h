/* SPDX-License-Identifier: ISC */
/*
 * What a pattern costs the C library, estimated before it is compiled.  glibc's
 * regcomp(3) recurses for each group, writes repetitions out, and keeps for each
 * state all others that are reached from there without a character: a few hundred
 * bytes of pattern can take gigabytes, and some kilobytes the whole stack.
 */
#ifndef PROF_UTIL_WEIGH_H
#define PROF_UTIL_WEIGH_H

#include <stddef.h>

#define WEIGH_DEPTH 100		/* groups in groups */
#define WEIGH_BYTES ((size_t)128 << 20)

/* NULL, and how many bytes regcomp(3) takes for an extended regular expression, at
 * most about; up to where its syntax is wrong, if it is.  Else what there is too much of
 * in it. */
const char *weigh(const char *pattern, size_t *size);

#endif
