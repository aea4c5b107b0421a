/* SPDX-License-Identifier: ISC */
/* Work that takes time, inlined into its callers. */
#ifndef TICKS_H
#define TICKS_H

#include <time.h>

extern volatile unsigned sink;

static inline __attribute__((always_inline)) void
work(unsigned n)
{
	while (n--)
		sink = sink * 16777619 + n;
}

#define ALONE __attribute__((noinline)) static

/* Is some of this many milliseconds of processor time left? */
static inline int
left(int ms)
{
	return clock() < (clock_t)ms * (CLOCKS_PER_SEC / 1000);
}

#endif
