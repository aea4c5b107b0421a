/* SPDX-License-Identifier: ISC */
/*
 * The address range of each function, as far as a profile shows it: a filter that passes
 * all records on and notes the addresses of costs, calls and frames.
 */
#ifndef PROF_SYMBOL_FUNCTION_RANGES_H
#define PROF_SYMBOL_FUNCTION_RANGES_H

#include "stream/dict.h"

struct function_ranges {
	struct sink sink;	/* a pipeline frees no part of it: `free` is NULL */
	struct span {
		uint64_t least, most;
		bool some;
	} *v;			/* by function: n */
	size_t n, cap;
};

void function_ranges_init(struct function_ranges *s);
void function_ranges_free(struct function_ranges *s);

#endif
