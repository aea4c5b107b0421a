/* SPDX-License-Identifier: ISC */
/* A symbol of a function, as an executable or nm(1) has it. */
#ifndef PROF_SYMBOL_SYMBOL_H
#define PROF_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct symbol {
	uint64_t addr, size;	/* size 0: unknown */
	uint64_t limit;		/* where its section ends */
	uint64_t end;		/* where itself does: symbol_ranges_by_size() sets it */
	const char *name;	/* the linker's */
	bool global, func;
	bool text;		/* nm(1) calls it T, W or t */
};

#endif
