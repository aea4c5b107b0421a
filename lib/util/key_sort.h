/* SPDX-License-Identifier: ISC */
/*
 * Sorts numbers by keys of 8 bytes that lie beside them, in linear time.  A key that does not
 * decide may be the first bytes of a longer one.
 */
#ifndef PROF_UTIL_KEY_SORT_H
#define PROF_UTIL_KEY_SORT_H

#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

struct keyed {
	uint64_t key;
	uint32_t of;
};

/* Sorts by key; those of equal keys stay in their order. other: room for n. */
void key_sort(struct keyed *v, size_t n, struct keyed *other);

/* Texts, by number, and what decides the order of those that are equal. */
struct texts {
	struct text (*text)(const void *arg, uint32_t of);
	const void *arg;
	/* Compares two numbers, with their texts, as qsort_r() does. */
	int (*compare)(const void *a, const void *b, void *arg);
	void *compare_arg;
};

/* Sorts numbers by their texts, as bytes. */
void key_sort_texts(uint32_t *v, size_t n, const struct texts *t);

#endif
