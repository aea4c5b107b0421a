/* SPDX-License-Identifier: ISC */
/*
 * Estimates the memory that the C library needs for a pattern, before it is compiled.
 * glibc's regcomp(3) recurses for each group, expands repetitions, and keeps for each state
 * all states that it reaches without consuming a character: a few hundred bytes of pattern
 * can take gigabytes, and a few kilobytes the whole stack.
 */
#ifndef PROF_UTIL_REGEX_COST_H
#define PROF_UTIL_REGEX_COST_H

#include <stddef.h>

#define REGEX_COST_DEPTH 100		/* groups in groups */
#define REGEX_COST_BYTES ((size_t)128 << 20)

/* NULL, with *size set to about the most bytes that regcomp(3) needs for an extended
 * regular expression, or for the part before its first syntax error.  For a pattern that is
 * too expensive, a static text that names the excess. */
const char *regex_cost(const char *pattern, size_t *size);

/* Returns the end of the bracket expression that begins at p, or NULL if it has none before
 * `end`. */
const char *regex_bracket(const char *p, const char *end);

#endif
