/* SPDX-License-Identifier: ISC */
/* A symbol of a function, in an executable or in nm(1)'s output. */
#ifndef PROF_SYMBOL_SYMBOL_H
#define PROF_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct symbol {
	uint64_t addr, size;	/* size 0: unknown */
	uint64_t limit;		/* the end of its section */
	uint64_t end;		/* its own end, set by symbol_ranges_by_size() */
	const char *name;	/* the linker's */
	bool global, func;
	bool text;		/* nm(1) prints T, W or t */
};

#endif
