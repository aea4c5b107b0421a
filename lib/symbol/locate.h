/* SPDX-License-Identifier: ISC */
/*
 * Locates the address of a frame in a file, if the profile does not state what its
 * addresses are: offsets in the file, as perf script prints them since Linux 5.14,
 * addresses of the file, or, before that, those of a process, wherever it had loaded the
 * file.
 *
 * The function of a frame decides: the result must be in a function of that name.  Where a
 * process had loaded the file follows from a function so short that it has only one such
 * address in any page.
 */
#ifndef PROF_SYMBOL_LOCATE_H
#define PROF_SYMBOL_LOCATE_H

#include "symbol/symbolize.h"

/* The state for one file.  All zeros: nothing is known yet. */
struct locator {
	uint64_t *distance;	/* from addresses of the file to those of processes: n */
	size_t n, cap;
};

/* func: the profile's name of the function, which may lack its parameters; absent if there
 * is none.  False: the address is not known to be anywhere. */
bool locate_addr(struct locator *l, struct symbolizer *r, uint32_t func, struct text name,
    uint64_t addr, uint64_t *in_file);
void locate_free(struct locator *l);

#endif
