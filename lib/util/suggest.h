/* SPDX-License-Identifier: ISC */
/*
 * Suggestions for mistyped words.
 */
#ifndef PROF_UTIL_SUGGEST_H
#define PROF_UTIL_SUGGEST_H

#include "util/buf.h"

/* Ends a message about t, which is not among these n words: adds ": did you mean WORD?" if
 * suggest_find() finds one, then "; known: " and the list, unless the list is empty. */
void suggest_add(struct buf *message, struct text t, const char *const *list, size_t n);

/* Returns the word of the list, of n words, that is closest to t by the number of changes,
 * insertions, deletions and swaps of neighbours, ignoring case; NULL if none is close. */
const char *suggest_find(struct text t, const char *const *list, size_t n);

/* The same for a list that the message contains already: "a|b|c", "a, b, c".  Valid until
 * the next call. */
const char *suggest_in(struct text t, const char *known, const char *between);

/* Returns the end of a message about an unknown word: ": did you mean WORD?"; empty for
 * NULL.  Valid until the next call. */
const char *suggest_suffix(const char *word);

#endif
