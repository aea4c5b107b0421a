/* SPDX-License-Identifier: ISC */
/*
 * For filters that change frames: a memoised function of contexts.  A context with
 * another function or line is another one, and so are those below it.  One that an
 * earlier input has defined is not put again, so each is asked for where it is first
 * put or referred to.
 */
#ifndef PROF_FILTER_REFRAME_H
#define PROF_FILTER_REFRAME_H

#include "stream/defs.h"

/*
 * What a frame becomes: its columns are changed in place, but for the parent, which has
 * become what it will be.  1; 0: it is left out, and becomes its parent, which it must
 * have; -1 if `next` fails, which definitions that are new are put into.
 */
typedef int reframe_fn(void *arg, struct dict *dict, struct sink *next,
    struct ctx_def *frame);

/* What a record has that is at a context that has become *ctx: 0, or -1 if `next` fails. */
typedef int reframe_use_fn(void *arg, struct dict *dict, struct sink *next, uint32_t *ctx);

/* A sink; its owner may put another put() before reframe_put(). */
struct reframe {
	struct sink sink;
	struct dict *dict;
	reframe_fn *frame;
	reframe_use_fn *use;	/* NULL: what it has become */
	void *arg;
	uint32_t *to;		/* by number: what it became; NO_ID: not asked yet */
	size_t cap;
	uint32_t *path;		/* of contexts that are asked for */
	size_t cappath;
};

void reframe_init(struct reframe *f, struct dict *dict, reframe_fn *frame, void *arg);
void reframe_clear(struct reframe *f);
int reframe_put(struct sink *s, const struct record *r);

/* Is a frame inlined into its parent? */
bool reframe_is_inlined(const struct dict *dict, const struct ctx_def *frame);

/* A filter that does nothing else. */
struct sink *reframe_new(struct dict *dict, reframe_fn *frame, void *arg);

#endif
