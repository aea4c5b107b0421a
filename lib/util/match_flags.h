/* SPDX-License-Identifier: ISC */
/*
 * How patterns over names are meant, as the options of grep(1).
 */
#ifndef PROF_UTIL_MATCH_FLAGS_H
#define PROF_UTIL_MATCH_FLAGS_H

enum {
	MATCH_FIXED = 1,	/* -F */
	MATCH_NOCASE = 2,	/* -i */
	MATCH_WORD = 4,		/* -w */
	MATCH_WHOLE = 8,	/* -x; also matches callgrind's "name'2" */
};

#endif
