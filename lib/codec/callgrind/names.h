/* SPDX-License-Identifier: ISC */
/*
 * Callgrind's compressed names: "(12) name" defines, "(12)" refers.  There are
 * three spaces of numbers, for functions, files and objects, and each holds to
 * the end of the file (dump.c never forgets what it has written, parts and
 * threads regardless).
 */
#ifndef PROF_CALLGRIND_NAMES_H
#define PROF_CALLGRIND_NAMES_H

#include "dict.h"
#include "diag.h"

struct name {
	uint64_t key;		/* id + 1; of a plain name PLAIN | string + 1 */
	uint32_t str;		/* the name; NO_ID is "???" */
	uint32_t def;		/* file, object: the dictionary's number */
	uint32_t file, object;	/* a function's, when it was last bound */
	bool defined;
	bool bound;		/* functions: def is its number with file, object */
};

struct names {
	struct name *slot;	/* open-addressed: ids may be sparse and huge */
	size_t size, used;
	bool functions;		/* whose names may be made of others */
	struct dict *dict;
	struct diag *diag;
	struct buf scratch;
};

/* The entry for what stands after "fn=" and its like.  Undefined and
 * redefined numbers are warned of; an undefined one's name is "(12)".
 * Valid until the next call. */
struct name *names_read(struct names *t, const char *p, const char *end);

/* The entry with this key, which names_read() has given. */
struct name *names_entry(const struct names *t, uint64_t key);

void names_free(struct names *t);

#endif
