/* SPDX-License-Identifier: ISC */
/*
 * Which functions have names for their levels of recursion.  Callgrind can be told to name
 * the levels of some functions and not those of others (--separate-recs=1, --separate-recs1=f),
 * and a profile does not say of which.  So of a function there is a first level for certain
 * where a second one is in the same run; else it may be all levels.
 */
#ifndef PROF_STREAM_LEVEL_NAMES_H
#define PROF_STREAM_LEVEL_NAMES_H

#include "stream/dict.h"
#include "util/num.h"

struct level_names {
	struct dict *dict;
	num run;
	unsigned char *known;	/* by function */
	size_t cap;
	uint32_t *seen;		/* functions of the run */
	size_t n, capseen;
};

void level_names_init(struct level_names *l, struct dict *dict);
void level_names_free(struct level_names *l);

/* This part begins. */
void level_names_part(struct level_names *l, const struct record *part);
/* In the part, in which some functions have names for levels, is this function. */
void level_names_see(struct level_names *l, uint64_t func);

/* All parts are over. */
void level_names_end(struct level_names *l);
/* Then: is this the first level of a function, and nothing but that, in all runs?  Or has it
 * the name of one, and there is no other in some run? */
bool level_names_first(const struct level_names *l, uint64_t func);
bool level_names_alone(const struct level_names *l, uint64_t func);

#endif
