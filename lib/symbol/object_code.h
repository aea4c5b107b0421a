/* SPDX-License-Identifier: ISC */
/*
 * The executables of a profile's objects, and the places of addresses in them.
 *
 * An object is the executable given with --exe if it has its name, otherwise its file
 * (object_file.h).  An address in a profile is one of the file, an offset in it, or one of
 * the process, wherever that had loaded the file: the functions that both have show which
 * (load_bias.h).  If less than nine of ten are at one distance, the file is another build,
 * and is not used.
 */
#ifndef PROF_SYMBOL_OBJECT_CODE_H
#define PROF_SYMBOL_OBJECT_CODE_H

#include "symbol/function_ranges.h"
#include "symbol/symbolize.h"

struct code;

/* exe: NULL: there is none.  The arguments must outlive it. */
struct code *code_new(struct dict *dict, struct executables *x, struct symbolizer *exe,
    const struct function_ranges *spans);
void code_free(struct code *c);		/* takes NULL */

struct code_object {
	struct symbolizer *symbolizer;	/* NULL: it cannot be used, */
	struct buf why;			/* for this reason: "is not found", with a NUL */
	int64_t changed;		/* time of the file's last change, in seconds */
	uint64_t bias;			/* to subtract from addresses, modulo 2^64 */
	size_t functions, fit;		/* functions that both have; those in their place */
	uint64_t *odd;			/* nodd functions where the profile has others */
	size_t nodd;
};

/* Returns the executable of an object, which is opened when it is first needed. */
const struct code_object *code_object(struct code *c, uint32_t object);

/* Has the profile another function where this one begins? */
bool code_is_odd(const struct code_object *o, uint64_t addr);

/* Sets *in_file to the address in the file of one in the profile: false if it is not
 * known. */
bool code_addr(struct code *c, uint32_t object, uint64_t addr, uint64_t *in_file);

#endif
