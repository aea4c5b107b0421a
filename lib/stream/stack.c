/* SPDX-License-Identifier: ISC */
#include "stream/stack.h"

#include <stdlib.h>
#include <string.h>

void
stack_begin_like(struct stack *s, const struct stack *other, size_t n)
{
	s->v = mem_grow(s->v, &s->cap, n, sizeof *s->v);
	if (s != other && n)
		memcpy(s->v, other->v, n * sizeof *s->v);
	s->n = n;
}

static int
put(const struct dict *d, struct sink *out, uint32_t ctx)
{
	struct record r;

	dict_record(d, REC_CTX, ctx, &r);
	return sink_put(out, &r);
}

int
stack_put_frame(struct dict *d, struct sink *out, uint32_t frame, uint32_t *ctx)
{
	bool fresh;

	*ctx = contexts_define(dict_contexts(d), *ctx, frame, &fresh);
	return fresh ? put(d, out, *ctx) : 0;
}

int
stack_put_found(const struct stack_search *q, struct dict *d, struct sink *out, uint32_t *ctx)
{
	bool fresh;
	size_t i;

	*ctx = q->ctx;
	for (i = q->known; i < q->n; i++) {
		*ctx = contexts_define_hashed(dict_contexts(d), *ctx, q->v[i], &fresh);
		if (fresh && put(d, out, *ctx) < 0)
			return -1;
	}
	return 0;
}

int
stack_put(const struct stack *s, struct dict *d, struct sink *out, uint32_t *ctx)
{
	struct stack_search q = { .v = s->v, .n = s->n };

	contexts_prefetch(dict_contexts(d), s->v, s->n);
	contexts_find(dict_contexts(d), &q, 1);
	return stack_put_found(&q, d, out, ctx);
}

void
stack_free(struct stack *s)
{
	free(s->v);
	*s = (struct stack){ 0 };
}
