/* SPDX-License-Identifier: ISC */
/*
 * Contexts as a tree: each is a frame and the context that called it.  A context is found
 * by a hash of all frames from the root to it, so that a whole stack can be looked up from
 * its leaf upwards: of most stacks all but a few last frames are known.  What is found is
 * compared frame by frame, so a collision costs time and nothing else.  Hashes begin with a
 * random number, so that no input can be made to collide.
 *
 * A frame is a number, which the dictionary gives to equal frames.
 */
#ifndef PROF_STREAM_CONTEXTS_H
#define PROF_STREAM_CONTEXTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/hash.h"
#include "util/index.h"
#include "util/predictor.h"

struct contexts {
	/* By number + 1; the first one is no context, and its own caller.  `caller` is an index
	 * here too, 0 for a root. */
	struct context { uint32_t caller, frame; } *v;
	uint32_t *hash;		/* by number */
	size_t n, cap, caphash;
	struct hash_index index;
	struct predictor guess;
	uint64_t seed;
};

/* A frame of a stack, and the hash of the stack from the root to it. */
struct stack_frame {
	uint32_t frame, hash;
};

void contexts_init(struct contexts *c);
void contexts_free(struct contexts *c);
void contexts_clear(struct contexts *c);	/* keeps the memory */

/* Returns a context; for NO_ID one without a frame, whose caller is 0. */
static inline const struct context *
contexts_get(const struct contexts *c, uint32_t id)
{
	return &c->v[(uint32_t)(id + 1)];
}

/* Returns the hash of a frame below a context with the hash `above`, which is 0 for none. With
 * the same frame, no two values of `above` have the same: else the hashes of deep recursion
 * would be a cycle of some ten thousands, and its search would take quadratic time. */
static inline uint32_t
contexts_hash(const struct contexts *c, uint32_t above, uint32_t frame)
{
	uint32_t h = above ^ hash_upper(hash_number(c->seed, frame));

	h *= (uint32_t)HASH_FACTOR;
	h ^= h >> 15;
	h *= (uint32_t)(HASH_FACTOR >> 32) | 1;
	return h ^ h >> 16;
}

/* Returns the number of a frame below a context, or below none, NO_ID; *fresh: it is
 * new. */
uint32_t contexts_define(struct contexts *c, uint32_t caller, uint32_t frame, bool *fresh);

/* The same, if the frame's hash is known. */
uint32_t contexts_define_hashed(struct contexts *c, uint32_t caller,
    struct stack_frame frame, bool *fresh);

/* A stack of n frames, from the root on, that is looked for; how many of its first frames
 * are known, and the context of the last of these, or NO_ID. */
struct stack_search {
	const struct stack_frame *v;
	size_t n, known;
	uint32_t ctx;
};

/* Begins to load what contexts_find() will read first. */
static inline void
contexts_prefetch(const struct contexts *c, const struct stack_frame *v, size_t n)
{
	size_t i;

	for (i = 0; i < n && i < 3; i++)
		index_prefetch(&c->index, v[n - 1 - i].hash);
}

/* Looks for n stacks.  The processor waits for memory, of up to STACKS_MOST at once. */
#define STACKS_MOST 8
void contexts_find(const struct contexts *c, struct stack_search *q, size_t n);

#endif
