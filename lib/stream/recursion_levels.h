/* SPDX-License-Identifier: ISC */
/*
 * Which functions have names for their levels of recursion.  Callgrind can be told to name
 * the levels of some functions and not those of others (--separate-recs=1,
 * --separate-recs1=f), and a profile does not record which.  So a function certainly has a
 * first level where a second one occurs in the same run; otherwise the name may stand for
 * all levels.
 */
#ifndef PROF_STREAM_RECURSION_LEVELS_H
#define PROF_STREAM_RECURSION_LEVELS_H

#include "stream/dict.h"
#include "util/num.h"

struct recursion_levels {
	struct dict *dict;
	num run;
	unsigned char *known;	/* by function */
	size_t cap;
	uint32_t *seen;		/* functions of the run */
	size_t n, capseen;
};

void recursion_levels_init(struct recursion_levels *l, struct dict *dict);
void recursion_levels_free(struct recursion_levels *l);

/* Begins a part. */
void recursion_levels_part(struct recursion_levels *l, const struct record *part);
/* Notes a function of a part in which some functions have names for levels. */
void recursion_levels_see(struct recursion_levels *l, uint64_t func);

/* Ends the last part. */
void recursion_levels_end(struct recursion_levels *l);
/* After that: is this name the first level of a function, and nothing else, in all runs?
 * Or is it a name of one without any other level in some run? */
bool recursion_levels_first(const struct recursion_levels *l, uint64_t func);
bool recursion_levels_alone(const struct recursion_levels *l, uint64_t func);

#endif
