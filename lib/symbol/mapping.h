/* SPDX-License-Identifier: ISC */
/*
 * Where a process had loaded an object, as the object's attributes state: at [start,
 * limit), from `offset` of its file on.
 */
#ifndef PROF_SYMBOL_MAPPING_H
#define PROF_SYMBOL_MAPPING_H

#include "symbol/symbols.h"
#include "util/buf.h"

struct mapping {
	bool loaded;		/* false: the attributes do not state it */
	uint64_t start, limit, offset;
};

struct mapping mapping_of(struct text attrs);

/* Converts an address of the process to one in the object's file: the same if it is not
 * loaded.  False if it is outside, or symbols are NULL or do not show it. */
bool mapping_addr(const struct mapping *m, const struct symbols *symbols, uint64_t addr,
    uint64_t *in_file);

#endif
