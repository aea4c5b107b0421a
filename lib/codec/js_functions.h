/* SPDX-License-Identifier: ISC */
/*
 * Functions identified by name, file, object, and the line and column where they start, as
 * in scripts: several functions of a file may share a name, or have none.  If several such
 * functions are used, their starts become their keys, so that they are not added up.
 * Otherwise functions have no key, so that an additional line above one does not make it a
 * different function in a comparison.
 */
#ifndef PROF_CODEC_JS_FUNCTIONS_H
#define PROF_CODEC_JS_FUNCTIONS_H

#include "stream/decode.h"
#include "stream/dict.h"
#include "stream/sums.h"

struct js_function {
	struct text name, file;	/* the file may be absent, */
	struct text object, object_key;	/* and so may these */
	uint64_t line, column;	/* counted from 1; 0: not known */
	bool kernel;
	bool nameless;		/* code at an address, of unknown name */
};

struct js_functions {
	struct sums rows;	/* of functions, by numbers of strings and the start */
	struct sums names;	/* by name, file and object: the number of used ones */
	bool *used;		/* by row */
	size_t capused;
	uint32_t *func;		/* by row: the function, NO_ID: not defined yet */
	size_t capfunc;
};

void js_functions_init(struct js_functions *s);
void js_functions_free(struct js_functions *s);

/* Returns the number of a function, which is added if it is new.  A function without a name
 * is called "(anonymous)", as in viewers, unless it is nameless. */
uint32_t js_functions_add(struct js_functions *s, struct dict *dict, const struct js_function *f);

/* Marks it as used.  Mark all before the first js_functions_put(). */
void js_functions_use(struct js_functions *s, uint32_t row);

/* Sets *func to the definition of one that is used.  0, or -1 with the diag set. */
int js_functions_put(struct js_functions *s, struct decode *d, uint32_t row, uint32_t *func);

#endif
