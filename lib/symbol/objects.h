/* SPDX-License-Identifier: ISC */
/*
 * Symbols of all objects that a profile names.  An object is found by its path, else its
 * debug information by its build ID, which is enough unless addresses are those of a
 * process.  One whose build ID is not that of the profile is another program: it is
 * reported, and not used; nor is one that a profile may not name (trust.h).
 */
#ifndef PROF_SYMBOL_OBJECTS_H
#define PROF_SYMBOL_OBJECTS_H

#include "symbol/symbolize.h"

struct objects;

/* `exe` (NULL: none) is for the object that it is, whatever its build; it stays the
 * caller's. */
struct objects *objects_new(struct dict *dict, struct executables *x,
    struct symbolizer *exe, struct diag *d);
void objects_free(struct objects *o);	/* NULL: nothing */

/* Is the key of an object a build ID, in hex, as GNU's linker and Go have it in a note? */
bool objects_is_build_id(struct text key);
/* Is it another one than the symbols have, or the same?  False if either is none. */
bool objects_is_other_build(const struct symbols *s, struct text key);
bool objects_is_same_build(const struct symbols *s, struct text key);

/*
 * What names the functions at addresses of an object, which is opened when it is asked
 * for first.  NULL: there is none.
 */
struct symbolizer *objects_find(struct objects *o, uint32_t object);

/*
 * The address in an object's file of one in the process that had loaded it, as its
 * attributes `start` and `offset` say: without them it is that of the file already.
 * False if it is outside the object.
 */
bool objects_addr(struct objects *o, uint32_t object, uint64_t addr, uint64_t *in_file);

/* Says in one note of which objects no symbols were found, though they were needed. */
void objects_report(struct objects *o);

#endif
