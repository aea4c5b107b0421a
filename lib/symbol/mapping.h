/* SPDX-License-Identifier: ISC */
/*
 * Where a process had loaded an object: at [start, limit), from `offset` of its file on,
 * as the attributes of the object say.
 */
#ifndef PROF_SYMBOL_MAPPING_H
#define PROF_SYMBOL_MAPPING_H

#include "symbol/symbols.h"
#include "util/buf.h"

struct mapping {
	bool loaded;		/* false: the attributes do not say it */
	uint64_t start, limit, offset;
};

struct mapping mapping_of(struct text attrs);

/* The address in the object's file of one of the process: the same if it is not loaded.
 * False if it is outside, or symbols are NULL or cannot tell. */
bool mapping_addr(const struct mapping *m, const struct symbols *symbols, uint64_t addr,
    uint64_t *in_file);

#endif
