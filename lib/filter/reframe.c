/* SPDX-License-Identifier: ISC */
#include "filter/reframe.h"

#include <stdlib.h>

#include "util/mem.h"

/* Returns the new context; NO_ID if it was not converted yet. */
static inline uint64_t
known(const struct reframe *f, uint64_t ctx)
{
	return ctx < f->cap ? f->to[ctx] : NO_ID;
}

/* Converts a context whose parent was converted. */
static int
make(struct reframe *f, uint32_t ctx)
{
	const struct ctx_def was = dict_ctx_def(f->dict, ctx);
	struct ctx_def c = was;
	uint32_t to = ctx;
	struct record r;
	int ret;

	c.parent = (uint32_t)known(f, c.parent);
	if ((ret = f->frame(f->arg, f->dict, f->sink.next, &c)) < 0)
		return -1;
	if (ret == 0) {
		to = c.parent;
	} else if (memcmp(&c, &was, sizeof c)) {
		ret = dict_put_ctx(f->dict, f->sink.next, &c, &to);
	} else {
		dict_record(f->dict, REC_CTX, ctx, &r);
		ret = sink_put(f->sink.next, &r);
	}
	f->to = mem_reach(f->to, &f->cap, ctx, sizeof *f->to, 0xff);
	f->to[ctx] = to;
	return ret < 0 ? -1 : 0;
}

/* Converts a context, after those above it, without recursion. */
static int
ask(struct reframe *f, uint64_t *ctx)
{
	uint64_t up = *ctx;
	size_t n = 0;

	for (; up != NO_ID && known(f, up) == NO_ID;
	    up = dict_caller(f->dict, (uint32_t)up)) {
		f->path = mem_grow(f->path, &f->cappath, n + 1, sizeof *f->path);
		f->path[n++] = (uint32_t)up;
	}
	while (n)
		if (make(f, f->path[--n]) < 0)
			return -1;
	*ctx = known(f, *ctx);
	return 0;
}

/* Sets the context of a record to the new one. */
static int
use(struct reframe *f, uint64_t *ctx)
{
	uint32_t to;
	int ret;

	if (ask(f, ctx) < 0)
		return -1;
	if (!f->use || *ctx == NO_ID)
		return 0;
	to = (uint32_t)*ctx;
	ret = f->use(f->arg, f->dict, f->sink.next, &to);
	*ctx = to;
	return ret;
}

int
reframe_put(struct sink *s, const struct record *r)
{
	struct reframe *f = (struct reframe *)s;
	struct record out;
	uint64_t ctx = r->col[0].n;
	bool changed = false;
	unsigned i;

	if (rec_kind(r) == REC_CTX)
		return ask(f, &ctx);
	for (i = 0; i < r->def->ncol; i++) {
		if (r->def->col[i].type != COL_CTX)
			continue;
		ctx = r->col[i].n;
		if (use(f, &ctx) < 0)
			return -1;
		if (ctx == r->col[i].n)
			continue;
		if (!changed)
			rec_copy(&out, r);
		changed = true;
		out.col[i].n = ctx;
	}
	return sink_put(s->next, changed ? &out : r);
}

bool
reframe_is_inlined(const struct dict *dict, const struct ctx_def *frame)
{
	return frame->parent != NO_ID && attr_has(dict_text(dict, frame->attrs), "inlined");
}

void
reframe_clear(struct reframe *f)
{
	free(f->to);
	free(f->path);
}

static void
reframe_free(struct sink *s)
{
	reframe_clear((struct reframe *)s);
	free(s);
}

void
reframe_init(struct reframe *f, struct dict *dict, reframe_fn *frame, void *arg)
{
	*f = (struct reframe){ .sink = { .put = reframe_put, .free = reframe_free },
	    .dict = dict, .frame = frame, .arg = arg };
}

struct sink *
reframe_new(struct dict *dict, reframe_fn *frame, void *arg)
{
	struct reframe *f = mem_alloc(1, sizeof *f);

	reframe_init(f, dict, frame, arg);
	return &f->sink;
}
