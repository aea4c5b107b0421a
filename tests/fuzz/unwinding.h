/* SPDX-License-Identifier: ISC */
/* Unwinding of stacks with any rows, registers and copies of stacks. */
#ifndef PROF_FUZZ_UNWINDING_H
#define PROF_FUZZ_UNWINDING_H

#include "symbol/symbols.h"
#include "util/buf.h"

/* Walks a stack: rows, registers and the copy are made of the input.  What promise was
 * broken; NULL: none. */
const char *unwinding_walk(struct text input, struct buf *said);

/* The same with the rows of a file, for all machines, from all of its functions. */
const char *unwinding_walk_file(const struct symbols *s, struct buf *said);

#endif
