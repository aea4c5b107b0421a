/* SPDX-License-Identifier: ISC */
/*
 * Memory.  Functions do not return allocation failures: the library calls the
 * handler that the program has set, which must not return.  Until one is set,
 * that is abort().
 */
#ifndef PROF_UTIL_MEM_H
#define PROF_UTIL_MEM_H

#include <stddef.h>

/* Called with the size requested, 0 if unknown; ends the program. */
extern void (*mem_failed)(size_t size);
_Noreturn void mem_fail(size_t size);

/* Never NULL; the caller frees with free().  n * size is checked. */
void *mem_alloc(size_t n, size_t size);	/* zeroed */
void *mem_resize(void *p, size_t n, size_t size);
char *mem_copy(const char *s, size_t n);	/* NUL after the copy */

/* Makes room for `need` elements in an array that has room for *cap; if it grows,
 * then by at least half.  Returns the array; its old address is stale. */
void *mem_grow_to(void *p, size_t *cap, size_t need, size_t size);

static inline void *
mem_grow(void *p, size_t *cap, size_t need, size_t size)
{
	return need <= *cap ? p : mem_grow_to(p, cap, need, size);
}

/* The same so that index `i` exists; the bytes of new elements are set to `fill`. */
void *mem_reach_to(void *p, size_t *cap, size_t i, size_t size, int fill);

static inline void *
mem_reach(void *p, size_t *cap, size_t i, size_t size, int fill)
{
	return i < *cap ? p : mem_reach_to(p, cap, i, size, fill);
}

#endif
