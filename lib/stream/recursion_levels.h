/* SPDX-License-Identifier: ISC */
/*
 * Which functions have names for their levels of recursion.  Callgrind can be told to name
 * the levels of some functions and not those of others (--separate-recs=1, --separate-recs1=f),
 * and a profile does not say of which.  So of a function there is a first level for certain
 * where a second one is in the same run; else it may be all levels.
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

/* This part begins. */
void recursion_levels_part(struct recursion_levels *l, const struct record *part);
/* In the part, in which some functions have names for levels, is this function. */
void recursion_levels_see(struct recursion_levels *l, uint64_t func);

/* All parts are over. */
void recursion_levels_end(struct recursion_levels *l);
/* Then: is this the first level of a function, and nothing but that, in all runs?  Or has it
 * the name of one, and there is no other in some run? */
bool recursion_levels_first(const struct recursion_levels *l, uint64_t func);
bool recursion_levels_alone(const struct recursion_levels *l, uint64_t func);

#endif
