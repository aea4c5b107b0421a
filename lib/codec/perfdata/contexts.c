/* SPDX-License-Identifier: ISC */
/* The contexts of stacks: the tree of all stacks, in which each frame is looked up below its
 * caller's. */
#include "perfdata.h"

#include <stdlib.h>

#include "util/hash.h"
#include "util/mem.h"

void
pd_contexts_init(struct perf_contexts *c)
{
	c->root = NO_ID;
}

void
pd_contexts_free(struct perf_contexts *c)
{
	index_free(&c->index);
	free(c->v);
}

static uint32_t
hash_of(uint32_t parent, const struct function *f)
{
	return hash_upper(hash_number(hash_number(0, (uint64_t)parent << 32 | f->func), f->addr));
}

static inline bool
is_function(const struct perf_context *c, const struct function *f)
{
	return c->func == f->func && c->addr == f->addr;
}

/* Defines a context in the dictionary. */
static int
define(struct perfdata *pd, uint32_t parent, const struct function *f, uint32_t *ctx)
{
	const struct perf_contexts *c = &pd->contexts;
	struct ctx_def def = NO_CTX;

	def.parent = parent == NO_ID ? NO_ID : c->v[parent].ctx;
	def.func = f->func;
	if (pd->addrs && f->func != pd->unfinished.func)
		def.addr = dict_addr(pd->d->dict, f->addr);
	return decode_ctx(pd->d, &def, ctx);
}

static void
grow(struct perf_contexts *c)
{
	uint32_t i;

	if (c->n >= NO_ID - 1)
		mem_fail(0);
	if (index_grows(&c->index))
		for (i = 0; i < c->n; i++)
			index_put(&c->index, hash_of(c->v[i].parent, &(struct function){
			    .func = c->v[i].func, .addr = c->v[i].addr }), i);
	c->v = mem_grow(c->v, &c->cap, c->n + 1, sizeof *c->v);
}

/* Sets *at to the context of a function below a parent, which is added if it is new. */
static int
search(struct perfdata *pd, uint32_t parent, const struct function *f, uint32_t *at)
{
	struct perf_contexts *c = &pd->contexts;
	const uint32_t h = hash_of(parent, f);
	uint32_t at1, ctx;
	size_t i = h;

	while ((at1 = index_next(&c->index, h, &i)))
		if (c->v[at1 - 1].parent == parent && is_function(&c->v[at1 - 1], f)) {
			*at = at1 - 1;
			return 0;
		}
	if (define(pd, parent, f, &ctx) < 0)
		return -1;
	grow(c);
	c->v[c->n] = (struct perf_context){ f->addr, f->func, parent, ctx, NO_ID };
	index_put(&c->index, h, (uint32_t)c->n);
	*at = (uint32_t)c->n++;
	return 0;
}

/* A caller mostly calls what it called the last time. */
int
pd_contexts_find(struct perfdata *pd, uint32_t *context)
{
	struct perf_contexts *c = &pd->contexts;
	const struct perf_frames *frames = &pd->frames;
	uint32_t parent = NO_ID, at;
	size_t i;

	for (i = frames->n; i--; parent = at) {
		at = parent == NO_ID ? c->root : c->v[parent].called;
		if (at < c->n && is_function(&c->v[at], &frames->v[i]))
			continue;
		if (search(pd, parent, &frames->v[i], &at) < 0)
			return -1;
		*(parent == NO_ID ? &c->root : &c->v[parent].called) = at;
	}
	*context = parent;
	return 0;
}
