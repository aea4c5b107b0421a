/* SPDX-License-Identifier: ISC */
/*
 * The executables of a profile's objects, and where their addresses are in them.
 *
 * An object is the executable given with --exe if it has its name, else its file
 * (object_file.h).  What a profile calls an address is one of the file, an offset in it, or one of
 * the process, wherever that had loaded the file: the functions that both know tell
 * which (load_bias.h).  If nine of ten are not at one distance, it is another build, and it is
 * not used.
 */
#ifndef PROF_SYMBOL_OBJECT_CODE_H
#define PROF_SYMBOL_OBJECT_CODE_H

#include "symbol/function_ranges.h"
#include "symbol/symbolize.h"

struct code;

/* exe: NULL, there is none.  All of these outlive it. */
struct code *code_new(struct dict *dict, struct executables *x, struct symbolizer *exe,
    const struct function_ranges *spans);
void code_free(struct code *c);		/* takes NULL */

struct code_object {
	struct symbolizer *symbolizer;	/* NULL: it cannot be used, which is */
	struct buf why;			/* for this reason: "is not found", with a NUL */
	int64_t changed;		/* when the file was, in seconds */
	uint64_t bias;			/* what is taken off addresses, modulo 2^64 */
	size_t functions, fit;		/* that both know; that are where they should be */
	uint64_t *odd;			/* functions where the profile has others: nodd */
	size_t nodd;
};

/* The executable of an object, which is looked for when it is asked for first. */
const struct code_object *code_object(struct code *c, uint32_t object);

/* Has the profile another function where this one begins? */
bool code_is_odd(const struct code_object *o, uint64_t addr);

/* The address in the file of one in the profile: false if it is not known. */
bool code_addr(struct code *c, uint32_t object, uint64_t addr, uint64_t *in_file);

#endif
