/* SPDX-License-Identifier: ISC */
/*
 * Functions that are known by name, file, object and the line and column where they start, as
 * scripts have them: several functions of a file may share a name, or have none.  Where
 * two of those that are used do, their keys are where they start, so that they are not
 * added up.  Elsewhere they have no key: a line more above a function does not make
 * another one of it in a comparison.
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
	struct sums rows;	/* of functions, by numbers of strings and where */
	struct sums names;	/* by name, file and object: how many of them are used */
	bool *used;		/* by row */
	size_t capused;
	uint32_t *func;		/* by row: the function, NO_ID: not defined yet */
	size_t capfunc;
};

void js_functions_init(struct js_functions *s);
void js_functions_free(struct js_functions *s);

/* The number of a function, which is added if need be.  Without a name it is called
 * "(anonymous)", as viewers call it, but for one that is nameless. */
uint32_t js_functions_add(struct js_functions *s, struct dict *dict, const struct js_function *f);

/* Says that a frame of it is used; all are said before the first is put. */
void js_functions_use(struct js_functions *s, uint32_t row);

/* The definition of one that is used, in *func.  0, or -1 with the diag set. */
int js_functions_put(struct js_functions *s, struct decode *d, uint32_t row, uint32_t *func);

#endif
