/* SPDX-License-Identifier: ISC */
/*
 * What somebody may have meant.
 */
#ifndef PROF_NEAR_H
#define PROF_NEAR_H

#include "buf.h"

/* The word of the list, n of them, that is the fewest changes, insertions, deletions
 * and swaps of neighbours away from t; NULL if that is none of them by much. */
const char *near_find(struct text t, const char *const *list, size_t n);

#endif
