/* SPDX-License-Identifier: ISC */
#include "util/wide.h"

#if defined HAVE_WIDE && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS(upper, lower) CPU_FEATURE_ACTIVE(upper)
#elif defined HAVE_WIDE
#define HAS(upper, lower) __builtin_cpu_supports(lower)
#endif

bool
wide_has(void)
{
#ifdef HAVE_WIDE
	return HAS(AVX2, "avx2") && HAS(BMI1, "bmi") && HAS(BMI2, "bmi2") &&
	    HAS(LZCNT, "lzcnt") && HAS(POPCNT, "popcnt");
#else
	return false;
#endif
}
