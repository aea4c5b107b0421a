/* SPDX-License-Identifier: ISC */
/*
 * Vectors of 32 bytes and the instructions on bits that came with them, which not all
 * processors have.  Code that uses them is in functions that are WIDE, each beside one that
 * any processor runs, with the same result.  Ask wide_has() once, not for each line.
 */
#ifndef PROF_UTIL_WIDE_H
#define PROF_UTIL_WIDE_H

#include <stdbool.h>

#if defined __x86_64__ && defined __GNUC__
#define HAVE_WIDE 1
#define WIDE __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#endif

/* Has this processor these instructions?  With glibc, GLIBC_TUNABLES may deny it:
 * glibc.cpu.hwcaps=-AVX2. */
bool wide_has(void);

#endif
