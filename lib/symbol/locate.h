/* SPDX-License-Identifier: ISC */
/*
 * Where in a file the address of a frame is, if the profile does not say what its addresses
 * are: offsets in the file, as perf script prints them since Linux 5.14, addresses of the
 * file, or, before that, those of a process, wherever it had loaded the file.
 *
 * The function that a frame is in tells: what it is taken for must be in a function of that
 * name.  Where a process had loaded the file is seen from a function that is so short that
 * it has but one such address in any page.
 */
#ifndef PROF_SYMBOL_LOCATE_H
#define PROF_SYMBOL_LOCATE_H

#include "symbol/symbolize.h"

/* Of one file.  All zeros: nothing is known yet. */
struct locator {
	uint64_t *distance;	/* from addresses of the file to those of processes: n */
	size_t n, cap;
};

/* func: the name that the profile has for the function, which may lack its parameters;
 * absent if there is none.  False: it is not known where the address is. */
bool locate_addr(struct locator *l, struct symbolizer *r, uint32_t func, struct text name,
    uint64_t addr, uint64_t *in_file);
void locate_free(struct locator *l);

#endif
