/* SPDX-License-Identifier: ISC */
/*
 * A stack of frames, from the root on, on its way to a context.  Decoders that know the
 * frames of a whole stack, by cached numbers, put its contexts at once: what stacks have in
 * common is found from the leaf upwards, with one or two searches for most of them.
 */
#ifndef PROF_STREAM_STACK_H
#define PROF_STREAM_STACK_H

#include "stream/contexts.h"
#include "stream/dict.h"
#include "util/mem.h"

/* All zeros: empty.  The owner may set n to less, to keep the first frames. */
struct stack {
	struct stack_frame *v;
	size_t n, cap;
};

/* Adds n frames of the dictionary, of which the last becomes the leaf. */
static inline void
stack_add(struct stack *s, const struct contexts *c, const uint32_t *frame, size_t n)
{
	uint32_t hash = s->n ? s->v[s->n - 1].hash : 0;
	struct stack_frame *v;
	size_t i;

	s->v = mem_grow(s->v, &s->cap, s->n + n, sizeof *s->v);
	for (v = s->v + s->n, i = 0; i < n; i++) {
		hash = contexts_hash(c, hash, frame[i]);
		v[i] = (struct stack_frame){ frame[i], hash };
	}
	s->n += n;
}

/* Makes it begin with the first n frames of another one, and end there. */
void stack_begin_like(struct stack *s, const struct stack *other, size_t n);

/* Puts the contexts that are new, and sets *ctx to the leaf's, NO_ID without frames.  0
 * or -1. */
int stack_put(const struct stack *s, struct dict *d, struct sink *out, uint32_t *ctx);

/* The same for one that was looked for among others; contexts may have been added since. */
int stack_put_found(const struct stack_search *q, struct dict *d, struct sink *out,
    uint32_t *ctx);

/* Puts the context of a frame below *ctx, if it is new, and sets *ctx to it.  0 or -1. */
int stack_put_frame(struct dict *d, struct sink *out, uint32_t frame, uint32_t *ctx);

void stack_free(struct stack *s);

#endif
