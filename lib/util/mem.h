/* SPDX-License-Identifier: ISC */
/*
 * Memory.  The library does not report a failed allocation from every
 * function that may need a byte more: it calls the handler that the program
 * has set, and that handler must not return.  Until one is set, abort().
 */
#ifndef PROF_UTIL_MEM_H
#define PROF_UTIL_MEM_H

#include <stddef.h>

/* Called with the size asked for, 0 where that is not known; ends the program. */
extern void (*mem_failed)(size_t size);
_Noreturn void mem_fail(size_t size);

/* Never NULL; the caller frees with free().  n * size is checked. */
void *mem_alloc(size_t n, size_t size);	/* zeroed */
void *mem_resize(void *p, size_t n, size_t size);
char *mem_copy(const char *s, size_t n);	/* NUL after the copy */

/* Makes room for `need` elements in an array that has room for *cap: grows it
 * by half at least.  Returns the array, whose old address is then stale. */
void *mem_grow(void *p, size_t *cap, size_t need, size_t size);

/* The same for an array indexed by something that grows: index `i` is there
 * afterwards, and the bytes of what is new are `fill`. */
void *mem_reach(void *p, size_t *cap, size_t i, size_t size, int fill);

#endif
