/* SPDX-License-Identifier: ISC */
/*
 * Binary search.
 */
#ifndef PROF_UTIL_SEARCH_H
#define PROF_UTIL_SEARCH_H

#include <stddef.h>

/*
 * Returns the first index of [from, to) for which a condition on the index `i`, which it
 * declares, is false; `to` if it is true for all.  It must be false for all indexes after
 * that one.  The number of elements that begin at an address or before it:
 *
 *	PARTITION_POINT(i, 0, n, v[i].from <= addr)
 */
#define PARTITION_POINT(i, from, to, condition) __extension__ ({ \
	size_t search_low = (from), search_high = (to); \
	\
	while (search_low < search_high) { \
		const size_t i = search_low + (search_high - search_low) / 2; \
		\
		if (condition) \
			search_low = i + 1; \
		else \
			search_high = i; \
	} \
	search_low; \
})

#endif
