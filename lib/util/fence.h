/* SPDX-License-Identifier: ISC */
/*
 * Marks memory that is allocated but must not be read, such as the rest of a buffer beyond
 * the part that was given away.  With the address sanitizer a read of it is reported, and so
 * is a reader that has passed the end of its part; otherwise these functions do nothing.
 */
#ifndef PROF_UTIL_FENCE_H
#define PROF_UTIL_FENCE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define FENCED
#endif
#endif

#if !defined FENCED && defined __SANITIZE_ADDRESS__
#define FENCED
#endif

#ifdef FENCED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#define ASAN_UNPOISON_MEMORY_REGION(p, n) ((void)(p), (void)(n))
#endif

static inline void
fence_put(const void *p, size_t n)
{
	ASAN_POISON_MEMORY_REGION(p, n);
}

static inline void
fence_lift(const void *p, size_t n)
{
	ASAN_UNPOISON_MEMORY_REGION(p, n);
}

/* Memory beyond the part may be that of the next part: only the reader's place tells. */
static inline void
fence_check(bool within)
{
#ifdef FENCED
	if (!within)
		__builtin_trap();
#else
	(void)within;
#endif
}

#endif
