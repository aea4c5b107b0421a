/* SPDX-License-Identifier: ISC */
#include "stream/contexts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "stream/record.h"
#include "util/mem.h"

/* Without random bytes, a number that inputs do not know is good enough. */
void
contexts_init(struct contexts *c)
{
	if (getrandom(&c->seed, sizeof c->seed, GRND_NONBLOCK) != sizeof c->seed)
		c->seed = (uintptr_t)c * HASH_FACTOR;
	c->v = mem_grow(c->v, &c->cap, 1, sizeof *c->v);
	c->v[0] = (struct context){ 0, NO_ID };
}

void
contexts_free(struct contexts *c)
{
	free(c->v);
	free(c->hash);
	index_free(&c->index);
}

void
contexts_clear(struct contexts *c)
{
	index_clear(&c->index);
	c->n = 0;
	c->guess = (struct predictor){ 0 };
}

static inline bool
is(const struct contexts *c, uint32_t id, uint32_t caller, uint32_t frame)
{
	return c->v[id + 1].caller == caller + 1 && c->v[id + 1].frame == frame;
}

/* Stays out of the search, which is short and runs for each frame. */
static __attribute__((noinline)) uint32_t
add(struct contexts *c, uint32_t caller, struct stack_frame frame)
{
	uint32_t id;

	if (c->n >= NO_ID - 1)
		mem_fail(0);
	c->v = mem_grow(c->v, &c->cap, c->n + 2, sizeof *c->v);
	c->hash = mem_grow(c->hash, &c->caphash, c->n + 1, sizeof *c->hash);
	c->v[c->n + 1] = (struct context){ caller + 1, frame.frame };
	c->hash[c->n] = frame.hash;
	if (index_grows(&c->index))
		for (id = 0; id < c->n; id++) {
			if (id + INDEX_AHEAD < c->n)
				index_prefetch(&c->index, c->hash[id + INDEX_AHEAD]);
			index_put(&c->index, c->hash[id], id);
		}
	index_put(&c->index, frame.hash, (uint32_t)c->n);
	return (uint32_t)c->n++;
}

/* Many contexts are defined right after their caller, with the rest of a stack. */
uint32_t
contexts_define_hashed(struct contexts *c, uint32_t caller, struct stack_frame frame,
    bool *fresh)
{
	const uint32_t next = caller + 1;
	uint32_t id1;
	size_t i;

	*fresh = false;
	if (next < c->n && is(c, next, caller, frame.frame))
		return next;
	for (i = frame.hash; (id1 = index_next(&c->index, frame.hash, &i)); )
		if (is(c, id1 - 1, caller, frame.frame))
			return id1 - 1;
	*fresh = true;
	return add(c, caller, frame);
}

/* Most contexts are defined in the order of before, or right after their caller. */
uint32_t
contexts_define(struct contexts *c, uint32_t caller, uint32_t frame, bool *fresh)
{
	const uint32_t next = caller + 1;
	uint32_t above, id;

	*fresh = false;
	if (c->guess.next < c->n && is(c, c->guess.next, caller, frame))
		return predictor_hit(&c->guess);
	if (next < c->n && is(c, next, caller, frame))
		return next;
	above = caller == NO_ID ? 0 : c->hash[caller];
	id = contexts_define_hashed(c, caller, (struct stack_frame){ frame,
	    contexts_hash(c, above, frame) }, fresh);
	return *fresh ? id : predictor_missed(&c->guess, id);
}

/* ---- whole stacks ---- */

/* Are the frames from the root to this context those of the stack?  Nothing in the loop
 * depends on the contexts but their addresses, so the processor can load those of several
 * stacks at once. */
static inline bool
is_stack(const struct contexts *c, uint32_t id1, const struct stack_frame *v, size_t n)
{
	uint32_t differ = 0;

	for (; n; n--) {
		differ |= c->v[id1].frame ^ v[n - 1].frame;
		id1 = c->v[id1].caller;
	}
	return !(differ | id1);
}

/* Finds the most first frames, from q->known downwards, that are known. */
static void
find(const struct contexts *c, struct stack_search *q)
{
	uint32_t h, id1;
	size_t i;

	for (; q->known; q->known--) {
		h = q->v[q->known - 1].hash;
		for (i = h; (id1 = index_next(&c->index, h, &i)); )
			if (is_stack(c, id1, q->v, q->known)) {
				q->ctx = id1 - 1;
				return;
			}
	}
	q->ctx = NO_ID;
}

/* Sets q->known and q->ctx to what find() would usually find, if the hashes differ. */
static inline void
guess(const struct contexts *c, struct stack_search *q)
{
	uint32_t h, id1 = 0;
	size_t i;

	for (q->known = q->n; q->known && !id1; q->known -= !id1) {
		i = h = q->v[q->known - 1].hash;
		id1 = index_next(&c->index, h, &i);
	}
	q->ctx = id1 - 1;	/* NO_ID for 0 */
	__builtin_prefetch(&c->v[id1]);
}

void
contexts_find(const struct contexts *c, struct stack_search *q, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		guess(c, &q[i]);
	for (i = 0; i < n; i++)
		if (!is_stack(c, q[i].ctx + 1, q[i].v, q[i].known))
			find(c, &q[i]);
}
