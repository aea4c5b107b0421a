/* SPDX-License-Identifier: ISC */
/* A symbol of a function, as an executable or nm(1) has it. */
#ifndef PROF_SYMBOL_SYMBOL_H
#define PROF_SYMBOL_SYMBOL_H

#include <stdbool.h>
#include <stdint.h>

struct symbol {
	uint64_t addr, end;	/* [addr, end); end: where the next one begins, or */
	uint64_t size;		/* so far after addr, if not 0: others may be missing */
	const char *name;	/* the linker's */
	bool global, func;
};

#endif
