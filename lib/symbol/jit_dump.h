/* SPDX-License-Identifier: ISC */
/*
 * Code that a program has generated while it ran, as the program has written it to a file:
 * Linux, tools/perf/Documentation/jitdump-specification.txt.
 *
 * The addresses of its symbols are offsets in the file, which has the code: memory is used
 * again, so that an address of the process is one function's at one time, and another's
 * later.
 */
#ifndef PROF_SYMBOL_JIT_DUMP_H
#define PROF_SYMBOL_JIT_DUMP_H

#include "symbol/symbols.h"

struct jit_dump {
	struct jit_code {
		uint64_t time;		/* since when it lies there */
		uint64_t start, size;	/* where: addresses of the process */
		uint64_t offset;	/* of its bytes in the file */
	} *code;			/* in the order of the file, which is that of time */
	size_t n, cap;
	bool own_clock;			/* times are the processor's, not the system's */
	struct symbols *symbols;	/* NULL: they were taken */
};

/* Is it a name that perf recognises, .../jit-PID.dump? */
bool jit_dump_is_name(struct text path);

/* Reads a file.  NULL with the diag set if it is none; one that is malformed is read up to
 * there, with a warning. */
struct jit_dump *jit_dump_open(struct executables *x, const char *path, struct diag *d);
void jit_dump_free(struct jit_dump *j);	/* NULL: nothing */

/* Returns the symbols, which are the caller's from then on; NULL: they were taken. */
struct symbols *jit_dump_take_symbols(struct jit_dump *j);

#endif
