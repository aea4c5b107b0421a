/* SPDX-License-Identifier: ISC */
/*
 * What somebody may have meant.
 */
#ifndef PROF_UTIL_SUGGEST_H
#define PROF_UTIL_SUGGEST_H

#include "util/buf.h"

/* For the end of a message about t, which is none of these n words: ": did you mean
 * WORD?", the one that is the fewest changes, insertions, deletions and swaps of
 * neighbours away, unless that is none of them by much; then "; known are " and all,
 * unless there are none. */
void suggest_add(struct buf *message, struct text t, const char *const *list, size_t n);

/* The word of the list, n of them, that is the fewest changes, insertions, deletions
 * and swaps of neighbours away from t; NULL if that is none of them by much.  In
 * another case it is the same word. */
const char *suggest_find(struct text t, const char *const *list, size_t n);

/* The same where a message has the list already: "a|b|c", "a, b, c".  Valid until the
 * next call. */
const char *suggest_in(struct text t, const char *known, const char *between);

/* What a message has behind the word: ": did you mean WORD?"; nothing for NULL.
 * Valid until the next call. */
const char *suggest_say(const char *meant);

#endif
