/* SPDX-License-Identifier: ISC */
/*
 * A cursor over the output of Python's marshal, as far as profiles need it: texts, numbers,
 * tuples, dicts, code, and references to earlier values (CPython's Python/marshal.c,
 * versions 0 to 5).  No tree: the elements of a tuple or a dict follow it; of code only the
 * name is kept.
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
	MARSHAL_OTHER,		/* a value that only code has */
	MARSHAL_KEPT,		/* a tuple that was passed to marshal_keep() */
};

struct marshal_value {
	enum marshal_kind kind;
	struct text text;	/* in the file: UTF-8, which may have lone surrogates */
	struct text file;	/* for code */
	int64_t n;		/* MARSHAL_INT, the length of a tuple, the kept number, a
				 * line */
	double number;
	size_t ref;		/* for marshal_keep(); SIZE_MAX: nothing refers to it */
};

struct marshal {
	const char *p, *end;
	const char *wrong;	/* the error at p, a static text; NULL: none */
	bool cut;		/* the error is that the input ends */
	struct marshal_value *refs, *interned;
	size_t nrefs, caprefs, ninterned, capinterned;
	unsigned head;		/* numbers that code begins with in this file; 0: not known
				 * yet */
};

/* Reads the next value: false with `wrong` set and p where that value begins. */
bool marshal_next(struct marshal *m, struct marshal_value *v);

/* From now on references to this tuple are MARSHAL_KEPT with n. */
void marshal_keep(struct marshal *m, const struct marshal_value *tuple, int64_t n);

void marshal_free(struct marshal *m);

#endif
