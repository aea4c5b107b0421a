/* SPDX-License-Identifier: ISC */
/*
 * For filters that change frames: a memoised function of contexts.  A context with another
 * function or line is a new one, and so are those below it.  One that an earlier input has
 * defined is not put again, so each is converted where it is first put or referred to.
 */
#ifndef PROF_FILTER_REFRAME_H
#define PROF_FILTER_REFRAME_H

#include "stream/defs.h"

/*
 * Changes the columns of a frame in place, except the parent, which is already converted.
 * Returns 1; 0: the frame is left out, and replaced by its parent, which it must have; -1
 * if `next` fails, into which new definitions are put.
 */
typedef int reframe_fn(void *arg, struct dict *dict, struct sink *next,
    struct ctx_def *frame);

/* Changes *ctx, the new context of a record: 0, or -1 if `next` fails. */
typedef int reframe_use_fn(void *arg, struct dict *dict, struct sink *next, uint32_t *ctx);

/* A sink; its owner may put another put() before reframe_put(). */
struct reframe {
	struct sink sink;
	struct dict *dict;
	reframe_fn *frame;
	reframe_use_fn *use;	/* NULL: a record's context needs no change */
	void *arg;
	uint32_t *to;		/* by number: the new context; NO_ID: not converted yet */
	size_t cap;
	uint32_t *path;		/* contexts still to convert */
	size_t cappath;
};

void reframe_init(struct reframe *f, struct dict *dict, reframe_fn *frame, void *arg);
void reframe_clear(struct reframe *f);
int reframe_put(struct sink *s, const struct record *r);

/* Is a frame inlined into its parent? */
bool reframe_is_inlined(const struct dict *dict, const struct ctx_def *frame);

/* Returns a filter that only converts frames. */
struct sink *reframe_new(struct dict *dict, reframe_fn *frame, void *arg);

#endif
