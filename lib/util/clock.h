/* SPDX-License-Identifier: ISC */
/* Time that only grows. */
#ifndef PROF_UTIL_CLOCK_H
#define PROF_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Returns microseconds. */
static inline uint64_t
clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

#endif
