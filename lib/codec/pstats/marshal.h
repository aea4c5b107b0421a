/* SPDX-License-Identifier: ISC */
/*
 * A cursor over what Python's marshal has written, as far as profiles need it: texts,
 * numbers, tuples, dicts, code, and references to what came before (CPython's
 * Python/marshal.c, versions 0 to 5).  No tree: what is in a tuple or a dict follows it;
 * of code only what it is called is kept.
 */
#ifndef PROF_CODEC_PSTATS_MARSHAL_H
#define PROF_CODEC_PSTATS_MARSHAL_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"

enum marshal_kind {
	MARSHAL_TEXT, MARSHAL_INT, MARSHAL_FLOAT,
	MARSHAL_TUPLE,		/* n values follow */
	MARSHAL_DICT,		/* keys and values follow, then an end */
	MARSHAL_END,
	MARSHAL_CODE,		/* its name, its file and the line where it begins */
	MARSHAL_OTHER,		/* what only code has in it */
	MARSHAL_KEPT,		/* what marshal_keep() was told of a tuple */
};

struct marshal_value {
	enum marshal_kind kind;
	struct text text;	/* in the file: UTF-8, also of lone surrogates */
	struct text file;	/* of code */
	int64_t n;		/* MARSHAL_INT, the length of a tuple, what was kept, a line */
	double number;
	size_t ref;		/* for marshal_keep(); SIZE_MAX: nothing refers to it */
};

struct marshal {
	const char *p, *end;
	const char *wrong;	/* what is wrong at p, a static text; NULL: nothing */
	bool cut;		/* that is, that it ends here */
	struct marshal_value *refs, *interned;
	size_t nrefs, caprefs, ninterned, capinterned;
	unsigned head;		/* numbers that code begins with here; 0: not known yet */
};

/* The next value, or false with `wrong` set and p where that value begins. */
bool marshal_next(struct marshal *m, struct marshal_value *v);

/* What refers to this tuple from now on is MARSHAL_KEPT and n. */
void marshal_keep(struct marshal *m, const struct marshal_value *tuple, int64_t n);

void marshal_free(struct marshal *m);

#endif
