/* SPDX-License-Identifier: ISC */
/*
 * Whether a selection, before it is inverted, selects functions, files, contexts and
 * records.  Each name is matched once.
 */
#ifndef PROF_FILTER_SELECT_H
#define PROF_FILTER_SELECT_H

#include "filter/filter.h"
#include "util/mem.h"

/* The state of a definition: it was decided, and it is selected. */
enum { ASKED = 1, SELECTED = 2 };

/* A byte for each definition of a kind, initially 0. */
struct verdicts {
	unsigned char *v;
	size_t cap;
};

static inline unsigned char *
verdict(struct verdicts *t, uint64_t id)
{
	if (id >= t->cap)
		t->v = mem_reach(t->v, &t->cap, id, 1, 0);
	return &t->v[id];
}

/* For contexts: sets all frames above a nonzero one to 1. */
void verdicts_mark_above(struct verdicts *ctx, const struct dict *dict);

struct selector {
	const struct selection *sel;
	struct dict *dict;
	struct verdicts func, file, object, ctx;
};

/* A function is selected by its name, its file or its object, according to --in; a file by
 * its path; a context by any of its frames.  NO_ID is not selected. */
bool selector_ask_func(struct selector *s, uint64_t id);
bool selector_file(struct selector *s, uint64_t id);
bool selector_ctx(struct selector *s, uint64_t id);

/* The result is nearly always known. */
static inline bool
selector_func(struct selector *s, uint64_t id)
{
	return id < s->func.cap && s->func.v[id] ? s->func.v[id] & SELECTED :
	    selector_ask_func(s, id);
}

/* A record is selected by the names in it, in the roles that the selection has. */
bool selector_record(struct selector *s, const struct record *r);

void selector_free(struct selector *s);

#endif
