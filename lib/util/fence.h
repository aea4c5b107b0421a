/* SPDX-License-Identifier: ISC */
/*
 * Bytes that are allocated and that no one may read, such as the rest of a buffer beyond
 * what was given away: built with the address sanitizer, it reports who does.  Otherwise
 * these do nothing.
 */
#ifndef PROF_UTIL_FENCE_H
#define PROF_UTIL_FENCE_H

#include <stddef.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define FENCED
#endif
#endif

#if defined FENCED || defined __SANITIZE_ADDRESS__
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

#endif
