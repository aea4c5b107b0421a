/* SPDX-License-Identifier: ISC */
/*
 * Symbols of all objects that a profile names.  An object is the caller's executable if it
 * has its name; else its file, wherever that is (object_file.h).  One whose build ID is not
 * that of the profile is another program: it is reported, and not used; nor is one that a
 * profile may not name.
 */
#ifndef PROF_SYMBOL_OBJECTS_H
#define PROF_SYMBOL_OBJECTS_H

#include "symbol/object_file.h"
#include "symbol/symbolize.h"

struct objects;

/* `exe` (NULL: none) is for the object that it is, whatever its build; it stays the
 * caller's.  lines: names are not all that is needed. */
struct objects *objects_new(struct dict *dict, struct executables *x,
    struct symbolizer *exe, bool lines, struct diag *d);
void objects_free(struct objects *o);	/* NULL: nothing */

struct input_set;

/* Those of a session, which owns them. */
struct objects *objects_of(struct input_set *s);

/*
 * What has the functions and lines at addresses of an object, which is opened when it is
 * asked for first.  NULL: there is none.
 */
struct symbolizer *objects_find(struct objects *o, uint32_t object);

/*
 * The same of what is no file, for recordings: the kernel, or a module of it, and code that
 * a process made, whose object is /tmp/perf-PID.map.  `here`: the recording was made on this
 * machine, with this kernel.  A kernel with a build ID is known by that.
 */
struct symbolizer *objects_find_kernel(struct objects *o, uint32_t object, bool here);
struct symbolizer *objects_find_made(struct objects *o, uint32_t object, bool here);

/*
 * The address in an object's file of one in the process that had loaded it, as its
 * attributes `start` and `offset` say: without them it is that of the file already.
 * False if it is outside the object.
 */
bool objects_addr(struct objects *o, uint32_t object, uint64_t addr, uint64_t *in_file);

/* The same of an address of a function that the profile names: where nothing says what its
 * addresses are, the function does (locate.h).  False if that does not either. */
bool objects_locate(struct objects *o, uint32_t func, uint64_t addr, uint64_t *in_file);

/* Why an object that was asked for has no symbols: then that is not reported again. */
enum object_lack objects_lack(struct objects *o, uint32_t object);

/* Says in notes of which objects no symbols were found, though they were needed, and in
 * which functions are not where the profile has them. */
void objects_report(struct objects *o);

#endif
