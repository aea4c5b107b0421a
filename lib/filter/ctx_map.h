/* SPDX-License-Identifier: ISC */
/*
 * For filters that change frames: a context with another function or line is another
 * one, and so are those below it.  Which one each has become.
 */
#ifndef PROF_FILTER_CTX_MAP_H
#define PROF_FILTER_CTX_MAP_H

#include "stream/dict.h"

/* All zeros: empty. */
struct ctx_map {
	uint32_t *to;		/* by number: what it became + 1; 0: not seen */
	size_t cap;
};

/* What a context became: itself, if it was not seen.  NO_ID is itself. */
uint64_t ctx_map_get(const struct ctx_map *m, uint64_t ctx);

/* Puts the definition `r` of a context, whose columns are to be `cols`, the parent aside:
 * that becomes what it became.  0, or -1 where the sink fails. */
int ctx_map_put(struct ctx_map *m, struct dict *dict, struct sink *next,
    const struct record *r, uint32_t cols[DEF_COLS]);

/* A context is left out: it becomes what its parent became. */
void ctx_map_drop(struct ctx_map *m, uint64_t ctx, uint64_t parent);

/* Puts a record that may refer to contexts.  0, or -1 where the sink fails. */
int ctx_map_record(const struct ctx_map *m, struct sink *next, const struct record *r);

void ctx_map_free(struct ctx_map *m);

#endif
