/* SPDX-License-Identifier: ISC */
/*
 * What somebody may have meant.
 */
#ifndef PROF_NEAR_H
#define PROF_NEAR_H

#include "buf.h"

/* For the end of a message about t, which is none of these n words: ": did you mean
 * WORD?", the one that is the fewest changes, insertions, deletions and swaps of
 * neighbours away, unless that is none of them by much; then "; known are " and all,
 * unless there are none. */
void near_add(struct buf *message, struct text t, const char *const *list, size_t n);

#endif
